// Package linearcounting counts distinct keys by a bitmap (Whang, Vander-Zanden and
// Taylor 1990): each key sets the bit that its hash names, and the share of bits
// that are still zero tells the number of keys. Up to about twice as many keys as
// bits no sketch of the same memory is better; far beyond, all bits are set and it
// can tell nothing.
package linearcounting
