package adapters

import (
	cuckoofilter "github.com/seiflotfy/cuckoofilter"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/stats"
)

var seiflotfyCuckoo = Filter{
	Name:   "seiflotfy-cuckoo",
	Module: "github.com/seiflotfy/cuckoofilter",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		return holding(NewSeiflotfyCuckoo(max(spec.Size(), 1)), nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) { return f.(*SeiflotfyCuckoo).f.Encode(), nil },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f, err := cuckoofilter.Decode(data)
		if err != nil {
			return nil, err
		}
		return &SeiflotfyCuckoo{f, uint64(len(data)) / seiflotfySlots}, nil
	},
	Laws: []filterLaw{CuckooPoisson},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "With the 8 bit fingerprint size in this repository, you can expect r ~= 0.03", Where: "README"},
		{Of: sketchproof.Capacity, Text: "NewFilter returns a new cuckoofilter with a given capacity.", Where: "func NewFilter"},
		{Of: sketchproof.Deletion, Text: "Cuckoo filters provide the flexibility to add and remove items dynamically.", Where: "README"},
		{Of: sketchproof.Membership, Text: "Insert inserts data into the counter and returns true upon success", Where: "func (*Filter) Insert"},
		{Of: sketchproof.Memory, Text: "Buckets have a static size of 4 fingerprints. Fingerprints have a static size of 8 bits", Where: "README"},
		{Of: sketchproof.Serialization, Text: "Decode returns a Cuckoofilter from a byte slice", Where: "func Decode"},
	},
}

// The geometry that the library fixes: four slots of one byte, zero reserved.
const (
	seiflotfySlots = 4
	seiflotfyBits  = 8
)

// SeiflotfyCuckoo is a filter of github.com/seiflotfy/cuckoofilter: 8-bit
// fingerprints, four slots, metro hash, no seed, victims drawn from the global
// math/rand. Its rate cannot be chosen.
type SeiflotfyCuckoo struct {
	f       *cuckoofilter.Filter
	buckets uint64
}

// NewSeiflotfyCuckoo makes one for a capacity, which the library rounds up to a
// power of two.
func NewSeiflotfyCuckoo(capacity int) *SeiflotfyCuckoo {
	f := cuckoofilter.NewFilter(uint(capacity))
	return &SeiflotfyCuckoo{f, uint64(len(f.Encode())) / seiflotfySlots}
}

func (s *SeiflotfyCuckoo) Add(key uint64) error          { return s.AddBytes(keyBytes(key)) }
func (s *SeiflotfyCuckoo) Contains(key uint64) bool      { return s.f.Lookup(keyBytes(key)) }
func (s *SeiflotfyCuckoo) Remove(key uint64) error       { return s.RemoveBytes(keyBytes(key)) }
func (s *SeiflotfyCuckoo) ContainsBytes(key []byte) bool { return s.f.Lookup(key) }
func (s *SeiflotfyCuckoo) Len() int                      { return int(s.f.Count()) }
func (s *SeiflotfyCuckoo) Slots() int                    { return seiflotfySlots }
func (s *SeiflotfyCuckoo) FingerprintBits() int          { return seiflotfyBits }
func (s *SeiflotfyCuckoo) Buckets() uint64               { return s.buckets }
func (s *SeiflotfyCuckoo) SizeBytes() int                { return int(s.buckets) * seiflotfySlots }

// AddBytes inserts a key, or returns ErrFull.
func (s *SeiflotfyCuckoo) AddBytes(key []byte) error {
	if !s.f.Insert(key) {
		return sketchproof.ErrFull
	}
	return nil
}

// RemoveBytes deletes one copy of a key, or returns ErrNotFound.
func (s *SeiflotfyCuckoo) RemoveBytes(key []byte) error {
	if !s.f.Delete(key) {
		return sketchproof.ErrNotFound
	}
	return nil
}

// CuckooPoisson is the rate of a cuckoo filter at the load that was reached.
var CuckooPoisson = filterLaw{
	Name: "cuckoo.poisson", Metric: sketchproof.MetricFPR,
	Source: "Fan et al. 2014, section 5.1, with Poisson occupancy and 2^f-1 tags",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, _ int) stats.Band {
		s := f.(CuckooShape)
		load := float64(s.Len()) / (float64(s.Buckets()) * float64(s.Slots()))
		return RateBand(cuckoo.FPR(s.FingerprintBits(), s.Slots(), load))
	},
}
