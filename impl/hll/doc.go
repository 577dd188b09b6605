// Package hll is HyperLogLog (Flajolet, Fusy, Gandouet and Meunier 2007): an
// estimate of how many distinct keys were seen, from 2^p registers that each
// keep the longest run of zeros among the hashes they were given.
//
// Hashes have 64 bits, so there is no upper range to correct. Registers take six
// or eight bits; with Params.Sparse a small set is kept as hashes until registers
// take less memory. The estimator is a choice made when reading: seven of them
// read the same registers. A Martingale counts while it is filled instead, and is
// the more exact for it, but cannot be merged.
package hll
