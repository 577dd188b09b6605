// Package minhash tells how alike two sets are, by the Jaccard similarity J, the
// size of the intersection over that of the union, from a small signature of
// each.
//
// [Signature] keeps the minimum of each of k hash functions (Broder 1997): two
// sets agree in a minimum with probability J, so the agreements are binomial.
// [OnePermutation] hashes a key once and keeps the minimum of each of k bins
// (Li, Owen, Zhang 2012), empty bins filled by optimal densification when it is
// read (Shrivastava 2017): the cheap one to build. [BottomK] keeps the k smallest
// hashes (Broder 1997). [BBit] keeps b bits of each minimum of a Signature (Li,
// König 2010): up to 64 times smaller, and it takes no more keys.
//
// All depend on the set of keys only, not on their order or how often they came,
// and all but BBit merge into the signature of the union, to the byte.
package minhash
