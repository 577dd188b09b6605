// Package counting is the counting Bloom filter of Fan, Cao, Almeida and Broder
// (2000): a Bloom filter whose m bits are m small counters, so that a key can
// be removed again.
//
// Adding a key raises k cells, removing it lowers them, and a key is present
// if none of its cells is 0. Cells have 4, 8 or 16 bits. A cell that reaches
// its maximum stays there for good: it no longer knows how many keys it holds,
// and lowering it could make one of them disappear.
//
// Only keys that were added may be removed. Removing another takes cells away
// from present keys, which then may be missed. Remove looks first and refuses
// keys that are certainly absent; strangers still pass at the rate of false
// positives.
//
// A filter may be read by many goroutines at once. Adding, removing, merging and
// decoding want it alone.
package counting
