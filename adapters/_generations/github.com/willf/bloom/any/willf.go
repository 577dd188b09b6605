package adapters

import (
	"github.com/willf/bloom"

	"github.com/sketchproof/sketchproof"
)

func init() { Filters = append(Filters, willfBloom) }

// willfBloom is the ancestor of bits-and-blooms. Nobody should choose it today;
// it is here for who has bytes that it wrote.
var willfBloom = Filter{
	Name:   "willf-bloom",
	Module: "github.com/willf/bloom",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		f := WillfBloom{bloom.NewWithEstimates(uint(max(spec.Size(), 1)), spec.Epsilon)}
		return holding(f, nil, spec.Keys)
	},
	Merge: func(dst, src sketchproof.Filter) error {
		return dst.(WillfBloom).f.Merge(src.(WillfBloom).f)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) { return f.(WillfBloom).f.GobEncode() },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := WillfBloom{new(bloom.BloomFilter)}
		return f, f.f.GobDecode(data)
	},
	Laws: []filterLaw{BloomExact, promisedRate},
}

// WillfBloom is a filter of github.com/willf/bloom: FNV hashes in its first
// versions and murmur3 later, no seed.
type WillfBloom struct{ f *bloom.BloomFilter }

func (b WillfBloom) Add(key uint64) error          { b.f.Add(keyBytes(key)); return nil }
func (b WillfBloom) Contains(key uint64) bool      { return b.f.Test(keyBytes(key)) }
func (b WillfBloom) AddBytes(key []byte) error     { b.f.Add(key); return nil }
func (b WillfBloom) ContainsBytes(key []byte) bool { return b.f.Test(key) }
func (b WillfBloom) M() uint64                     { return uint64(b.f.Cap()) }
func (b WillfBloom) K() uint64                     { return uint64(b.f.K()) }

// SizeBytes is that of the bits, in whole words.
func (b WillfBloom) SizeBytes() int { return 8 * int((b.M()+63)/64) }
