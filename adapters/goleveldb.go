package adapters

import (
	"bytes"

	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/util"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
)

var goleveldbBloom = Filter{
	Name:   "goleveldb-bloom",
	Module: "github.com/syndtr/goleveldb",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		bits, err := bitsFor(spec.Epsilon, func(bits int) float64 {
			const n = 10000
			return bloom.FPRClassic(uint64(n*bits), uint64(policyProbes(bits)), n)
		})
		if err != nil {
			return nil, err
		}
		g := filter.NewBloomFilter(bits).NewGenerator()
		for _, k := range spec.Keys {
			g.Add(keyBytes(k))
		}
		for _, k := range spec.ByteKeys {
			g.Add(k)
		}
		var b util.Buffer
		g.Generate(&b)
		return GoleveldbBloom{bytes.Clone(b.Bytes())}, nil
	},
	// What the library makes is bytes, which its users store.
	Encode: func(f sketchproof.Filter) ([]byte, error) { return bytes.Clone(f.(GoleveldbBloom).data), nil },
	Decode: func(data []byte) (sketchproof.Filter, error) { return GoleveldbBloom{bytes.Clone(data)}, nil },
	Laws:   []filterLaw{BloomExact},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "Contains returns true if the filter contains the given key.", Where: "type Filter"},
		{Of: sketchproof.Serialization, Text: "bitsPerKey is persisted individually for each bloom filter serialization", Where: "func NewBloomFilter"},
	},
}

// GoleveldbBloom is a filter of github.com/syndtr/goleveldb: a hash of 32 bits, of
// which all probes are made, no seed.
type GoleveldbBloom struct{ data []byte }

// goleveldbPolicy asks filters of any number of bits: they tell their probes.
var goleveldbPolicy = filter.NewBloomFilter(1)

func (g GoleveldbBloom) Contains(key uint64) bool { return g.ContainsBytes(keyBytes(key)) }
func (g GoleveldbBloom) ContainsBytes(key []byte) bool {
	return goleveldbPolicy.Contains(g.data, key)
}
func (g GoleveldbBloom) M() uint64 { return 8 * uint64(g.SizeBytes()) }
func (g GoleveldbBloom) K() uint64 { return uint64(g.data[len(g.data)-1]) }

// SizeBytes is the length without the last byte, the number of probes.
func (g GoleveldbBloom) SizeBytes() int { return max(0, len(g.data)-1) }
