// Package countsketch estimates how much weight each key of a stream was given,
// up or down, in a table of fixed size: the count sketch of Charikar, Chen and
// Farach-Colton (2002).
//
// A table has d rows of w counters. In each row a key has a counter and a sign;
// adding weight to the key adds it to the counter, times the sign. The counter
// times the sign is then the weight of the key, and that of others with either
// sign: on average the weight itself, with variance (F2 - f^2)/w, F2 the sum of
// the squared weights of all keys and f that of the key. The estimate is the
// median of the rows.
//
// Beside a count-min sketch (package countmin), whose error is a share of the sum
// of all weights, the error here is a share of the root of their squares over w:
// less on streams in which a few keys are heavy and the rest many. It may be
// to either side. Weights may be negative, and so may those of a key in all: the
// table of one stream less that of another is the sketch of the change.
package countsketch
