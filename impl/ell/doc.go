// Package ell is ExaLogLog (Ertl 2024): registers that keep the greatest value
// they were given and, for each of the d values under it, whether it was given
// too, where 2^t values share every number of leading zeros. With t = 2 and
// d = 20, which [Standard] takes, a register has 28 bits, and a sketch 43 % less
// memory than HyperLogLog with six bits for the same error.
//
// t = 0, d = 0 is HyperLogLog, and t = 0, d = 2 UltraLogLog, register for register:
// see impl/hll and impl/ull, which are faster at it.
//
// A [Sketch] is read by maximum likelihood, and depends on the set of keys alone:
// it merges. A [Martingale] counts along while keys come, errs less, and cannot be
// merged.
//
// There is no reduction to fewer registers. A bit that leaves the index would come
// before the leading zeros, and where it is one, all values of a register become the
// first 2^t, by the t last bits of each: for t > 0 those of values that left the
// window are not known any more.
package ell
