package minhash

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// kFunctions is the form to beat: the same minima by k full hash functions, as it
// is usually written.
type kFunctions struct {
	common
	values []uint64
}

func (s kFunctions) Add(key uint64) {
	h := s.Params().Hash
	for i := range s.values {
		s.values[i] = min(s.values[i], h.At(uint64(i)).Uint64(key))
	}
}

func benchForms(b *testing.B, run func(b *testing.B, s common)) {
	for _, k := range []int{128, 1024} {
		for _, f := range forms() {
			b.Run(fmt.Sprintf("form=%s/k=%d", f.name, k), func(b *testing.B) {
				s := f.of(b, k)
				s.AddBatch(numbers(1<<40, 1<<40+100_000))
				run(b, s)
			})
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	benchForms(b, func(b *testing.B, s common) {
		key := uint64(1)
		for b.Loop() {
			key++
			s.Add(key)
		}
	})
	s := kFunctions{forms()[0].of(b, 128), filled(128)}
	b.Run("form=k-hashes/k=128", func(b *testing.B) {
		key := uint64(1)
		for b.Loop() {
			key++
			s.Add(key)
		}
	})
}

func BenchmarkAddBatch(b *testing.B) {
	keys := numbers(1, 1025)
	benchForms(b, func(b *testing.B, s common) {
		for b.Loop() {
			s.AddBatch(keys)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(keys)), "ns/key")
	})
}

func BenchmarkSimilarity(b *testing.B) {
	benchForms(b, func(b *testing.B, s common) {
		for b.Loop() {
			if j, err := s.Similarity(s); err != nil || j != 1 {
				b.Fatal(j, err)
			}
		}
	})
	s := must(New(Params{1024, hashing.XX(7)}))
	s.AddBatch(numbers(0, 1000))
	for _, bits := range []int{1, 2, 8} {
		c := must(s.Compress(bits))
		b.Run(fmt.Sprintf("form=compressed/b=%d/k=1024", bits), func(b *testing.B) {
			for b.Loop() {
				if n, err := c.Matches(c); err != nil || n != 1024 {
					b.Fatal(n, err)
				}
			}
		})
	}
}

// BenchmarkBottomKFill builds from nothing, where most hashes enter.
func BenchmarkBottomKFill(b *testing.B) {
	for _, k := range []int{256, 1024, 2048, 4096, 16384} {
		hashes := make([]uint64, 2*k)
		for i := range hashes {
			hashes[i] = hashing.Mix(uint64(i+1) * hashing.Gamma)
		}
		s := must(NewBottomK(Params{k, hashing.XX(7)}))
		b.Run(fmt.Sprintf("one by one/k=%d", k), func(b *testing.B) {
			for b.Loop() {
				s.Reset()
				for _, h := range hashes {
					s.AddHash(h)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(hashes)), "ns/key")
		})
		b.Run(fmt.Sprintf("merged/k=%d", k), func(b *testing.B) {
			for b.Loop() {
				s.Reset()
				s.addSorted(hashes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(hashes)), "ns/key")
		})
	}
}
