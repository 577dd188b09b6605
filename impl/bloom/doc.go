// Package bloom is the classic Bloom filter: m bits, k probes a key, and every
// way of drawing those probes that is in use, so that one can be tried against
// the other. Beside the filter stand the laws that it is judged by: theory.go
// for the filter itself, variants.go for its relatives, size.go for the three
// common ways to choose m and k and for the smallest filter that keeps its
// promise.
//
// A filter may be read by many goroutines at once. Adding, merging and
// decoding want it alone.
package bloom
