package countmin

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// The table of e/0.001 columns and 5 rows, with keys that never come back.
func benchSketch(b *testing.B, conservative bool) *Sketch {
	b.Helper()
	s, err := New(Params{Width: 2719, Depth: 5, Conservative: conservative, Hash: hashing.XX(1)})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkAdd(b *testing.B) {
	s := benchSketch(b, false)
	for i := range uint64(b.N) {
		s.Add(i*hashing.Gamma, 1)
	}
	if s.Total() != uint64(b.N) {
		b.Fatal("lost an event")
	}
}

func BenchmarkAddConservative(b *testing.B) {
	s := benchSketch(b, true)
	for i := range uint64(b.N) {
		s.Add(i*hashing.Gamma, 1)
	}
	if s.Total() != uint64(b.N) {
		b.Fatal("lost an event")
	}
}

func BenchmarkCount(b *testing.B) {
	s := benchSketch(b, false)
	for i := range uint64(100_000) {
		s.Add(i*hashing.Gamma, 1)
	}
	sum := uint64(0)
	for i := range uint64(b.N) {
		sum += s.Count(i * hashing.Gamma)
	}
	if sum < uint64(b.N) && b.N <= 100_000 {
		b.Fatal("an estimate is below the truth")
	}
}

// Batches of 1024 keys; ns/op is per key.
func BenchmarkAddBatch(b *testing.B) {
	s, keys := benchSketch(b, false), benchKeys()
	for i := 0; i < b.N; i += len(keys) {
		s.AddBatch(keys, 1)
	}
	if s.Total() < uint64(b.N) {
		b.Fatal("lost an event")
	}
}

func BenchmarkCountBatch(b *testing.B) {
	s, keys := benchSketch(b, false), benchKeys()
	s.AddBatch(keys, 1)
	counts := make([]uint64, len(keys))
	for i := 0; i < b.N; i += len(keys) {
		s.CountBatch(keys, counts)
	}
	if counts[0] == 0 {
		b.Fatal("an estimate is below the truth")
	}
}

func benchKeys() []uint64 {
	keys := make([]uint64, 1024)
	for i := range keys {
		keys[i] = uint64(i) * hashing.Gamma
	}
	return keys
}
