// Package quotient is the rank-and-select quotient filter of Pandey, Bender,
// Johnson and Patro (2017, "A General-Purpose Counting Filter: Making Every Bit
// Count"): a sorted hash table of fingerprints in which the place gives the
// quotient and the entry stores the r remainder bits. So it can list its fingerprints
// in order, merge with another filter, and double or halve its table, all without the
// keys. A Counting filter is a multiset, which can forget a key, and whose counters
// take room in proportion to their logarithm.
//
// It takes any number of slots, not only powers of two. What a filter writes is
// a function of the fingerprints that it holds, and of nothing else.
package quotient
