package bloom

import (
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Scheme says how the k probes of a key are drawn from its hash. The number
// is part of every serialized form and is never re-used.
type Scheme uint8

const (
	// Derived takes all probes from one 64-bit hash h: probe i is the high part
	// of m * (h*c^(i+1) mod 2^64). It is the default, because it is the fastest
	// and its false-positive rate is that of Independent, also at small m. The
	// hash must be good: its high bits alone decide nothing, but a hash with
	// few distinct values gives few distinct probe sets.
	Derived Scheme = 0
	// Independent takes probe i from a hash function of its own, the family at
	// seed+i, modulo m. It is the model of every formula, and the slowest.
	Independent Scheme = 1
	// Double takes probe i as h1 + i*h2 mod m, both reduced modulo m first
	// (Kirsch & Mitzenmacher 2006). Its rate tends to the classic one only as m
	// grows: a step of 0 probes one bit, a step that divides m few.
	Double Scheme = 2
	// DoubleOdd is Double with a step that is odd where m is even, and never 0
	// where m is odd (except m = 1).
	DoubleOdd Scheme = 3
	// Enhanced is enhanced double hashing, h1 + i*h2 + (i^3-i)/6 mod m (Dillinger
	// & Manolios 2004, "Bloom Filters in Probabilistic Verification").
	Enhanced Scheme = 4
	// Partitioned cuts the bits into k slices of m/k and draws probe i in slice i,
	// from the chain of Derived: no two probes of a key meet, and none is served
	// by another's slice (Broder & Mitzenmacher 2004, section 2). k must divide m.
	// Its rate is FPRPartitioned, a little above that of Derived.
	Partitioned Scheme = 5
)

// Schemes lists every scheme.
func Schemes() []Scheme {
	return []Scheme{Derived, Independent, Double, DoubleOdd, Enhanced, Partitioned}
}

// String is the scheme's name: derived, independent, double, double-odd,
// enhanced or partitioned.
func (s Scheme) String() string {
	switch s {
	case Derived:
		return "derived"
	case Independent:
		return "independent"
	case Double:
		return "double"
	case DoubleOdd:
		return "double-odd"
	case Enhanced:
		return "enhanced"
	case Partitioned:
		return "partitioned"
	default:
		return fmt.Sprintf("unknown scheme %d", uint8(s))
	}
}

// Valid reports whether s is one of the schemes above.
func (s Scheme) Valid() bool { return s <= Partitioned }

// ParseScheme reads what String wrote.
func ParseScheme(name string) (Scheme, error) {
	for _, s := range Schemes() {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("bloom: scheme %q is none of %v", name, Schemes())
}

// multiplier is c of the Derived scheme: good in the spectral test as a
// multiplier modulo 2^64 (Steele & Vigna 2021, "Computationally easy,
// spectrally good multipliers", the one for 64-bit linear generators).
const multiplier = 0xd1342543de82ef95

// A walk yields the probes of the schemes that step through the bits by
// addition: Double, DoubleOdd and Enhanced.
type walk struct {
	at, step uint64 // both below m
	m        uint64
	grow     uint64 // what the step of Enhanced last grew by: i mod m
	enhanced bool
}

// startWalk takes the two hashes of the schemes from one: the second is a remix
// of the first, so that a pair has 64 bits of entropy in all.
func startWalk(hash, m uint64, s Scheme) walk {
	w := walk{at: hash % m, step: hashing.Mix(hash+hashing.Gamma) % m, m: m, enhanced: s == Enhanced}
	if s == DoubleOdd {
		switch {
		case m%2 == 0:
			w.step |= 1
		case w.step == 0 && m > 1:
			w.step = 1
		}
	}
	return w
}

// next returns the present probe and steps to the one after. No sum overflows,
// because m is at most MaxBits.
func (w *walk) next() uint64 {
	p := w.at
	if w.at += w.step; w.at >= w.m {
		w.at -= w.m
	}
	if w.enhanced {
		if w.grow++; w.grow == w.m {
			w.grow = 0
		}
		if w.step += w.grow; w.step >= w.m {
			w.step -= w.m
		}
	}
	return p
}
