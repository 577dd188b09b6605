// Package cuckoo is the cuckoo filter of Fan, Andersen, Kaminsky and
// Mitzenmacher (2014, "Cuckoo Filter: Practically Better Than Bloom"): a hash
// table of short tags with two buckets for every key, which can forget keys.
//
// It takes any number of buckets, not only powers of two, packs tags of 4 to 32
// bits without gaps, and keeps every accepted key when it has to refuse one.
// Buckets of four can be semi-sorted, which takes one bit less a slot.
package cuckoo
