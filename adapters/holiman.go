package adapters

import (
	bloomfilter "github.com/holiman/bloomfilter/v2"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var holimanBloom = Filter{
	Name:   "holiman-bloom",
	Module: "github.com/holiman/bloomfilter/v2",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		f, err := newHoliman(uint64(max(spec.Size(), 1)), spec.Epsilon, spec.Seed)
		return holding(f, err, spec.Keys)
	},
	Merge: func(dst, src sketchproof.Filter) error {
		return dst.(HolimanBloom).f.UnionInPlace(src.(HolimanBloom).f)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) { return f.(HolimanBloom).f.MarshalBinary() },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := new(bloomfilter.Filter)
		return HolimanBloom{f}, f.UnmarshalBinary(data)
	},
	Forms: otherForms(sketchproof.FormsOf(
		func(f sketchproof.Filter) *bloomfilter.Filter { return f.(HolimanBloom).f },
		func(f *bloomfilter.Filter) sketchproof.Filter { return HolimanBloom{f} },
	)),
	Laws: []filterLaw{BloomExact, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "false: f definitely does not contain value v", Where: "func (*Filter) Contains"},
		{Of: sketchproof.Rate, Text: "p is the desired false positive probability", Where: "func OptimalM"},
		{Of: sketchproof.Capacity, Text: "maxn is the maximum anticipated number of elements", Where: "func OptimalK"},
		{Of: sketchproof.Merging, Text: "UnionInPlace merges Bloom filter f2 into f", Where: "func (*Filter) UnionInPlace"},
		{Of: sketchproof.Serialization, Text: "marshalable", Where: "package bloomfilter"},
		{Of: sketchproof.Concurrency, Text: "thread-safe", Where: "package bloomfilter"},
	},
}

// HolimanBloom is a filter of github.com/holiman/bloomfilter/v2 with the size
// and number of keys that its NewOptimal takes. That constructor draws the keys,
// which seed the probes, from crypto/rand; here they follow from the seed, so
// that a trial can be replayed. The library takes hashes alone: XXH64, unseeded.
type HolimanBloom struct{ f *bloomfilter.Filter }

func newHoliman(n uint64, p float64, seed uint64) (HolimanBloom, error) {
	m := max(bloomfilter.OptimalM(n, p), bloomfilter.MMin)
	keys := make([]uint64, max(bloomfilter.OptimalK(m, n), bloomfilter.KMin))
	for i := range keys {
		keys[i] = hashing.Mix(seed + uint64(i+1)*hashing.Gamma)
	}
	f, err := bloomfilter.NewWithKeys(m, keys)
	return HolimanBloom{f}, err
}

// unseeded is the hash in front of the library.
var unseeded = hashing.XX(0)

func (h HolimanBloom) Add(key uint64) error { h.f.AddHash(unseeded.Uint64(key)); return nil }

func (h HolimanBloom) Contains(key uint64) bool { return h.f.ContainsHash(unseeded.Uint64(key)) }

func (h HolimanBloom) AddBytes(key []byte) error { h.f.AddHash(unseeded.Bytes(key)); return nil }

func (h HolimanBloom) ContainsBytes(key []byte) bool { return h.f.ContainsHash(unseeded.Bytes(key)) }
func (h HolimanBloom) AddHash(hash uint64) error     { h.f.AddHash(hash); return nil }
func (h HolimanBloom) ContainsHash(hash uint64) bool { return h.f.ContainsHash(hash) }
func (h HolimanBloom) M() uint64                     { return h.f.M() }
func (h HolimanBloom) K() uint64                     { return h.f.K() }

// SizeBytes is the length of the bits in whole words.
func (h HolimanBloom) SizeBytes() int { return int((h.f.M() + 63) / 64 * 8) }
