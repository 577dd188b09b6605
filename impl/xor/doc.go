// Package xor is the xor filter (Graf & Lemire 2020): a static filter of
// fingerprints of f bits, 8 or 16, which is wrong for one absent key in 2^f. A
// key has a slot in each of three blocks of the table; the exclusive or of what
// they hold is its fingerprint. It takes 1.23 times f bits a key. Package fuse is
// its successor, smaller from some ten thousand keys on and faster to build; this
// one is what most texts speak of.
//
// A filter is built of a whole set at once, and never changes. The bytes that it
// marshals to follow from the set of the keys and the hash function alone: order
// and repetition of the keys change nothing. Two keys with the same 64-bit hash
// are one to it.
//
// Building allocates, beside the keys given, 8 bytes a key, 8 bytes a slot and the
// table, and no more at its peak: 19.1 bytes a key at n = 10^6 with 8 bits.
// BenchmarkBuild measures it. Where a key is given twice, or the first attempt
// fails, it is another 8 bytes a key.
package xor
