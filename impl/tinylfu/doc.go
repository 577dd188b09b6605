// Package tinylfu counts how often keys came lately, in a few bits for each, to
// tell a cache which of two keys to keep: TinyLFU of Einziger, Friedman and Manes
// (2017).
//
// Four rows of 4-bit counters are a count-min sketch with minimal increment: only
// those of a key's four counters that are least are raised. After a sample of so
// many keys all counters are halved, and the number of keys in the sample with
// them, so that what came long ago fades. A counter stops at 15, which is no loss
// while the sample is not much more than 15 times the number of keys that are
// worth keeping.
//
// In front of the counters there may be a doorkeeper, a Bloom filter that takes
// the first occurrence of each key since the last halving, when it is cleared. The
// many keys that come once then spend no counters.
//
// A key's estimate is above what its exact counters would say, or that. The sketch
// remembers the order of the stream, by its halvings, so two cannot be merged.
package tinylfu
