package probe_test

import (
	"testing"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/probe"
)

func TestProbesAreThoseOfBloom(t *testing.T) {
	for _, m := range []uint64{1, 2, 63, 64, 9585, 1 << 20} {
		f, err := bloom.New(bloom.Params{M: m, K: 20, Hash: hashing.XX(0)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(100) {
			hash := hashing.Mix(i)
			next := hash
			for j, want := range f.PositionsHash(hash) {
				var at uint64
				if next, at = probe.Next(next, f.M()); at != want {
					t.Fatalf("m=%d, hash %x: probe %d is %d, want %d", f.M(), hash, j, at, want)
				}
			}
		}
	}
}
