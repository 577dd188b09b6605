package experiments

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/counting"
)

// printedBloom is a Bloom filter under the document's hash.
func printedBloom(m, k uint64) (*bloom.Filter, error) {
	hash, err := printedHash(0)
	if err != nil {
		return nil, err
	}
	return bloom.New(bloom.Params{M: m, K: k, Scheme: bloom.Independent, Hash: hash})
}

func addWords(f sketchproof.BytesAdder, words ...string) error {
	for _, w := range words {
		if err := f.AddBytes([]byte(w)); err != nil {
			return err
		}
	}
	return nil
}

// containsWords is what a filter answers about words.
func containsWords(f sketchproof.BytesFilter, words ...string) map[string]bool {
	found := map[string]bool{}
	for _, w := range words {
		found[w] = f.ContainsBytes([]byte(w))
	}
	return found
}

// bitString is the filter's bits as text, bit 0 first.
func bitString(f *bloom.Filter) string {
	bits := make([]byte, f.M())
	for i := range bits {
		bits[i] = '0'
		if f.Bit(uint64(i)) {
			bits[i] = '1'
		}
	}
	return string(bits)
}

func replayBloom16() (map[string]any, error) {
	f, err := printedBloom(16, 2)
	if err != nil {
		return nil, err
	}
	added := map[string][]uint64{}
	for _, w := range []string{"cat", "dog", "emu"} {
		added[w] = f.PositionsBytes([]byte(w))
		if err := addWords(f, w); err != nil {
			return nil, err
		}
	}
	query := map[string][]any{}
	for _, w := range []string{"cat", "ant", "bee"} {
		query[w] = []any{f.PositionsBytes([]byte(w)), f.ContainsBytes([]byte(w))}
	}
	return map[string]any{"m": f.M(), "k": f.K(), "add": added, "bits": bitString(f), "query": query}, nil
}

// replayBloomMeasured looks 1000 added and 10 000 absent keys up in each filter.
// The last one has the size that the document's rule gives for 1 %.
func replayBloomMeasured() (map[string]any, error) {
	const n, absent = 1000, 10000
	m, k, err := bloom.Size(n, 0.01, bloom.Nearest)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, p := range [][2]uint64{{10000, 1}, {10000, 3}, {10000, 7}, {10000, 12}, {5000, 3}, {m, k}} {
		f, err := printedBloom(p[0], p[1])
		if err != nil {
			return nil, err
		}
		for i := range n {
			if err := addWords(f, fmt.Sprint("in", i)); err != nil {
				return nil, err
			}
		}
		missed, found := 0, 0
		for i := range n {
			if !f.ContainsBytes(fmt.Append(nil, "in", i)) {
				missed++
			}
		}
		for i := range absent {
			if f.ContainsBytes(fmt.Append(nil, "out", i)) {
				found++
			}
		}
		predicted := decimals(bloom.FPRClassic(f.M(), f.K(), n), 4)
		rows = append(rows, []any{n, f.M(), f.K(), missed, float64(found) / absent, predicted})
	}
	return map[string]any{"rows": rows}, nil
}

func replayBloomSizes() (map[string]any, error) {
	var rows [][]any
	for _, p := range []struct {
		n    uint64
		rate float64
	}{{1000, 0.1}, {1000, 0.01}, {1000, 0.001}, {1000000, 0.01}} {
		m, k, err := bloom.Size(p.n, p.rate, bloom.Nearest)
		if err != nil {
			return nil, err
		}
		bits := decimals(float64(m)/float64(p.n), 2)
		rows = append(rows, []any{p.n, p.rate, m, k, bits, decimals(bloom.FPRClassic(m, k, p.n), 4)})
	}
	return map[string]any{"rows": rows}, nil
}

// decimals rounds to some digits after the point, as the programs print it.
func decimals(v float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}

// replayNaiveDelete clears the bits of a word. No filter of ours does that, so it
// is done to a copy of the bits.
func replayNaiveDelete() (map[string]any, error) {
	f, err := printedBloom(16, 2)
	if err != nil {
		return nil, err
	}
	words := []string{"cat", "dog", "emu", "bee"}
	if err := addWords(f, words...); err != nil {
		return nil, err
	}
	bits := f.Words()[0] // 16 bits fit one word
	for _, p := range f.PositionsBytes([]byte("cat")) {
		bits &^= 1 << p
	}
	contains := map[string]bool{}
	for _, w := range words {
		contains[w] = true
		for _, p := range f.PositionsBytes([]byte(w)) {
			contains[w] = contains[w] && bits>>p&1 == 1
		}
	}
	return map[string]any{"contains": contains}, nil
}

func replayCounting16() (map[string]any, error) {
	hash, err := printedHash(0)
	if err != nil {
		return nil, err
	}
	f, err := counting.New(counting.Params{Cells: 16, Hashes: 2, CellBits: 4, Scheme: counting.Independent, Hash: hash})
	if err != nil {
		return nil, err
	}
	words := []string{"cat", "dog", "emu", "bee"}
	if err := addWords(f, words...); err != nil {
		return nil, err
	}
	if err := f.RemoveBytes([]byte("cat")); err != nil {
		return nil, err
	}
	cells := make([]int, f.Cells())
	for i := range cells {
		cells[i] = f.Cell(i)
	}
	return map[string]any{"cells": cells, "contains": containsWords(f, words...)}, nil
}
