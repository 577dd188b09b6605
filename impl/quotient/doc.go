// Package quotient is the laws of the quotient filter: a hash table of
// fingerprints in which the slot gives the quotient and the entry stores the r
// remainder bits, so that two filters merge, and one grows, without the keys.
package quotient
