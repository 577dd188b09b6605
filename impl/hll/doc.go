// Package hll is HyperLogLog (Flajolet, Fusy, Gandouet and Meunier 2007): an
// estimate of how many distinct keys were seen, from 2^p registers that each
// keep the longest run of zeros among the hashes they were given.
//
// Hashes have 64 bits, so there is no upper range to correct. Registers take six
// or eight bits. The estimator is a choice made when reading: the raw one, the
// raw one with linear counting, and that of Ertl 2017, as published and freed
// of its bias.
package hll
