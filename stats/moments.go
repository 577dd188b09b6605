package stats

import (
	"math"
	"math/big"
)

// moments are what the intervals need to know of a sample.
type moments struct {
	n              int
	mean, sd       float64
	skew           float64 // third standardised central moment, 0 when sd is
	meanSquare     float64 // about zero
	kurtosis       float64 // fourth moment about zero over meanSquare², less 3
	resolution     float64 // the smallest step between two readings: 1 over the least Den
	sumNum, sumDen float64 // rounded from exact sums
	oneDen         bool
}

// sums are exact: readings of 10^12 squared, times 10^5 trials, overflow 64 bits.
type sums struct{ num, square, den big.Int }

func exactSums(trials []Count) (s sums, oneDen bool) {
	var v, sq big.Int
	oneDen = true
	for _, c := range trials {
		v.SetInt64(c.Num)
		s.num.Add(&s.num, &v)
		s.square.Add(&s.square, sq.Mul(&v, &v))
		s.den.Add(&s.den, v.SetInt64(c.Den))
		oneDen = oneDen && c.Den == trials[0].Den
	}
	return s, oneDen
}

// quotient is a/b, rounded once.
func quotient(a, b *big.Int) float64 {
	q, _ := new(big.Rat).SetFrac(a, b).Float64()
	return q
}

// momentsOf summarises the observations Num/Den, all Den > 0. Where Den is the
// same in all trials, mean, variance and mean square are those of the exact
// rational numbers, rounded once.
func momentsOf(trials []Count) moments {
	s, oneDen := exactSums(trials)
	m := moments{n: len(trials), oneDen: oneDen}
	m.sumNum, m.sumDen = quotient(&s.num, big.NewInt(1)), quotient(&s.den, big.NewInt(1))
	if m.n == 0 {
		return m
	}
	value := func(c Count) float64 { return float64(c.Num) / float64(c.Den) }
	var variance float64
	if oneDen {
		n, d := big.NewInt(int64(m.n)), big.NewInt(trials[0].Den)
		m.mean = quotient(&s.num, &s.den)
		var dd, ndd, spread big.Int
		dd.Mul(d, d)
		ndd.Mul(&dd, n)
		m.meanSquare = quotient(&s.square, &ndd)
		spread.Mul(&s.square, n)
		spread.Sub(&spread, new(big.Int).Mul(&s.num, &s.num))
		if m.n > 1 {
			variance = quotient(&spread, new(big.Int).Mul(&ndd, big.NewInt(int64(m.n-1))))
		}
	} else {
		m.mean = meanOf(trials, value)
		m.meanSquare = meanOf(trials, func(c Count) float64 { return value(c) * value(c) })
		variance = varianceAbout(trials, func(c Count) float64 { return value(c) - m.mean })
	}
	m.sd = math.Sqrt(variance)
	m.skew = skewness(trials, m.sd, func(c Count) float64 { return value(c) - m.mean })
	m.kurtosis = excess(trials, m.meanSquare, value)
	m.resolution = resolution(trials)
	return m
}

// ratioMoments summarises a ratio Σ Num / Σ Den: where Den differs between
// trials, its spread is that of the linearised residuals (Num - R·Den) over the
// mean Den (Cochran 1977, section 2.11); where it does not, that is the same as
// the spread of Num/Den.
func ratioMoments(trials []Count) moments {
	m := momentsOf(trials)
	if m.oneDen {
		return m
	}
	s, _ := exactSums(trials)
	m.mean = quotient(&s.num, &s.den)
	meanDen := m.sumDen / float64(m.n)
	residual := func(c Count) float64 { return (float64(c.Num) - m.mean*float64(c.Den)) / meanDen }
	m.sd = math.Sqrt(varianceAbout(trials, residual))
	m.skew = skewness(trials, m.sd, residual)
	return m
}

// meanOf sums with the compensation of Neumaier 1974: the order of magnitude of
// terms may differ.
func meanOf(trials []Count, f func(Count) float64) float64 {
	sum, lost := 0.0, 0.0
	for _, c := range trials {
		v := f(c)
		t := sum + v
		if math.Abs(sum) >= math.Abs(v) {
			lost += (sum - t) + v
		} else {
			lost += (v - t) + sum
		}
		sum = t
	}
	return (sum + lost) / float64(len(trials))
}

// varianceAbout is the sample variance of deviations from the mean.
func varianceAbout(trials []Count, deviation func(Count) float64) float64 {
	n := float64(len(trials))
	if n < 2 {
		return 0
	}
	square := meanOf(trials, func(c Count) float64 { return deviation(c) * deviation(c) })
	return square * n / (n - 1)
}

func skewness(trials []Count, sd float64, deviation func(Count) float64) float64 {
	if sd == 0 {
		return 0
	}
	n := float64(len(trials))
	cube := meanOf(trials, func(c Count) float64 { z := deviation(c) / sd; return z * z * z })
	return cube * math.Pow(n/(n-1), 1.5)
}

func excess(trials []Count, meanSquare float64, value func(Count) float64) float64 {
	if meanSquare == 0 {
		return 0
	}
	return meanOf(trials, func(c Count) float64 { q := value(c) * value(c) / meanSquare; return q * q }) - 3
}

func resolution(trials []Count) float64 {
	least := trials[0].Den
	for _, c := range trials {
		least = min(least, c.Den)
	}
	return 1 / float64(least)
}
