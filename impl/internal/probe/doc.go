// Package probe draws the probes of a key from one 64-bit hash as the Derived
// scheme of impl/bloom does: number i, counted from 1, is the high part of
// m * (hash * c^i mod 2^64). The relatives of the Bloom filter share it, so that
// with one m, k and hash they touch the very cells that a Bloom filter would.
package probe
