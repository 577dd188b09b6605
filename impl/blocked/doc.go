// Package blocked is Bloom filters that look at one block a key (Putze, Sanders,
// Singler 2007): the first bits of the hash choose the block, the others choose k
// bits in it. A look-up then costs one cache line in place of k. The price is in the
// rate, since keys fall on blocks unevenly, and the crowded blocks err more than the
// others save; how much depends on the kind of block (see Kind). The laws are in
// theory.go.
//
// Each kind has its use: Line for the least memory, Sectors for speed at nearly the
// same, Word for the most speed at the worst rate. What one cache line saves shows
// where look-ups find their key and where they come in batches, which fetch ahead in
// filters larger than the caches; for absent keys one at a time, package bloom, which
// leaves after three bits, is faster. The filter with blocks of 256 bits and vector
// instructions, package splitblock, is several times faster than all of them.
//
// A filter may be read by many goroutines at once. Adding, merging and decoding want
// it alone.
package blocked
