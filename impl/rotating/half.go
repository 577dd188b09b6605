package rotating

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/sketchproof/sketchproof/impl/internal/probe"
)

// A half is one of the two Bloom filters. Its words are read and written by
// atomic operations only.
type half struct {
	words []uint64 // bit i is bit i%64 of word i/64; bits from m on are 0
	set   atomic.Uint64
}

func newHalf(m uint64) *half { return &half{words: make([]uint64, (m+63)/64)} }

// add sets the key's bits. Each bit is counted by the one who set it, and before
// add returns.
func (h *half) add(hash, m, k uint64) {
	var at, added uint64
	for range k {
		hash, at = probe.Next(hash, m)
		w, bit := &h.words[at/64], uint64(1)<<(at%64)
		if atomic.LoadUint64(w)&bit == 0 && atomic.OrUint64(w, bit)&bit == 0 {
			added++
		}
	}
	h.set.Add(added)
}

// contains looks at three bits before it branches, as impl/bloom does.
func (h *half) contains(hash, m, k uint64) bool {
	words := h.words
	for ; k >= 3; k -= 3 {
		h1, p1 := probe.Next(hash, m)
		h2, p2 := probe.Next(h1, m)
		h3, p3 := probe.Next(h2, m)
		hash = h3
		w1, w2, w3 := atomic.LoadUint64(&words[p1/64]), atomic.LoadUint64(&words[p2/64]), atomic.LoadUint64(&words[p3/64])
		if w1>>(p1%64)&(w2>>(p2%64))&(w3>>(p3%64))&1 == 0 {
			return false
		}
	}
	for ; k > 0; k-- {
		var at uint64
		hash, at = probe.Next(hash, m)
		if atomic.LoadUint64(&words[at/64])>>(at%64)&1 == 0 {
			return false
		}
	}
	return true
}

// bits is a copy of the words. Bits that are being set may be in it or not.
func (h *half) bits() []uint64 {
	if h == nil {
		return nil
	}
	out := make([]uint64, len(h.words))
	for i := range out {
		out[i] = atomic.LoadUint64(&h.words[i])
	}
	return out
}

// equal reports whether two halves, or none, hold the same bits.
func (h *half) equal(other *half) bool {
	return (h == nil) == (other == nil) && slices.Equal(h.bits(), other.bits())
}

// rate is the false-positive rate as the bits show it.
func (h *half) rate(m, k uint64) float64 {
	if h == nil {
		return 0
	}
	return math.Pow(float64(h.set.Load())/float64(m), float64(k))
}
