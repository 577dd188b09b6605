package adapters

import (
	"fmt"

	"github.com/FastFilter/xorfilter"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/stats"
)

var fastfilterXor8 = Filter{
	Name:   "fastfilter-xor8",
	Module: "github.com/FastFilter/xorfilter",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if len(spec.Keys) == 0 {
			return FastFilterXor8{}, nothingButKeys(spec)
		}
		f, err := xorfilter.Populate(spec.Keys)
		return FastFilterXor8{f}, err
	},
	Laws: []filterLaw{fastfilterRate},
	Promises: append([]sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "a false positive rate of about 0.4%", Where: "README"},
	}, fastfilterPromises...),
}

var fastfilterFuse8 = Filter{
	Name:   "fastfilter-fuse8",
	Module: "github.com/FastFilter/xorfilter",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if len(spec.Keys) == 0 {
			return FastFilterFuse8{}, nothingButKeys(spec)
		}
		f, err := xorfilter.PopulateBinaryFuse8(spec.Keys)
		return FastFilterFuse8{f}, err
	},
	Laws: []filterLaw{fastfilterRate},
	Promises: append([]sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "a false positive rate of about 0.4%", Where: "README"},
		{Of: sketchproof.Memory, Text: "less than 9 bits per entry for sizeable sets", Where: "README"},
	}, fastfilterPromises...),
}

// nothingButKeys refuses byte strings: the library takes 64-bit keys alone.
func nothingButKeys(spec sketchproof.FilterSpec) error {
	if len(spec.ByteKeys) > 0 {
		return fmt.Errorf("adapters: xorfilter takes 64-bit keys, not byte strings")
	}
	return nil
}

// fastfilterRate is the rate of 8-bit fingerprints.
var fastfilterRate = filterLaw{
	Name: "static.fingerprint", Metric: sketchproof.MetricFPR,
	Source: "Graf & Lemire 2020, section 3: 2^-f",
	Predict: func(_ sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		if n == 0 {
			return stats.AtMost(0)
		}
		return RateBand(1. / 256)
	},
}

// FastFilterXor8 is an xor filter of github.com/FastFilter/xorfilter: 8-bit
// fingerprints, seeds drawn from a fixed generator, keys mixed by murmur's
// finalizer. The library refuses an empty set; the zero value stands for it.
type FastFilterXor8 struct{ f *xorfilter.Xor8 }

// Contains reports whether the key may be held.
func (x FastFilterXor8) Contains(key uint64) bool { return x.f != nil && x.f.Contains(key) }

// SizeBytes is the length of the fingerprints.
func (x FastFilterXor8) SizeBytes() int {
	if x.f == nil {
		return 0
	}
	return len(x.f.Fingerprints)
}

// FastFilterFuse8 is a 3-wise binary fuse filter of the same library, with the
// same zero value.
type FastFilterFuse8 struct{ f *xorfilter.BinaryFuse8 }

// Contains reports whether the key may be held.
func (x FastFilterFuse8) Contains(key uint64) bool { return x.f != nil && x.f.Contains(key) }

// SizeBytes is the length of the fingerprints.
func (x FastFilterFuse8) SizeBytes() int {
	if x.f == nil {
		return 0
	}
	return len(x.f.Fingerprints)
}
