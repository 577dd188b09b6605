package adapters

import (
	"errors"
	"fmt"
	"math"

	minhashlsh "github.com/ekzhu/minhash-lsh"

	"github.com/sketchproof/sketchproof"
)

var minhashLSH = Signature{
	Name:   "minhash-lsh",
	Module: "github.com/ekzhu/minhash-lsh",
	Build: func(spec sketchproof.SignatureSpec) (sketchproof.Signature, error) {
		if spec.K < 1 || spec.K > math.MaxInt32 {
			return nil, fmt.Errorf("adapters: minhash-lsh: %d values; they must be 1 to %d", spec.K, math.MaxInt32)
		}
		return &MinhashLSH{m: minhashlsh.NewMinhash(int64(spec.Seed), spec.K), spec: spec}, nil
	},
	Merge: func(dst, src sketchproof.Signature) error {
		d, s := dst.(*MinhashLSH), src.(*MinhashLSH)
		if d.spec != s.spec {
			return fmt.Errorf("adapters: minhash-lsh: %d values under seed %d, and %d under seed %d", d.spec.K, d.spec.Seed, s.spec.K, s.spec.Seed)
		}
		d.m.Merge(s.m)
		d.any = d.any || s.any
		return nil
	},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Merging, Text: "Merge combines the signature of the other Minhash with this one, making this one carry the signature of the union.", Where: "func (*Minhash) Merge"},
	},
}

// MinhashLSH is a signature of github.com/ekzhu/minhash-lsh: value i is the least of
// h1 + i·h2 over the keys, both FNV-1a under the seed. The library compares none: the
// estimate is the share of equal values, as its index takes them.
type MinhashLSH struct {
	m    *minhashlsh.Minhash
	spec sketchproof.SignatureSpec
	any  bool // a key was added
}

// Add adds a key, as eight bytes.
func (m *MinhashLSH) Add(key uint64) {
	m.m.Push(keyBytes(key))
	m.any = true
}

// Similarity is the share of values that are equal.
func (m *MinhashLSH) Similarity(other sketchproof.Signature) (float64, error) {
	o, ok := other.(*MinhashLSH)
	if !ok {
		return 0, fmt.Errorf("adapters: minhash-lsh beside %T", other)
	}
	if m.spec != o.spec {
		return 0, fmt.Errorf("adapters: minhash-lsh: %d values under seed %d, and %d under seed %d", m.spec.K, m.spec.Seed, o.spec.K, o.spec.Seed)
	}
	if !m.any && !o.any {
		return 0, errors.New("adapters: minhash-lsh: both sets are empty")
	}
	equal := 0
	theirs := o.m.Signature()
	for i, v := range m.m.Signature() {
		if v == theirs[i] {
			equal++
		}
	}
	return float64(equal) / float64(m.spec.K), nil
}

// SizeBytes is eight bytes a value.
func (m *MinhashLSH) SizeBytes() int { return 8 * m.spec.K }
