// Package blocked is Bloom filters that look at one block a key (Putze, Sanders,
// Singler 2007): the first bits of the hash choose the block, the others choose k
// bits in it. A look-up then costs one cache line in place of k. The price is in the
// rate, since keys fall on blocks unevenly, and the crowded blocks err more than the
// others save; how much depends on the kind of block (see Kind). The laws are in
// theory.go.
//
// Each kind has its use: Line for the least memory, Sectors for speed at nearly the
// same, Word for the most speed at the worst rate. The filter with blocks of 256 bits
// and vector instructions is package splitblock.
//
// A filter may be read by many goroutines at once. Adding, merging and decoding want
// it alone.
package blocked
