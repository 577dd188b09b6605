package ribbon

import (
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// eachKind runs a benchmark for both forms and all widths, at r = 8.
func eachKind(b *testing.B, run func(b *testing.B, p Params, n int)) {
	for _, n := range []int{10_000, 1_000_000} {
		for _, form := range []Form{Standard, Homogeneous} {
			for _, w := range []int{32, 64, 128} {
				p := Params{Width: w, Bits: 8, Form: form, Hash: hashing.XX(1)}
				b.Run(fmt.Sprintf("n=%d/form=%v/w=%d", n, form, w), func(b *testing.B) { run(b, p, n) })
			}
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	eachKind(b, func(b *testing.B, p Params, n int) {
		keys := hashesOf(0, n)
		var f *Filter
		for b.Loop() {
			var err error
			if f, err = New(keys, p); err != nil {
				b.Fatal(err)
			}
		}
		perKey := 1 / float64(n)
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)*perKey, "ns/key")
		b.ReportMetric(8*float64(f.SizeBytes())*perKey, "bits/key")
		b.ReportMetric(float64(f.RowAdditions())*perKey, "additions/key")
		b.ReportMetric(float64(f.Attempts()), "attempts")
	})
}

func BenchmarkHit(b *testing.B) {
	eachKind(b, func(b *testing.B, p Params, n int) {
		f := mustHashes(b, hashesOf(0, n), p)
		i, found, tries := 0, 0, 0
		for b.Loop() {
			if f.ContainsHash(hashOf(i)) {
				found++
			}
			tries++
			if i++; i == n {
				i = 0
			}
		}
		if found != tries {
			b.Fatal("a key is lost")
		}
	})
}

func BenchmarkMiss(b *testing.B) {
	eachKind(b, func(b *testing.B, p Params, n int) {
		f := mustHashes(b, hashesOf(0, n), p)
		i, found := 1<<30, 0
		for b.Loop() {
			if f.ContainsHash(hashOf(i)) {
				found++
			}
			i++
		}
		b.ReportMetric(float64(found)/float64(b.N), "found/op")
	})
}
