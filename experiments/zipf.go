package experiments

import (
	"math"
	"math/bits"
)

// A zipf draws ranks 0 to n-1, rank i with a probability in proportion to
// (i+1)^-s, for any s >= 0: by the alias method (Walker 1977; Vose 1991), since
// math/rand/v2 serves s > 1 alone. Its draws are a function of 64 random bits
// each.
type zipf struct {
	keep  []uint64 // rank i is kept when the fraction drawn is below keep[i]/2^64
	alias []int
}

// zipfWeights are the probabilities of n ranks.
func zipfWeights(n int, s float64) []float64 {
	w := make([]float64, n)
	sum := 0.0
	for i := n - 1; i >= 0; i-- { // the small ones first
		w[i] = math.Pow(float64(i+1), -s)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// newZipf makes one of n ranks, n from 1.
func newZipf(n int, s float64) *zipf {
	z := &zipf{make([]uint64, n), make([]int, n)}
	w := zipfWeights(n, s)
	var small, large []int
	for i := range w {
		w[i] *= float64(n)
		if w[i] < 1 {
			small = append(small, i)
		} else {
			large = append(large, i)
		}
	}
	for len(small) > 0 && len(large) > 0 {
		i, j := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		z.keep[i], z.alias[i] = uint64(w[i]*0x1p64), j // w[i] < 1
		if w[j] -= 1 - w[i]; w[j] < 1 {
			large = large[:len(large)-1]
			small = append(small, j)
		}
	}
	for _, i := range append(small, large...) { // 1, but for rounding
		z.keep[i], z.alias[i] = math.MaxUint64, i
	}
	return z
}

// rank turns 64 random bits into a rank: the column from the leading part, the
// choice in it from what the multiplication leaves over.
func (z *zipf) rank(random uint64) int {
	column, fraction := bits.Mul64(random, uint64(len(z.keep)))
	if fraction < z.keep[column] {
		return int(column)
	}
	return z.alias[column]
}

// stream draws n ranks and how often each came.
func (z *zipf) stream(draw keys, n int) (ranks []int, counts []uint64) {
	ranks, counts = make([]int, n), make([]uint64, len(z.keep))
	for i := range ranks {
		ranks[i] = z.rank(draw.at(i))
		counts[ranks[i]]++
	}
	return ranks, counts
}
