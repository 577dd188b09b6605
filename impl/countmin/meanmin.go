package countmin

import (
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// MeanMin estimates the weight of a numeric key by count-mean-min (Deng and
// Rafiei 2007): each row's counter less the mean of the row's others, and of that the
// median of the rows. A row alone is right on average, and may be too low; the
// median is less skewed than the minimum that Count takes, and of less error
// where most keys are light. It is meant for plain update without saturated
// counters: under conservative update rows add up to less than the total, and it
// is too low. In a table of one column nothing is known of any key, and the answer
// is 0.
func (s *Sketch) MeanMin(key uint64) float64 {
	return s.meanMin(func(h hashing.Hasher) uint64 { return h.Uint64(key) })
}

// MeanMinBytes is MeanMin for a byte string.
func (s *Sketch) MeanMinBytes(key []byte) float64 {
	return s.meanMin(func(h hashing.Hasher) uint64 { return h.Bytes(key) })
}

func (s *Sketch) meanMin(hashKey func(hashing.Hasher) uint64) float64 {
	if s.width == 1 {
		return 0
	}
	var room [MaxDepth]float64
	rows := room[:s.depth]
	if s.rows == Independent {
		for r := range rows {
			column := hashKey(s.hash.At(uint64(r))) % s.width
			rows[r] = float64(s.cell(uint64(r)*s.width + column))
		}
	} else if hash := hashKey(s.hash); s.narrow != nil {
		rowsOf(rows, s.narrow, s.width, s.span, hash)
	} else {
		rowsOf(rows, s.cells, s.width, s.span, hash)
	}
	slices.Sort(rows)
	middle := (rows[(s.depth-1)/2] + rows[s.depth/2]) / 2
	// Of a mean of two counters it is the mean: c - (N - c)/(w - 1) is linear in c.
	return middle - (float64(s.total)-middle)/float64(s.width-1)
}

// rowsOf sets rows to the counters of a key.
func rowsOf[T counter](rows []float64, cells []T, w, span, hash uint64) {
	n, r := uint64(len(cells)), 0
	for row := uint64(0); row < n; {
		hash += hashing.Gamma
		word := hashing.Mix(hash)
		for end := min(n, row+span); row < end; row += w {
			var column uint64
			column, word = bits.Mul64(word, w)
			rows[r] = float64(cells[row+column])
			r++
		}
	}
}
