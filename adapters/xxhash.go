package adapters

import (
	"github.com/cespare/xxhash/v2"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// xxhashBloom puts the hash library itself on trial: keys go through
// xxhash.Sum64, unseeded, as its users call it, and our filter takes the hash.
var xxhashBloom = Filter{
	Name:   "xxhash-bloom",
	Module: "github.com/cespare/xxhash/v2",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		f, err := bloom.ForRate(uint64(max(spec.Size(), 1)), spec.Epsilon, bloom.Exact, hashing.XX(0))
		return holding(XXHashBloom{f}, err, spec.Keys)
	},
	Laws: []filterLaw{BloomExact, promisedRate},
}

// XXHashBloom is our Bloom filter fed with hashes of
// github.com/cespare/xxhash/v2.
type XXHashBloom struct{ *bloom.Filter }

func (x XXHashBloom) Add(key uint64) error      { return x.AddHash(xxhash.Sum64(keyBytes(key))) }
func (x XXHashBloom) Contains(key uint64) bool  { return x.ContainsHash(xxhash.Sum64(keyBytes(key))) }
func (x XXHashBloom) AddBytes(key []byte) error { return x.AddHash(xxhash.Sum64(key)) }

// ContainsBytes asks for the hash of the key.
func (x XXHashBloom) ContainsBytes(key []byte) bool { return x.ContainsHash(xxhash.Sum64(key)) }
