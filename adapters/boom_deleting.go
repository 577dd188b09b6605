package adapters

import (
	"fmt"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

// boomCounting has counters of four bits, which the library takes by default.
var boomCounting = Filter{
	Name:   "boom-counting",
	Module: boomModule,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		return holding(boomCountingOf(boom.NewDefaultCountingBloomFilter(uint(max(spec.Size(), 1)), spec.Epsilon)), nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) {
		return f.(boomLibrary).library().(*boom.CountingBloomFilter).GobEncode()
	},
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := new(boom.CountingBloomFilter)
		if err := f.GobDecode(data); err != nil {
			return nil, err
		}
		return boomCountingOf(f), nil
	},
	Forms: boomForms(func(f *boom.CountingBloomFilter) sketchproof.Filter { return boomCountingOf(f) }),
	Laws:  []filterLaw{BloomExact, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewDefaultCountingBloomFilter"},
		{Of: sketchproof.Capacity, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewDefaultCountingBloomFilter"},
		{Of: sketchproof.Deletion, Text: "a way to remove elements by using an array of n-bit buckets ... they introduce a non-zero probability of false negatives", Where: "type CountingBloomFilter"},
		{Of: sketchproof.Serialization, Text: "ReadFrom reads a binary representation of a Counting Bloom Filter (such as might have been written by WriteTo())", Where: "func (*CountingBloomFilter) ReadFrom"},
	},
}

var boomDeletable = Filter{
	Name:   "boom-deletable",
	Module: boomModule,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		n := uint(max(spec.Size(), 1))
		r, err := boomRegions(boom.OptimalM(n, spec.Epsilon))
		if err != nil {
			return nil, err
		}
		f := boom.NewDeletableBloomFilter(n, r, spec.Epsilon)
		m := uint64(f.Capacity())
		return holding(BoomDeleting{BoomBloom{BoomKeys{f}, m, uint64(f.K()), int(m+7)/8 + int(r+8)/8}}, nil, spec.Keys)
	},
	Laws: []filterLaw{BloomExact, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "a non-zero probability of false positives but a zero probability of false negatives", Where: "func (*DeletableBloomFilter) Test"},
		{Of: sketchproof.Rate, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewDeletableBloomFilter"},
		{Of: sketchproof.Capacity, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewDeletableBloomFilter"},
		{Of: sketchproof.Deletion, Text: "This design enables false-negative-free deletions at a fraction of the cost in memory consumption", Where: "type DeletableBloomFilter"},
	},
}

// boomRegions is the number of regions of a deletable filter of m bits. The library
// leaves it to its user, and takes them off the filter's bits: with a twentieth some
// keys of a full filter can be removed, with a hundredth none. It is no number that
// leaves more bits over than a region has, with which the library writes beside its
// table of collisions.
func boomRegions(m uint) (uint, error) {
	for r := max(m/20, 1); r > 0; r-- {
		if m > r && (m-r)%r <= (m-r)/r {
			return r, nil
		}
	}
	return 0, fmt.Errorf("adapters: boom-deletable: %d bits leave no room for what collides; more keys or a smaller rate do", m)
}

// BoomDeleting is a BoomBloom that keys can be removed from.
type BoomDeleting struct{ BoomBloom }

func boomCountingOf(f *boom.CountingBloomFilter) BoomDeleting {
	m := uint64(f.Capacity())
	return BoomDeleting{BoomBloom{BoomKeys{f}, m, uint64(f.K()), int(m+1) / 2}}
}

// Remove removes a key, or returns ErrNotFound.
func (b BoomDeleting) Remove(key uint64) error { return b.RemoveBytes(keyBytes(key)) }

// RemoveBytes removes a byte string, or returns ErrNotFound.
func (b BoomDeleting) RemoveBytes(key []byte) error {
	if !b.f.(interface{ TestAndRemove([]byte) bool }).TestAndRemove(key) {
		return sketchproof.ErrNotFound
	}
	return nil
}

// Len is the number of keys added and not removed.
func (b BoomDeleting) Len() int { return int(b.f.(interface{ Count() uint }).Count()) }
