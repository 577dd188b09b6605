package adapters

import (
	"encoding/json"

	"github.com/dgraph-io/ristretto/v2/z"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var ristrettoBloom = Filter{
	Name:   "ristretto-bloom",
	Module: "github.com/dgraph-io/ristretto/v2",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		f, err := newRistretto(max(spec.Size(), 1), spec.Epsilon, spec.Seed)
		return holding(f, err, spec.Keys)
	},
	Laws: []filterLaw{BloomExact, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "returns true if the hash was added to the Bloom Filter", Where: "z, func (Bloom) Has"},
		{Of: sketchproof.Rate, Text: "New(float64(number_of_entries), float64(number_of_hashlocations)) i.e. ... New(float64(1000), float64(0.03))", Where: "z, func NewBloomFilter"},
		{Of: sketchproof.Capacity, Text: "New(float64(number_of_entries), float64(number_of_hashlocations)) i.e. ... New(float64(1000), float64(0.03))", Where: "z, func NewBloomFilter"},
		{Of: sketchproof.Memory, Text: "TotalSize returns the total size of the bloom filter.", Where: "z, func (*Bloom) TotalSize"},
	},
}

// RistrettoBloom is the z.Bloom of github.com/dgraph-io/ristretto/v2: double
// hashing in a power of two of bits. The library takes hashes alone: ours are
// XXH64 under the seed.
type RistrettoBloom struct {
	f    *z.Bloom
	k    uint64
	hash hashing.Hasher
}

func newRistretto(n int, p float64, seed uint64) (RistrettoBloom, error) {
	// The number of probes shows in the library's JSON alone, and depends on the
	// rate alone: the smallest filter tells it.
	var told struct{ SetLocs uint64 }
	err := json.Unmarshal(z.NewBloomFilter(1, p).JSONMarshal(), &told)
	return RistrettoBloom{z.NewBloomFilter(float64(n), p), told.SetLocs, hashing.XX(seed)}, err
}

func (r RistrettoBloom) Add(key uint64) error          { return r.AddHash(r.hash.Uint64(key)) }
func (r RistrettoBloom) Contains(key uint64) bool      { return r.f.Has(r.hash.Uint64(key)) }
func (r RistrettoBloom) AddBytes(key []byte) error     { return r.AddHash(r.hash.Bytes(key)) }
func (r RistrettoBloom) ContainsBytes(key []byte) bool { return r.f.Has(r.hash.Bytes(key)) }
func (r RistrettoBloom) AddHash(hash uint64) error     { r.f.Add(hash); return nil }
func (r RistrettoBloom) ContainsHash(hash uint64) bool { return r.f.Has(hash) }
func (r RistrettoBloom) M() uint64                     { return 8 * uint64(r.SizeBytes()) }
func (r RistrettoBloom) K() uint64                     { return r.k }

// SizeBytes is the library's own account without the five fields of its header.
func (r RistrettoBloom) SizeBytes() int { return r.f.TotalSize() - 5*8 }
