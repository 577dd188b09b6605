package adapters

import (
	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

// boomTightening is the ratio of the library's NewDefaultScalableBloomFilter.
const boomTightening = 0.8

// boomScalable has a hint of an eighth of the capacity, so that a filter at its
// capacity is a chain of several links.
var boomScalable = Filter{
	Name:   "boom-scalable",
	Module: boomModule,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		f := boom.NewScalableBloomFilter(uint(max(spec.Size()/8, 1)), spec.Epsilon, boomTightening)
		return holding(BoomScalable{BoomKeys{f}}, nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) {
		return f.(boomLibrary).library().(*boom.ScalableBloomFilter).GobEncode()
	},
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := new(boom.ScalableBloomFilter)
		if err := f.GobDecode(data); err != nil {
			return nil, err
		}
		return BoomScalable{BoomKeys{f}}, nil
	},
	Forms: boomForms(func(f *boom.ScalableBloomFilter) sketchproof.Filter { return BoomScalable{BoomKeys{f}} }),
	Laws:  []filterLaw{promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "a non-zero probability of false positives but a zero probability of false negatives", Where: "func (*ScalableBloomFilter) Test"},
		{Of: sketchproof.Rate, Text: "dynamically adapts to the number of elements in the data set while enforcing a tight upper bound on the false-positive rate", Where: "type ScalableBloomFilter"},
		{Of: sketchproof.Serialization, Text: "ReadFrom reads a binary representation of ScalableBloomFilter (such as might have been written by WriteTo())", Where: "func (*ScalableBloomFilter) ReadFrom"},
	},
}

// BoomScalable is a chain of partitioned filters of github.com/tylertreat/BoomFilters,
// each for the hinted number of keys.
type BoomScalable struct{ BoomKeys }

// SizeBytes is the number of bits that the links asked for, before they rounded
// their slices up.
func (b BoomScalable) SizeBytes() int { return int(b.f.(*boom.ScalableBloomFilter).Capacity()+7) / 8 }
