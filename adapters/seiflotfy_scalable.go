package adapters

import (
	"bytes"
	"encoding/gob"

	cuckoofilter "github.com/seiflotfy/cuckoofilter"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/stats"
)

// seiflotfyScalable starts at the library's 10000 keys, whatever the spec asks for:
// its options cannot be set from outside.
var seiflotfyScalable = Filter{
	Name:   "seiflotfy-scalable",
	Module: seiflotfyCuckoo.Module,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		return holding(SeiflotfyScalable{cuckoofilter.NewScalableCuckooFilter()}, nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) { return f.(SeiflotfyScalable).f.Encode(), nil },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f, err := cuckoofilter.DecodeScalableFilter(data)
		if err != nil {
			return nil, err
		}
		return SeiflotfyScalable{f}, nil
	},
	Laws: []filterLaw{cuckooChain},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "Insert inserts data into the counter and returns true upon success", Where: "func (*Filter) Insert"},
		{Of: sketchproof.Rate, Text: "With the 8 bit fingerprint size in this repository, you can expect r ~= 0.03", Where: "README"},
		{Of: sketchproof.Deletion, Text: "Cuckoo filters provide the flexibility to add and remove items dynamically.", Where: "README"},
	},
}

// cuckooChain is the rate of a chain of cuckoo filters at their loads.
var cuckooChain = filterLaw{
	Name: "cuckoo.chain", Metric: sketchproof.MetricFPR,
	Source: "Fan et al. 2014, section 5.1, with Poisson occupancy and 2^f-1 tags; derived: 1 - Π(1-p_i) over the filters",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, _ int) stats.Band {
		missed := 1.0
		for _, link := range f.(SeiflotfyScalable).links() {
			held := len(link) - bytes.Count(link, []byte{0})
			missed *= 1 - cuckoo.FPR(seiflotfyBits, seiflotfySlots, float64(held)/float64(len(link)))
		}
		return RateBand(1 - missed)
	},
}

// SeiflotfyScalable is a chain of cuckoo filters of github.com/seiflotfy/cuckoofilter,
// each twice as large as the one before.
type SeiflotfyScalable struct {
	f *cuckoofilter.ScalableCuckooFilter
}

func (s SeiflotfyScalable) Add(key uint64) error          { return s.AddBytes(keyBytes(key)) }
func (s SeiflotfyScalable) Contains(key uint64) bool      { return s.f.Lookup(keyBytes(key)) }
func (s SeiflotfyScalable) Remove(key uint64) error       { return s.RemoveBytes(keyBytes(key)) }
func (s SeiflotfyScalable) ContainsBytes(key []byte) bool { return s.f.Lookup(key) }
func (s SeiflotfyScalable) Len() int                      { return int(s.f.Count()) }

// AddBytes inserts a key, or returns ErrFull.
func (s SeiflotfyScalable) AddBytes(key []byte) error {
	if !s.f.Insert(key) {
		return sketchproof.ErrFull
	}
	return nil
}

// RemoveBytes deletes one copy of a key, or returns ErrNotFound.
func (s SeiflotfyScalable) RemoveBytes(key []byte) error {
	if !s.f.Delete(key) {
		return sketchproof.ErrNotFound
	}
	return nil
}

// links are the bytes of the filters. The library tells them in its encoding alone.
func (s SeiflotfyScalable) links() [][]byte {
	var told cuckoofilter.Store
	if gob.NewDecoder(bytes.NewReader(s.f.Encode())).Decode(&told) != nil {
		return nil
	}
	return told.Bytes
}

// SizeBytes is a byte a slot.
func (s SeiflotfyScalable) SizeBytes() int {
	size := 0
	for _, link := range s.links() {
		size += len(link)
	}
	return size
}
