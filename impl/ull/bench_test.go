package ull

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
)

// filled is a sketch of precision 14 that has seen 10^6 keys.
func filled(b *testing.B) *Sketch {
	s := build(b, 14)
	for k := range uint64(1_000_000) {
		s.Add(k)
	}
	return s
}

// BenchmarkAddHash takes new keys, beside those of HyperLogLog.
func BenchmarkAddHash(b *testing.B) {
	const step = 6364136223846793005 // high bits are mixed enough
	b.Run("of=ull", func(b *testing.B) {
		s, h := filled(b), uint64(1)
		for b.Loop() {
			h = h*step + hashing.Gamma
			s.AddHash(h)
		}
	})
	b.Run("of=hll", func(b *testing.B) {
		s, err := hll.New(hll.Params{Precision: 14, Hash: hashing.XX(5)})
		if err != nil {
			b.Fatal(err)
		}
		for k := range uint64(1_000_000) {
			s.Add(k)
		}
		h := uint64(1)
		for b.Loop() {
			h = h*step + hashing.Gamma
			s.AddHash(h)
		}
	})
	b.Run("of=martingale", func(b *testing.B) {
		s, err := NewMartingale(Params{Precision: 14, Hash: hashing.XX(5)})
		if err != nil {
			b.Fatal(err)
		}
		h := uint64(1)
		for b.Loop() {
			h = h*step + hashing.Gamma
			s.AddHash(h)
		}
	})
	b.Run("of=ull-batch", func(b *testing.B) {
		s, h := filled(b), uint64(1)
		hashes := make([]uint64, 256)
		for b.Loop() {
			for i := range hashes {
				h = h*step + hashing.Gamma
				hashes[i] = h
			}
			if _, err := s.AddHashBatch(hashes); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/key")
	})
}

func BenchmarkEstimate(b *testing.B) {
	s := filled(b)
	for b.Loop() {
		if s.Estimate() < 900_000 {
			b.Fatal("wrong estimate")
		}
	}
}

func BenchmarkMerge(b *testing.B) {
	s, other := filled(b), filled(b)
	for b.Loop() {
		if err := s.Merge(other); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFill fills a new sketch with 10^6 keys, beside one of HyperLogLog.
func BenchmarkFill(b *testing.B) {
	hashes := make([]uint64, 1_000_000)
	for i := range hashes {
		hashes[i] = hashing.Mix(uint64(i) * hashing.Gamma)
	}
	fill := func(b *testing.B, s interface {
		AddHash(uint64)
		Reset()
	},
	) {
		for b.Loop() {
			s.Reset()
			for _, h := range hashes {
				s.AddHash(h)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(hashes)), "ns/key")
	}
	b.Run("of=ull", func(b *testing.B) { fill(b, build(b, 14)) })
	b.Run("of=hll", func(b *testing.B) {
		s, err := hll.New(hll.Params{Precision: 14, Hash: hashing.XX(5)})
		if err != nil {
			b.Fatal(err)
		}
		fill(b, s)
	})
}
