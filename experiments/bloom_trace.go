package experiments

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
)

// A drawnWord is a word of a drawing: the bits it was given, and what is drawn
// after it: the bits of the filter for an insertion, the answer for a query.
type drawnWord struct {
	positions []uint64
	bits      string
	found     bool
}

// A drawing is a small filter traced by hand.
type drawing struct {
	name, source string
	m, k         uint64
	added, asked []drawnWord
}

var drawings = []drawing{
	{
		name: "alice", source: "Bloom Filters & Probabilistic Data Structures", m: 16, k: 3,
		added: []drawnWord{
			{positions: []uint64{2, 7, 13}, bits: "0010000100000100"}, // alice
			{positions: []uint64{4, 7, 11}, bits: "0010100100010100"}, // bob
		},
		asked: []drawnWord{
			{positions: []uint64{2, 7, 13}, found: true}, // alice
			{positions: []uint64{1, 5, 9}, found: false}, // charlie
			{positions: []uint64{2, 4, 11}, found: true}, // dave
		},
	},
	{
		name: "apple", source: "Bloom Filter", m: 16, k: 3,
		added: []drawnWord{
			{positions: []uint64{2, 5, 11}, bits: "0010010000010000"}, // apple
			{positions: []uint64{5, 7, 12}, bits: "0010010100011000"}, // banana
		},
		asked: []drawnWord{
			{positions: []uint64{2, 5, 11}, found: true},  // apple
			{positions: []uint64{2, 7, 12}, found: true},  // cherry
			{positions: []uint64{0, 5, 11}, found: false}, // date
		},
	},
	{
		name: "cherry", source: "Bloom Filters & Counting Filters", m: 8, k: 2,
		added: []drawnWord{
			{positions: []uint64{2, 5}, bits: "00100100"}, // apple
			{positions: []uint64{5, 7}, bits: "00100101"}, // banana
		},
		asked: []drawnWord{
			{positions: []uint64{2, 5}, found: true}, // apple
			// The document gives cherry its first position only: 1, which is 0.
			{positions: []uint64{1, 0}, found: false},
			{positions: []uint64{2, 7}, found: true}, // grape
		},
	},
}

var bloomTrace = engine.Experiment{
	Name:     "bloom/trace",
	Question: "Do the small filters that are traced by hand behave as drawn?",
	Claims: []engine.Claim{{
		Text:   "the bits after each insertion and the answer to each query, as drawn",
		Source: "Bloom Filters & Probabilistic Data Structures; Bloom Filter; Bloom Filters & Counting Filters",
		Metric: sameFigure.Name, Law: sameFigure.Law,
	}},
	Method: "The documents give the positions of each word. For each word a hash is searched that our filter takes to these very positions, and " +
		"that hash is added and looked up. The fourth drawing, of cat, dog and emu, has a hash of its own: see replay.",
	Plan: func(engine.Scale) []engine.Cell {
		cells := make([]engine.Cell, len(drawings))
		for i, d := range drawings {
			cells[i] = engine.Cell{
				Labels:  record.L("subject", "bloom", "drawing", d.name, "m", d.m, "k", d.k),
				Metrics: []engine.Metric{sameFigure},
				Trials:  1,
				Cost:    engine.Cost{Seconds: 0.01},
				Run:     d.trace,
			}
		}
		return cells
	},
}

// trace counts the drawn bits and answers that differ.
func (d drawing) trace(t *engine.T) error {
	f, err := bloom.New(bloom.Params{M: d.m, K: d.k, Hash: hashing.XX(0)})
	if err != nil {
		return err
	}
	var mismatches, compared int64
	compare := func(ours, drawn bool) {
		compared++
		if ours != drawn {
			mismatches++
		}
	}
	for _, w := range d.added {
		hash, err := hashFor(f, w.positions)
		if err != nil {
			return err
		}
		if err := f.AddHash(hash); err != nil {
			return err
		}
		for i, drawn := range w.bits {
			compare(f.Bit(uint64(i)), drawn == '1')
		}
	}
	for _, w := range d.asked {
		hash, err := hashFor(f, w.positions)
		if err != nil {
			return err
		}
		compare(f.ContainsHash(hash), w.found)
	}
	t.Read(sameFigure, mismatches, compared, never)
	return nil
}

// hashFor finds a hash that the filter takes to the positions, in their order.
// One in m^k does: 4096 for the largest drawing.
func hashFor(f *bloom.Filter, positions []uint64) (uint64, error) {
	const enough = 1 << 18
	for i := range uint64(enough) {
		if hash := hashing.Mix(i); slices.Equal(f.PositionsHash(hash), positions) {
			return hash, nil
		}
	}
	return 0, fmt.Errorf("none of %d hashes has the positions %v", enough, positions)
}
