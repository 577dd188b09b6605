// Package events is streams of distinct keys far longer than anybody could
// insert: to 10^19 keys in milliseconds.
//
// A sketch of hashes forgets nearly all keys: HyperLogLog changes only when a
// register meets a greater value than before, UltraLogLog and ExaLogLog only when
// they meet a value for the first time. A [Stream] draws those keys alone. Of the
// 2^64 hashes it knows how many, W, would be news to the sketch; the next key with
// news then comes after a geometric number of keys of parameter W/2^64, and its
// hash is any of the W with equal chance. Nothing is approximated: what reaches
// the sketch has the law of what it would have noticed had all keys been inserted,
// in the same order, so that estimators that look at the path (martingale, HIP)
// are served too. Ertl 2017 and 2024 walk each register by itself instead; that
// makes the number of keys a Poisson one and needs a merge of the paths by time.
//
// Numbers of keys are 64-bit integers. Gaps are drawn in floating point and so
// correct to 53 bits, which is finer by many orders than a gap's own spread of
// 100 %.
package events
