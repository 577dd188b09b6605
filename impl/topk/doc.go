// Package topk keeps the keys that weigh most in a stream, in memory for k of
// them, with bounds on what each weighs.
//
// [SpaceSaving] (Metwally, Agrawal, El Abbadi 2005) has k counters. A key
// without one takes over the smallest, with its count: that is the most by which
// its own count may be too high. So every key above N/k, N the weight of the
// whole stream, has a counter, and no count is over by more than N/k.
//
// [MisraGries] (Misra and Gries 1982) has k counters too. A key without one
// lowers them all. Its counts are too low rather than too high; those of k-1
// counters are those of a Space-Saving of k less its smallest counter (Agarwal
// et al. 2012), so the two know the same and differ in what they list.
//
// [CountMin] puts the estimates of a count-min sketch (package countmin) in
// order. Its table answers for every key, not for the heavy ones alone, and costs
// more memory at equal error.
//
// All three order their counters by a stream summary, a list of the distinct
// counts with the counters of each: an event of weight 1 takes constant time.
// Counts are also in a search tree (a treap), so that an event of any weight
// takes a time in proportion to log k, on average over the tree's own coin.
//
// Keys have 64 bits. A byte string is kept as its 64-bit hash: of n distinct ones
// two share a counter with probability about n^2/2^65, 3 in 10^8 for a million,
// and where somebody forges input, only a keyed hash keeps to that. Which text
// a hash stands for is the caller's to keep (see the example of SpaceSaving.Key);
// numbers and hashes of byte strings are keys of one kind.
//
// Weights and counts have 64 bits and stop at math.MaxUint64. A count there means
// that much or more.
package topk
