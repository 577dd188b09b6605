// Package countmin counts how often keys occur in a stream, in a table of fixed
// size: the count-min sketch of Cormode and Muthukrishnan (2005).
//
// A table has d rows of w counters. Adding a key raises one counter in each
// row, and the estimate of a key is the smallest of its d counters. Other keys
// that share a counter can only raise it, so an estimate is never below the
// truth. With w = ceil(e/ε) and d = ceil(ln 1/δ) it is above the truth by more
// than εN, N the weight of the whole stream, in at most a share δ of the cases.
//
// Conservative update (Estan and Varghese 2002) raises only the counters that
// the new estimate needs. Its estimates lie between the truth and those of the
// plain sketch, but such tables cannot be merged. Count-mean-min (Deng and Rafiei
// 2007; see MeanMin) takes the noise out of a plain table when it is asked.
//
// Counters have 64 bits, or 32, which stop at their end: a key of which all have
// stopped is estimated by the weight of the whole stream.
package countmin
