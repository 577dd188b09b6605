package countsketch

import (
	"math"
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Add adds weight to a numeric key. A weight of 0 changes nothing, and one of
// math.MinInt64 counts as its successor.
func (s *Sketch) Add(key uint64, weight int64) { s.AddHash(s.hash.Uint64(key), weight) }

// AddBytes adds weight to a byte string, which it does not keep.
func (s *Sketch) AddBytes(key []byte, weight int64) { s.AddHash(s.hash.Bytes(key), weight) }

// AddHash adds weight to the key behind a well-mixed 64-bit hash, which takes
// the place of the sketch's own hash.
func (s *Sketch) AddHash(hash uint64, weight int64) {
	weight = max(weight, -math.MaxInt64)
	s.total = min(s.total+uint64(max(weight, -weight)), math.MaxInt64)
	if s.Saturated() {
		s.each(hash, func(c *int64, sign int64) { *c = plus(*c, sign*weight) })
		return
	}
	w, cells := s.width, s.cells
	n := uint64(len(cells))
	for row := uint64(0); row < n; {
		hash += hashing.Gamma
		word := hashing.Mix(hash)
		for end := min(n, row+s.span); row < end; row += w {
			var place uint64
			place, word = bits.Mul64(word, 2*w)
			flip := -int64(place & 1)
			cells[row+place>>1] += (weight ^ flip) - flip
		}
	}
}

// Count estimates the weight of a numeric key, by the median of the rows. It may
// be to either side of the truth, and below zero where no weight was.
func (s *Sketch) Count(key uint64) int64 { return s.CountHash(s.hash.Uint64(key)) }

// CountBytes is Count for a byte string.
func (s *Sketch) CountBytes(key []byte) int64 { return s.CountHash(s.hash.Bytes(key)) }

// CountHash is Count for a key that was added by AddHash.
func (s *Sketch) CountHash(hash uint64) int64 {
	var room [MaxDepth]int64
	return median(s.appendRows(room[:0], hash))
}

// Rows returns the estimate of each row for a numeric key.
func (s *Sketch) Rows(key uint64) []int64 {
	return s.appendRows(make([]int64, 0, s.depth), s.hash.Uint64(key))
}

func (s *Sketch) appendRows(rows []int64, hash uint64) []int64 {
	w, cells := s.width, s.cells
	n := uint64(len(cells))
	for row := uint64(0); row < n; {
		hash += hashing.Gamma
		word := hashing.Mix(hash)
		for end := min(n, row+s.span); row < end; row += w {
			var place uint64
			place, word = bits.Mul64(word, 2*w)
			flip := -int64(place & 1)
			rows = append(rows, (cells[row+place>>1]^flip)-flip)
		}
	}
	return rows
}

// each calls change for the counters of a key.
func (s *Sketch) each(hash uint64, change func(c *int64, sign int64)) {
	n := uint64(len(s.cells))
	for row := uint64(0); row < n; {
		hash += hashing.Gamma
		word := hashing.Mix(hash)
		for end := min(n, row+s.span); row < end; row += s.width {
			var place uint64
			place, word = bits.Mul64(word, 2*s.width)
			change(&s.cells[row+place>>1], 1-2*int64(place&1))
		}
	}
}

// SecondMoment estimates F2, the sum of the squared weights of all keys: each row
// of counters squared is F2 on average, and the estimate is the median of the
// rows (Alon, Matias, Szegedy 1996; Thorup and Zhang 2004 in this form).
func (s *Sketch) SecondMoment() float64 {
	var rows [MaxDepth]float64
	for i := range s.depth {
		for _, c := range s.cells[i*s.width : (i+1)*s.width] {
			rows[i] += float64(c) * float64(c)
		}
	}
	return median(rows[:s.depth])
}

// median sorts an odd number of values; few, so by insertion.
func median[T int64 | float64](values []T) T {
	if len(values) > 16 {
		slices.Sort(values)
		return values[len(values)/2]
	}
	for i := 1; i < len(values); i++ {
		v, j := values[i], i
		for ; j > 0 && values[j-1] > v; j-- {
			values[j] = values[j-1]
		}
		values[j] = v
	}
	return values[len(values)/2]
}
