package events

import (
	"math"
	"testing"
)

// TestMinusLog: math.Log errs by less than one unit in the last place, minusLog by
// at most two, since it rounds thrice at the size of its result.
func TestMinusLog(t *testing.T) {
	check := func(x uint64) {
		u := (float64(x) + 0.5) * 0x1p-52
		want := -math.Log(u)
		if got := minusLog(u); !(math.Abs(got-want) <= 3*0x1p-52*want) {
			t.Fatalf("minusLog(%v) = %v, want %v", u, got, want)
		}
	}
	const end = 1 << 52
	for i := range uint64(52) {
		for d := range uint64(100) { // about every power of two, from 0 and from 1
			check(1<<i - 1 + d)
			check(end - 1 - (1<<i-1+d)%end)
		}
	}
	for i := range uint64(1 << nearbyBits) { // about every range, in two octaves
		x := uint64(leastBits) + i<<(52-nearbyBits)
		for d := range uint64(8) {
			for _, u := range []float64{math.Float64frombits(x + d - 4), math.Float64frombits(x+d-4) / 8} {
				if u < 1 {
					check(uint64(u * end))
				}
			}
		}
	}
	s := Records(4, 1)
	for range 1_000_000 {
		check(s.random() >> 12)
	}
}

func BenchmarkExponential(b *testing.B) {
	for _, log := range []struct {
		name string
		of   func(float64) float64
	}{{"log=own", minusLog}, {"log=math", func(u float64) float64 { return -math.Log(u) }}} {
		b.Run(log.name, func(b *testing.B) {
			s, sum := Records(4, 1), 0.
			for b.Loop() {
				sum += log.of((float64(s.random()>>12) + 0.5) * 0x1p-52)
			}
			if !(sum > 0) {
				b.Error("no sum")
			}
		})
	}
}
