package bloom

import "math"

// throwInto makes the distribution p of the number of occupied bins the one
// after one more ball: a ball meets one of j occupied bins of all with chance
// j/bins. p[j] is the chance of j; counts beyond the slice are dropped.
func throwInto(p []float64, bins float64) {
	for j := len(p) - 1; j > 0; j-- {
		p[j] = (p[j]*float64(j) + p[j-1]*(bins-float64(j-1))) / bins
	}
	p[0] = 0
}

// occupied is the distribution of the number of distinct bins that the given
// number of balls occupies: entry j is the chance of j, 0 <= j <= balls.
func occupied(balls uint64, bins float64) []float64 {
	p := make([]float64, balls+1)
	p[0] = 1
	for range balls {
		throwInto(p, bins)
	}
	return p
}

// saturated is the load, in balls a bin, at which 64 given bins are all
// occupied to double precision: an empty one has chance e^-load, and
// 64 e^-45 is 2e-18.
const saturated = 45

// allOccupied is the chance that d given bins of all bins are occupied after
// the balls were thrown: with T ~ Binomial(balls, d/bins) of them landing in the
// d bins, the mean over T of the chance that T balls cover d bins.
//
// Every term is positive, so nothing cancels: the textbook form, an alternating
// sum, loses all digits at the sizes that matter. The work is about d^2 times
// the load, whatever the number of bins.
func allOccupied(d int, bins, balls float64) float64 {
	if balls/bins > saturated {
		return 1
	}
	inside := float64(d)
	chain := make([]float64, d+1) // chain[j]: T balls cover j of the d bins
	chain[0] = 1
	if inside == bins {
		for range uint64(balls) {
			throwInto(chain, inside)
		}
		return chain[d]
	}
	// The binomial weights are taken relative to that of T = 0 and divided by
	// their sum at the end.
	const huge = 1e200
	odds := inside / (bins - inside)
	weight, total, hit := 1.0, 1.0, 0.0
	for t := 0.0; t < balls; t++ {
		weight *= (balls - t) / (t + 1) * odds
		throwInto(chain, inside)
		total += weight
		hit += weight * chain[d]
		if weight > huge {
			weight, total, hit = weight/huge, total/huge, hit/huge
		}
		// From here on the weights fall at least as fast as a geometric series.
		if ratio := (balls - t - 1) / (t + 2) * odds; ratio < 1 && weight*ratio <= 1e-17*hit*(1-ratio) {
			break
		}
	}
	return hit / total
}

// binomialTail is P(Binomial(balls, q) >= c), by the same relative weights.
func binomialTail(balls, q, c float64) float64 {
	switch {
	case c <= 0:
		return 1
	case c > balls:
		return 0
	case q >= 1:
		return 1
	}
	// Relative to the mode no weight overflows, and the sums run outwards
	// until a term no longer counts.
	mode := math.Floor((balls + 1) * q)
	odds := q / (1 - q)
	var below, above float64
	add := func(t, w float64) float64 {
		if t >= c {
			above += w
			return above
		}
		below += w
		return below
	}
	w := 1.0
	for t := mode; t >= 0; t-- {
		if sum := add(t, w); w < 1e-18*sum {
			break
		}
		w *= t / (balls - t + 1) / odds
	}
	w = 1
	for t := mode + 1; t <= balls; t++ {
		w *= (balls - t + 1) / t * odds
		if sum := add(t, w); w < 1e-18*sum && t >= c {
			break
		}
	}
	return above / (below + above)
}
