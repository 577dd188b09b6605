// Package kmv counts distinct keys by the k smallest of their hashes (Bar-Yossef et
// al. 2002; Beyer et al. 2007), also called bottom-k: where the k-th of n uniform
// numbers lies tells n. Up to k - 1 keys it is exact.
//
// A [Sketch] is a sample of keys, by hash, so two of them tell more than a count:
// how many keys both sets have, and what share of all that is. For that it takes
// eight bytes for what HyperLogLog tells with one.
package kmv
