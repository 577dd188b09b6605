package ull

import "math"

// RegisterBits is the size of a register: six bits and two.
const RegisterBits = 8

// MLError is the relative standard error of Estimate with m registers at n keys,
// from the inverse of Fisher's information (Ertl 2023; here at every n, with 1/n
// less because n is given and not Poisson). It tends to
// sqrt(MemoryVariance/(8 m)) = 0.7608/sqrt(m) for many keys, and leaves out terms
// smaller by 1/m. n is 1 to 2^60.
func MLError(m, n float64) float64 { return math.Sqrt(shape.Variance(n/m) / m) }

// MLBias is the relative bias of EstimateML with m registers at n keys: 0.48147/m
// for many (Ertl 2023 prints the constant), 0.25/m for few. It leaves out
// terms smaller by 1/m.
func MLBias(m, n float64) float64 { return shape.Bias(n/m) / m }

// MartingaleError is the relative standard error of a Martingale with m registers
// at n keys: 0.6582/sqrt(m) for many (Ertl 2023, after Cohen 2015 and Ting 2014).
func MartingaleError(m, n float64) float64 { return math.Sqrt(shape.MartingaleVariance(n/m) / m) }

// MemoryVariance is bits of registers times relative variance for many keys,
// 8 ln 2/zeta(2, 5/4) = 4.631 (Ertl 2023).
func MemoryVariance() float64 { return RegisterBits * shape.GeometricVariance() }

// MartingaleMemoryVariance is the same for a Martingale, 5 ln 2 = 3.466 (Ertl
// 2023).
func MartingaleMemoryVariance() float64 { return RegisterBits * shape.GeometricMartingaleVariance() }
