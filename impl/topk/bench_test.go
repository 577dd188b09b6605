package topk

import (
	"math/rand/v2"
	"testing"

	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/impl/countmin"
)

// words is the King James Bible, word by word.
func words() [][]byte {
	list := make([][]byte, 0, 789684)
	for _, word := range data.KJVWords() {
		list = append(list, []byte(word))
	}
	return list
}

type adder interface {
	Add(key, weight uint64)
	AddBytes(key []byte, weight uint64)
}

// Each structure takes the words of the book; ns/op is per word.
func BenchmarkWords(b *testing.B) {
	stream := words()
	for name, s := range structures(b, 1000) {
		b.Run(name, func(b *testing.B) {
			for i, at := 0, 0; i < b.N; i, at = i+1, at+1 {
				if at == len(stream) {
					at = 0
				}
				s.AddBytes(stream[at], 1)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "words/s")
		})
	}
}

// Keys that never came before: every event takes over a counter.
func BenchmarkNewKeys(b *testing.B) {
	for name, s := range structures(b, 1000) {
		b.Run(name, func(b *testing.B) {
			for i := range uint64(b.N) {
				s.Add(i, 1)
			}
		})
	}
}

// Weights spread the counters over as many buckets as there are counters.
func BenchmarkWeights(b *testing.B) {
	events := make([]event, 1<<16)
	r := rand.New(rand.NewPCG(1, 0))
	for i := range events {
		f := r.Float64()
		events[i] = event{uint64(f * f * f * 20000), r.Uint64N(1 << 30)}
	}
	for name, s := range structures(b, 1000) {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				e := events[i&(len(events)-1)]
				s.Add(e.key, e.weight)
			}
		})
	}
}

func structures(b *testing.B, k int) map[string]adder {
	b.Helper()
	cm, err := NewCountMin(CountMinParams{k, countmin.Params{Width: 2719, Depth: 5, Hash: hash}})
	if err != nil {
		b.Fatal(err)
	}
	return map[string]adder{"space-saving": mustSpaceSaving(b, k, nil), "misra-gries": mustMisraGries(b, k, nil), "countmin": cm}
}
