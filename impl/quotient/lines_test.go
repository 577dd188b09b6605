package quotient

import (
	"math/rand/v2"
	"testing"
)

// What lies in no line that Lines counts may be anything: the answer is the same.
func TestLookUpsReadTheLinesThatAreCounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, r := range []int{3, 8, 13, 30} {
		for _, load := range []float64{0.3, 0.95, 1} {
			f := build(t, 600, r, false)
			for key := uint64(0); f.Load() < load; key++ {
				_ = f.Add(key)
			}
			noise := f.Clone()
			sum := 0
			for key := range uint64(1200) {
				hash := f.params.Hash.Uint64(key)
				lines := f.table.walk(hash, nil)
				for i := range noise.table.data {
					noise.table.data[i] = byte(rng.Uint64())
				}
				for _, line := range lines {
					from := line * lineBytes
					to := min(from+lineBytes, uint64(len(f.table.data)))
					copy(noise.table.data[from:to], f.table.data[from:to])
				}
				if f.table.has(hash) != noise.table.has(hash) {
					t.Fatalf("r=%d load=%g key %d: another answer, with %d lines", r, load, key, len(lines))
				}
				if f.Lines(key) != len(lines) || len(lines) == 0 {
					t.Fatalf("%d lines and %d", f.Lines(key), len(lines))
				}
				sum += len(lines)
			}
			// Most look-ups read two lines or three, or the lines would say nothing.
			if sum > 4*1200 {
				t.Errorf("r=%d load=%g: %d lines in 1200 look-ups", r, load, sum)
			}
		}
	}
}
