// Package fuse is the binary fuse filter (Graf & Lemire 2022): a static filter
// of fingerprints of f bits, 8, 16 or 32, which is wrong for one absent key in
// 2^f. A key has three slots, or four, in neighbouring segments of the table;
// the exclusive or of what they hold is its fingerprint. It takes 1.125 times f
// bits a key, or 1.075 times with four slots, as the set grows.
//
// A filter is built of a whole set at once, and never changes. The bytes that it
// marshals to follow from the set of the keys, the hash function and the
// parameters alone: order and repetition of the keys change nothing. Two keys
// with the same 64-bit hash are one to it.
//
// Building allocates, beside the keys given, 8 bytes a key, 8 bytes a slot and the
// table, and no more at its peak: 18.2 bytes a key at n = 10^6 with three slots
// of 8 bits, 17.7 with four slots. BenchmarkBuild measures it. Where a key is
// given twice, or the first attempt fails, it is another 8 bytes a key.
package fuse
