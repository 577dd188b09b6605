package ribbon

import (
	"math/bits"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Two hashes with one start and one equation, and another result, defeat an
// attempt. Who knows the code can make such a pair for each of many attempts; the
// filter then grows, but no more than its rule says.
func TestForgedHashesCostLittleRoom(t *testing.T) {
	const n, defeated = 2000, 12
	inverse := uint64(remix) // of an odd number, by Newton's iteration
	for range 6 {
		inverse *= 2 - remix*inverse
	}
	p := Params{Width: 32, Bits: 8, Hash: hashing.XX(0)}
	var hashes []uint64
	for attempt := 1; attempt <= defeated; attempt++ {
		more := 0.0
		if attempt > 2 {
			more = 0.01 * float64(uint64(1)<<min(attempt-2, 7))
		}
		s := p.shapeFor(n, more)
		start := uint64(s.starts / 2)
		low, _ := bits.Div64(start, s.starts-1, s.starts)
		seen := map[uint64]uint64{}
		for i := uint64(1); ; i++ {
			h := low + hashing.Mix(i)%(1<<63/s.starts)
			if hashing.Reduce(h, s.starts) != start {
				continue
			}
			equation := fold(h, first)&maskOf(32) | 1
			if g, ok := seen[equation]; ok && resultOf(g)&255 != resultOf(h)&255 {
				hashes = append(hashes, h*inverse^saltOf(attempt), g*inverse^saltOf(attempt))
				break
			}
			seen[equation] = h
		}
	}
	for i := uint64(0); len(hashes) < n; i++ {
		hashes = append(hashes, hashing.Mix(i+1e9))
	}
	f, err := NewFromHashes(hashes, p)
	if err != nil {
		t.Fatal(err)
	}
	if f.Attempts() <= defeated {
		t.Fatalf("%d attempts: the pairs defeat none", f.Attempts())
	}
	// 128 % more rows than the rule's, of a byte each.
	if f.SizeBytes() > 3*n {
		t.Errorf("%d bytes for %d keys", f.SizeBytes(), n)
	}
	for _, h := range hashes {
		if !f.ContainsHash(h) {
			t.Fatal("a key is lost")
		}
	}
}
