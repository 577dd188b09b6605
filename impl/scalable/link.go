package scalable

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/internal/probe"
)

// A link is a Bloom filter that counts its set bits as it goes, and knows how
// many it may have.
type link struct {
	capacity uint64   // the keys it was sized for
	rate     float64  // and the rate
	words    []uint64 // bit i is bit i%64 of word i/64; bits from m on are 0
	m, k     uint64
	set      uint64 // bits that are set
	full     uint64 // the most that may be: (full/m)^k is at most the link's rate
}

// firstLink makes the first link of a chain, empty.
func (p Params) firstLink() (link, error) {
	return sized(p.Capacity, p.Rate*(1-p.Tightening))
}

// after makes the link that follows l, empty.
func (p Params) after(l *link) (link, error) {
	capacity, err := p.capacityAfter(l)
	if err != nil {
		return link{}, err
	}
	return sized(capacity, l.rate*p.Tightening)
}

func (p Params) capacityAfter(l *link) (uint64, error) {
	high, low := bits.Mul64(l.capacity, p.Growth)
	if high != 0 {
		return 0, errors.New("scalable: the next link is for more than 2^64 keys")
	}
	return low, nil
}

// sized makes a link with the fewest bits at which the exact rate at its capacity
// is at most its rate.
func sized(capacity uint64, rate float64) (link, error) {
	m, k, err := bloom.Size(capacity, rate, bloom.Exact)
	if err != nil {
		return link{}, fmt.Errorf("scalable: the next link: %w", err)
	}
	words := (m + 63) / 64
	if words > math.MaxInt/8 {
		return link{}, fmt.Errorf("scalable: the next link has %d bits, more than this machine can address", m)
	}
	full := uint64(math.Floor(float64(m) * math.Pow(rate, 1/float64(k))))
	return link{capacity: capacity, rate: rate, words: make([]uint64, words), m: m, k: k, full: full}, nil
}

// hasRoom reports whether the key fits: in an empty link it always does.
func (l *link) hasRoom(hash uint64) bool {
	if l.set == 0 || l.set+l.k <= l.full {
		return true
	}
	return l.set+l.missing(hash) <= l.full
}

// missing is the number of bits that the key would set. It is asked for the last
// keys of a link only.
func (l *link) missing(hash uint64) uint64 {
	var added [bloom.MaxK]uint64
	n := uint64(0)
	var at uint64
probes:
	for range l.k {
		hash, at = probe.Next(hash, l.m)
		if l.words[at/64]>>(at%64)&1 == 1 {
			continue
		}
		for _, earlier := range added[:n] {
			if earlier == at {
				continue probes
			}
		}
		added[n] = at
		n++
	}
	return n
}

func (l *link) add(hash uint64) {
	var at uint64
	for range l.k {
		hash, at = probe.Next(hash, l.m)
		w := l.words[at/64]
		l.set += ^w >> (at % 64) & 1
		l.words[at/64] = w | 1<<(at%64)
	}
}

// contains looks at three bits before it branches, as impl/bloom does.
func (l *link) contains(hash uint64) bool {
	words, m, k := l.words, l.m, l.k
	for ; k >= 3; k -= 3 {
		h, p1 := probe.Next(hash, m)
		h, p2 := probe.Next(h, m)
		h, p3 := probe.Next(h, m)
		hash = h
		if words[p1/64]>>(p1%64)&(words[p2/64]>>(p2%64))&(words[p3/64]>>(p3%64))&1 == 0 {
			return false
		}
	}
	for ; k > 0; k-- {
		var at uint64
		hash, at = probe.Next(hash, m)
		if words[at/64]>>(at%64)&1 == 0 {
			return false
		}
	}
	return true
}

// count sets the number of set bits to what the words say.
func (l *link) count() {
	l.set = 0
	for _, w := range l.words {
		l.set += uint64(bits.OnesCount64(w))
	}
}

// padding is what stands in the last word after the last bit.
func (l *link) padding() uint64 {
	if l.m%64 == 0 {
		return 0
	}
	return l.words[len(l.words)-1] >> (l.m % 64)
}

// rateNow is the rate of the link as its bits show it.
func (l *link) rateNow() float64 { return math.Pow(float64(l.set)/float64(l.m), float64(l.k)) }
