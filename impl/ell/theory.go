package ell

import (
	"math"

	"github.com/sketchproof/sketchproof/impl/internal/window"
)

func shape(t, d int) window.Shape { return window.Shape{T: uint(t), D: uint(d)} }

// MLError is the relative standard error of Estimate with m registers of t and d
// at n keys, from the inverse of Fisher's information (Ertl 2024; here at every n,
// with 1/n less because n is given and not Poisson). For t = 2, d = 20 it tends to
// 0.3634/sqrt(m), but slowly: at n = 40 m it is a tenth lower. It leaves out
// terms smaller by 1/m. n is 1 to 2^60.
func MLError(t, d int, m, n float64) float64 { return math.Sqrt(shape(t, d).Variance(n/m) / m) }

// MLBias is the relative bias of EstimateML with m registers at n keys. For t = 2,
// d = 20 it is 0.11/m for many keys, 0.06/m for few. It leaves out terms smaller
// by 1/m.
func MLBias(t, d int, m, n float64) float64 { return shape(t, d).Bias(n/m) / m }

// MartingaleError is the relative standard error of a Martingale with m registers
// at n keys (Ertl 2024, after Cohen 2015 and Ting 2014).
func MartingaleError(t, d int, m, n float64) float64 {
	return math.Sqrt(shape(t, d).MartingaleVariance(n/m) / m)
}

// many is a number of keys a register beyond which constants stay as they are.
const many = 1e9

// MemoryVariance is bits of registers times relative variance for many keys: 3.697
// for t = 2, d = 20. PrintedMemoryVariance is a hundredth lower.
func MemoryVariance(t, d int) float64 { return float64(6+t+d) * shape(t, d).Variance(many) }

// MartingaleMemoryVariance is the same for a Martingale: 2.840 for t = 2, d = 20.
func MartingaleMemoryVariance(t, d int) float64 {
	return float64(6+t+d) * shape(t, d).MartingaleVariance(many)
}

// PrintedMemoryVariance is the constant that Ertl 2024 prints, 3.67 for t = 2,
// d = 20:
//
//	(6+t+d) ln b / zeta(2, 1 + b^-d/(b-1)),  b = 2^(2^-t).
//
// It takes values to be geometric with ratio 1/b, which they are for t = 0 alone:
// for t > 0 all 2^t values of the same number of zeros are equally likely.
func PrintedMemoryVariance(t, d int) float64 {
	return float64(6+t+d) * shape(t, d).GeometricVariance()
}

// PrintedMartingaleMemoryVariance is the same for a Martingale,
// (6+t+d)/2 ln b (1 + b^-d/(b-1)): 2.83 for t = 2, d = 20, and 2.77 for d = 16,
// where it is least.
func PrintedMartingaleMemoryVariance(t, d int) float64 {
	return float64(6+t+d) * shape(t, d).GeometricMartingaleVariance()
}
