// Package splitblock is the split block Bloom filter of the Apache Parquet format:
// blocks of 256 bits, each of eight lanes of 32 bits; a key looks at one block and
// sets one bit in each of its lanes. A look-up is one cache line and a handful of
// vector instructions, whatever the rate: the fastest filter of this module where
// its rate, best near half a per cent, will do.
//
// With its default hash, XXH64 with seed 0, a filter's bits are those of a Parquet
// file: ReadParquet and AppendParquet read and write what stands in one, FromParquet
// and ParquetBitset the bare bitset. Parquet hashes a value's plain encoding without
// a length: ContainsBytes of the bytes of a BYTE_ARRAY, Contains of an INT64 (and of
// the bits of a DOUBLE), ContainsBytes of the four bytes of an INT32 or FLOAT. With
// another hash the filter is the same but for that; XXH3 is faster, a keyed one
// keeps an adversary from choosing keys that are found.
//
// The laws are in theory.go: the rate is that of a mixture of blocks with few and
// with many keys, and the size that the format's specification computes does not
// meet the rate that it is computed from. Size does.
//
// On amd64 with AVX2 everything that looks at bits is assembly. The portable code
// gives the same bits and answers, and is all there is with the tag purego.
//
// A filter may be read by many goroutines at once. Adding, merging and decoding want
// it alone.
package splitblock
