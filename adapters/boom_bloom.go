package adapters

import (
	"fmt"
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

const boomModule = "github.com/tylertreat/BoomFilters"

var boomClassic = Filter{
	Name:   "boom-classic",
	Module: boomModule,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		return holding(boomClassicOf(boom.NewBloomFilter(uint(max(spec.Size(), 1)), spec.Epsilon)), nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) {
		return f.(boomLibrary).library().(*boom.BloomFilter).GobEncode()
	},
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := new(boom.BloomFilter)
		if err := f.GobDecode(data); err != nil {
			return nil, err
		}
		return boomClassicOf(f), nil
	},
	Forms: boomForms(func(f *boom.BloomFilter) sketchproof.Filter { return boomClassicOf(f) }),
	Laws:  []filterLaw{BloomExact, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "a non-zero probability of false positives and a zero probability of false negatives", Where: "type BloomFilter"},
		{Of: sketchproof.Rate, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewBloomFilter"},
		{Of: sketchproof.Capacity, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewBloomFilter"},
		{Of: sketchproof.Serialization, Text: "ReadFrom reads a binary representation of BloomFilter (such as might have been written by WriteTo())", Where: "func (*BloomFilter) ReadFrom"},
	},
}

var boomPartitioned = Filter{
	Name:   "boom-partitioned",
	Module: boomModule,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		return holding(boomPartitionedOf(boom.NewPartitionedBloomFilter(uint(max(spec.Size(), 1)), spec.Epsilon)), nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) {
		return f.(boomLibrary).library().(*boom.PartitionedBloomFilter).GobEncode()
	},
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := boom.NewPartitionedBloomFilter(1, 0.5) // which has a hash function
		if err := f.GobDecode(data); err != nil {
			return nil, err
		}
		return boomPartitionedOf(f), nil
	},
	Forms: boomForms(func(f *boom.PartitionedBloomFilter) sketchproof.Filter { return boomPartitionedOf(f) }),
	Laws:  []filterLaw{BloomPartitioned, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "a non-zero probability of false positives but a zero probability of false negatives", Where: "func (*PartitionedBloomFilter) Test"},
		{Of: sketchproof.Rate, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewPartitionedBloomFilter"},
		{Of: sketchproof.Capacity, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewPartitionedBloomFilter"},
		{Of: sketchproof.Serialization, Text: "ReadFrom reads a binary representation of PartitionedBloomFilter (such as might have been written by WriteTo())", Where: "func (*PartitionedBloomFilter) ReadFrom"},
	},
}

// checkBoomSpec refuses, beside what no filter can be built for, rates whose inverse
// is no number: the library would make probes without end.
func checkBoomSpec(spec sketchproof.FilterSpec) error {
	if err := checkFilterSpec(spec); err != nil {
		return err
	}
	if math.IsInf(1/spec.Epsilon, 0) {
		return fmt.Errorf("adapters: rate %v; its inverse must be a number", spec.Epsilon)
	}
	return nil
}

// BoomBloom is a filter of bits or cells of github.com/tylertreat/BoomFilters: FNV-1,
// of whose halves the probes are made, no seed.
type BoomBloom struct {
	BoomKeys
	m, k  uint64
	bytes int
}

func boomClassicOf(f *boom.BloomFilter) BoomBloom {
	m := uint64(f.Capacity())
	return BoomBloom{BoomKeys{f}, m, uint64(f.K()), int(m+7) / 8}
}

// boomPartitionedOf counts the bits as they are: the library tells how many it asked
// for, before it rounded each of the k slices up.
func boomPartitionedOf(f *boom.PartitionedBloomFilter) BoomBloom {
	k := uint64(max(f.K(), 1))
	slice := (uint64(f.Capacity()) + k - 1) / k
	return BoomBloom{BoomKeys{f}, slice * k, k, int(k * ((slice + 7) / 8))}
}

// M is the number of bits or cells.
func (b BoomBloom) M() uint64 { return b.m }

// K is the number of probes.
func (b BoomBloom) K() uint64 { return b.k }

// SizeBytes is the length of the bits or cells.
func (b BoomBloom) SizeBytes() int { return b.bytes }

// BoomKeys gives keys to a filter of the library.
type BoomKeys struct{ f boom.Filter }

func (b BoomKeys) Add(key uint64) error          { b.f.Add(keyBytes(key)); return nil }
func (b BoomKeys) Contains(key uint64) bool      { return b.f.Test(keyBytes(key)) }
func (b BoomKeys) AddBytes(key []byte) error     { b.f.Add(key); return nil }
func (b BoomKeys) ContainsBytes(key []byte) bool { return b.f.Test(key) }
func (b BoomKeys) library() boom.Filter          { return b.f }

type boomLibrary interface{ library() boom.Filter }

// boomForms are the forms of one of the library's types.
func boomForms[T any](wrap func(*T) sketchproof.Filter) []sketchproof.Form[sketchproof.Filter] {
	return sketchproof.FormsOf(func(f sketchproof.Filter) *T { return any(f.(boomLibrary).library()).(*T) }, wrap)
}
