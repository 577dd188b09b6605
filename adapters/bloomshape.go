package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// BloomSpec asks for a Bloom filter of given geometry, past any sizing rule.
type BloomSpec struct {
	M, K uint64 // bits, probes
	Seed uint64
}

// A BloomFilter is a Bloom filter that tells its geometry and its ones.
type BloomFilter interface {
	sketchproof.Filter
	sketchproof.Adder
	BloomShape
	BitsSet() uint64
}

// Bloom is a Bloom filter whose geometry can be chosen.
type Bloom = sketchproof.Subject[BloomFilter, BloomSpec]

// Blooms are the Bloom filters whose geometry can be chosen.
var Blooms = []Bloom{
	{
		Name: nativeBloom.Name,
		Build: func(s BloomSpec) (BloomFilter, error) {
			return bloom.New(bloom.Params{M: s.M, K: s.K, Hash: hashing.XX(s.Seed)})
		},
	},
	{
		Name: bitsAndBlooms.Name, Module: bitsAndBlooms.Module,
		Build: func(s BloomSpec) (BloomFilter, error) { return NewBitsAndBlooms(s.M, s.K), nil },
	},
	{
		Name: xxhashBloom.Name, Module: xxhashBloom.Module,
		Build: func(s BloomSpec) (BloomFilter, error) {
			f, err := bloom.New(bloom.Params{M: s.M, K: s.K, Hash: hashing.XX(0)})
			return XXHashBloom{f}, err
		},
	},
}
