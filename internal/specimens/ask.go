package specimens

import (
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
)

// What structures are built for: middling values that every library takes.
const (
	filterRate = 0.01
	precision  = 14
	kept       = 64 // counters, or values of a signature
)

// refusal stands for an answer that is an error.
const refusal = math.MaxUint64

var nodes = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}

func askFilter(f sketchproof.Filter, in Input, _ uint64) Answers {
	distinct, _ := in.times()
	a := Answers{Held: len(distinct), Values: make([]uint64, len(in.Absent))}
	for _, key := range distinct {
		if !f.Contains(key) {
			a.Lost++
		}
	}
	for i, key := range in.Absent {
		if f.Contains(key) {
			a.Values[i] = 1
		}
	}
	return a
}

// askForgetful asks a filter that loses keys by design: which of them it has lost
// is an answer as another.
func askForgetful(f sketchproof.Filter, in Input, seed uint64) Answers {
	a := askFilter(f, in, seed)
	a.Values = append(a.Values, uint64(a.Lost))
	a.Lost = 0
	return a
}

func askCardinality(c sketchproof.Cardinality, _ Input, _ uint64) Answers {
	return Answers{Values: []uint64{math.Float64bits(c.Estimate())}}
}

func askFrequency(f sketchproof.Frequency, in Input, _ uint64) Answers {
	distinct, often := in.times()
	a := Answers{Held: len(distinct)}
	for _, key := range distinct {
		count := f.Count(key)
		if count < often[key] {
			a.Lost++
		}
		a.Values = append(a.Values, count)
	}
	for _, key := range in.Absent {
		a.Values = append(a.Values, f.Count(key))
	}
	return a
}

func askTop(t sketchproof.TopK, _ Input, _ uint64) Answers {
	var a Answers
	for _, h := range t.Top(kept) {
		a.Values = append(a.Values, h.Key, h.Count, h.Over)
	}
	return a
}

func askPlacer(p sketchproof.Placer, in Input, _ uint64) Answers {
	var a Answers
	for _, key := range slices.Concat(in.Keys, in.Absent) {
		owner, err := p.Owner(key)
		if err != nil {
			a.Lost++
		}
		a.Values = append(a.Values, uint64(slices.Index(nodes, owner)+1))
	}
	a.Held = len(a.Values)
	return a
}
