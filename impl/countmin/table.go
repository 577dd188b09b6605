package countmin

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A counter is one of a table's.
type counter interface{ uint32 | uint64 }

// narrowed is a number cut off at the largest counter.
func narrowed[T counter](x uint64) T { return T(min(x, uint64(^T(0)))) }

// addSaturating adds and stops at the largest counter.
func addSaturating[T counter](a, b T) T {
	sum := a + b
	if sum < a {
		return ^T(0)
	}
	return sum
}

// addTable adds weight to the table of a sketch with derived rows.
func addTable[T counter](s *Sketch, cells []T, hash, weight uint64) {
	room, w := s.addTotal(weight), narrowed[T](weight)
	switch {
	case s.conservative:
		// No counter of the key need exceed the old estimate plus the weight (Estan
		// and Varghese 2002).
		level := addSaturating(leastOf(cells, s.width, s.span, hash), w)
		each(cells, s.width, s.span, hash, func(c T) T { return max(c, level) })
	case room:
		addTo(cells, s.width, s.span, hash, w)
	default:
		each(cells, s.width, s.span, hash, func(c T) T { return addSaturating(c, w) })
	}
}

// addTo is the hot loop. A row costs one multiplication: at 5 rows of 2719
// counters a splitmix64 number for each row takes 1.6 times as long.
func addTo[T counter](cells []T, w, span, hash uint64, weight T) {
	n := uint64(len(cells))
	for row := uint64(0); row < n; {
		hash += hashing.Gamma
		word := hashing.Mix(hash)
		for end := min(n, row+span); row < end; row += w {
			var column uint64
			column, word = bits.Mul64(word, w)
			cells[row+column] += weight
		}
	}
}

// leastOf is the least counter of a key.
func leastOf[T counter](cells []T, w, span, hash uint64) T {
	n, least := uint64(len(cells)), ^T(0)
	for row := uint64(0); row < n; {
		hash += hashing.Gamma
		word := hashing.Mix(hash)
		for end := min(n, row+span); row < end; row += w {
			var column uint64
			column, word = bits.Mul64(word, w)
			least = min(least, cells[row+column])
		}
	}
	return least
}

// each replaces the counters of a key.
func each[T counter](cells []T, w, span, hash uint64, change func(T) T) {
	n := uint64(len(cells))
	for row := uint64(0); row < n; {
		hash += hashing.Gamma
		word := hashing.Mix(hash)
		for end := min(n, row+span); row < end; row += w {
			var column uint64
			column, word = bits.Mul64(word, w)
			cells[row+column] = change(cells[row+column])
		}
	}
}
