// Package infini is a filter that grows without its keys: when its table is
// full it doubles, and the rate of false positives stays below a bound that was
// chosen for all growth.
//
// It is of the InfiniFilter line. The table is a quotient filter: the first bits
// of a key's hash, its quotient, choose a slot, the next ones, its fingerprint,
// are stored there or a little further on. A doubling moves one bit of every
// fingerprint to its quotient, so fingerprints of several lengths lie side by
// side, each with a one behind it that marks its end (Dayan, Bercea, Reviriego,
// Pagh 2023, “InfiniFilter: Expanding Filters to Infinity and Beyond”). Keys that
// come later get longer fingerprints, so that the rates of all generations have a
// finite sum. Where a fingerprint is spent, a bit says that everything matches in
// its quotient, and a doubling copies it to both halves (as the copies of entries
// in Dayan, Bercea, Pagh 2024, “Aleph Filter”, but without filling slots).
//
// Seen from outside the filter is a set of prefixes of hashes: a key of
// generation g, added after g doublings, is a prefix of quotient plus
// fingerprint bits as they were then, for ever. A doubling changes no answer.
// All laws follow from that.
//
// Slots are found by rank and select (Pandey, Bender, Johnson, Patro 2017, “A
// General-Purpose Counting Filter”): per slot one bit for “some key has this
// quotient”, one for “a run of equal quotients ends here”, and a quarter of a
// bit for how far runs reach into the next block of 64.
//
// A filter may be read by many goroutines at once. Adding, removing and
// decoding want it alone.
package infini
