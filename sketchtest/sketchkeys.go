package sketchtest

import (
	"math"
	"slices"

	"github.com/sketchproof/sketchproof/stats"
)

// pick lists what an effort asks for: all that less effort asks for, and more.
func pick[T any](e Effort, short, usual, long []T) []T {
	list := slices.Clone(short)
	if e >= Usual {
		list = append(list, usual...)
	}
	if e >= Long {
		list = append(list, long...)
	}
	return list
}

// observed is one observation as a reading, in parts of 10^9.
func observed(x float64, band stats.Band) Reading {
	const parts = 1e9
	return Reading{Num: int64(math.Round(x * parts)), Den: parts, Band: band}
}

// somewhere is where in a shape a trial begins, far enough from where others do that
// they are apart: a structure without a seed hashes the same keys alike.
func (k keys) somewhere() int { return int(part(uint64(k), 7) >> 40) }

// sketchShapes are the shapes of keys that sketches are asked about, of numbers and,
// where a sketch takes them, of byte strings. Random ones are asked about elsewhere.
func sketchShapes(e Effort, bytes bool) []shape {
	short := []string{"sequential", "high-word", "decimal", "bytes8-big-endian"}
	var shapes []shape
	for _, s := range slices.Concat(numberShapes, textShapes) {
		if s.name != randomShape.name && (s.text == nil || bytes) && (e >= Usual || slices.Contains(short, s.name)) {
			shapes = append(shapes, s)
		}
	}
	return shapes
}
