package adapters

import (
	"bytes"
	"math/bits"

	"github.com/bits-and-blooms/bloom/v3"

	"github.com/sketchproof/sketchproof"
)

var bitsAndBlooms = Filter{
	Name:   "bits-and-blooms",
	Module: "github.com/bits-and-blooms/bloom/v3",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		f := BitsAndBlooms{bloom.NewWithEstimates(uint(max(spec.Size(), 1)), spec.Epsilon)}
		return holding(f, nil, spec.Keys)
	},
	Merge: func(dst, src sketchproof.Filter) error {
		return dst.(BitsAndBlooms).f.Merge(src.(BitsAndBlooms).f)
	},
	// What later versions call their binary form is what WriteTo writes.
	Encode: func(f sketchproof.Filter) ([]byte, error) { return f.(BitsAndBlooms).written() },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := BitsAndBlooms{new(bloom.BloomFilter)}
		_, err := f.f.ReadFrom(bytes.NewReader(data))
		return f, err
	},
	Forms: otherForms(sketchproof.FormsOf(
		func(f sketchproof.Filter) *bloom.BloomFilter { return f.(BitsAndBlooms).f },
		func(f *bloom.BloomFilter) sketchproof.Filter { return BitsAndBlooms{f} },
	)),
	Laws: []filterLaw{BloomExact, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "A Bloom filter will always correctly report the presence of an element in the set when the element is indeed present.", Where: "README"},
		{Of: sketchproof.Rate, Text: "creates a new Bloom filter for about n items with fp false positive rate", Where: "func NewWithEstimates"},
		{Of: sketchproof.Capacity, Text: "capable of receiving 1 million elements with a false-positive rate of 1%", Where: "README"},
		{Of: sketchproof.Merging, Text: "Merge the data from two Bloom Filters.", Where: "func (*BloomFilter) Merge"},
		{Of: sketchproof.Serialization, Text: "You can read and write the Bloom filters", Where: "README"},
	},
}

// BitsAndBlooms is a filter of github.com/bits-and-blooms/bloom/v3: murmur3,
// enhanced double hashing of its own, no seed.
type BitsAndBlooms struct{ f *bloom.BloomFilter }

// NewBitsAndBlooms makes one of m bits and k probes, past the library's sizing.
func NewBitsAndBlooms(m, k uint64) BitsAndBlooms {
	return BitsAndBlooms{bloom.New(uint(m), uint(k))}
}

func (b BitsAndBlooms) Add(key uint64) error          { b.f.Add(keyBytes(key)); return nil }
func (b BitsAndBlooms) Contains(key uint64) bool      { return b.f.Test(keyBytes(key)) }
func (b BitsAndBlooms) AddBytes(key []byte) error     { b.f.Add(key); return nil }
func (b BitsAndBlooms) ContainsBytes(key []byte) bool { return b.f.Test(key) }
func (b BitsAndBlooms) M() uint64                     { return uint64(b.f.Cap()) }
func (b BitsAndBlooms) K() uint64                     { return uint64(b.f.K()) }

// SizeBytes is the length of the bit set's words.
func (b BitsAndBlooms) SizeBytes() int { return 8 * int((b.M()+63)/64) }

// BitsSet is the number of ones, counted in what is written: these versions do
// not show their bits. Three numbers of eight bytes come first.
func (b BitsAndBlooms) BitsSet() uint64 {
	data, err := b.written()
	if err != nil {
		panic(err) // memory takes every write
	}
	ones := 0
	for _, x := range data[3*8:] {
		ones += bits.OnesCount8(x)
	}
	return uint64(ones)
}

func (b BitsAndBlooms) written() ([]byte, error) {
	var buffer bytes.Buffer
	_, err := b.f.WriteTo(&buffer)
	return buffer.Bytes(), err
}
