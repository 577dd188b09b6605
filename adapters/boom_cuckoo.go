package adapters

import (
	"fmt"
	"math"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

const (
	boomSlots     = 4
	boomSlotBytes = 24 // a slice header
	boomHashBytes = 4
	// boomCuckooLimit is the largest table that the adapter asks for, 1 GiB: the
	// library takes 32 slots for each key of its capacity.
	boomCuckooLimit = 1 << 30
)

var boomCuckoo = Filter{
	Name:   "boom-cuckoo",
	Module: boomModule,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkBoomSpec(spec); err != nil {
			return nil, err
		}
		n, tag := max(spec.Size(), 1), boomTagBytes(spec.Epsilon)
		if tag > boomHashBytes {
			return nil, fmt.Errorf("adapters: boom-cuckoo: rate %v; its fingerprint of %d bytes is longer than the hash, %d", spec.Epsilon, tag, boomHashBytes)
		}
		if n < tag {
			return nil, fmt.Errorf("adapters: boom-cuckoo: capacity %d at rate %v; the library makes no bucket for fewer keys than a fingerprint has bytes, %d", n, spec.Epsilon, tag)
		}
		if n/tag*8 > boomCuckooLimit/(boomSlots+1)/boomSlotBytes/2 {
			return nil, fmt.Errorf("adapters: boom-cuckoo: capacity %d; its table may pass %d bytes", n, boomCuckooLimit)
		}
		return holding(&BoomCuckoo{boom.NewCuckooFilter(uint(n), spec.Epsilon), tag}, nil, spec.Keys)
	},
	Laws: []filterLaw{CuckooPoisson, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "optimized to store n items with a specified target false-positive rate", Where: "func NewCuckooFilter"},
		{Of: sketchproof.Capacity, Text: "If the filter is full, an item is removed to make room for the new item. This introduces a possibility for false negatives.", Where: "func (*CuckooFilter) Add"},
		{Of: sketchproof.Deletion, Text: "allows for item removal without false negatives (if you don't attempt to remove an item not contained in the filter)", Where: "type CuckooFilter"},
		{Of: sketchproof.Memory, Text: "cuckoo filters have lower space overhead than space-optimized Bloom filters", Where: "type CuckooFilter"},
	},
}

// boomTagBytes is the length of a fingerprint, which the library does not tell: an
// eighth of the natural logarithm of 2b/ε, rounded up and then down, and 1 at least.
func boomTagBytes(eps float64) int {
	return max(1, int(math.Ceil(math.Log(2*boomSlots/eps)))/8)
}

// BoomCuckoo is a cuckoo filter of github.com/tylertreat/BoomFilters: fingerprints of
// whole bytes in four slots, FNV-1 of 32 bits, no seed, victims drawn from the global
// math/rand.
type BoomCuckoo struct {
	f   *boom.CuckooFilter
	tag int
}

func (b *BoomCuckoo) Add(key uint64) error          { return b.AddBytes(keyBytes(key)) }
func (b *BoomCuckoo) Contains(key uint64) bool      { return b.f.Test(keyBytes(key)) }
func (b *BoomCuckoo) Remove(key uint64) error       { return b.RemoveBytes(keyBytes(key)) }
func (b *BoomCuckoo) ContainsBytes(key []byte) bool { return b.f.Test(key) }
func (b *BoomCuckoo) Len() int                      { return int(b.f.Count()) }
func (b *BoomCuckoo) Slots() int                    { return boomSlots }
func (b *BoomCuckoo) FingerprintBits() int          { return 8 * b.tag }
func (b *BoomCuckoo) Buckets() uint64               { return uint64(b.f.Buckets()) }

// SizeBytes is a slice header a bucket and a slot, and the hash of four bytes, in
// eight, that each fingerprint is cut from and keeps.
func (b *BoomCuckoo) SizeBytes() int {
	return int(b.f.Buckets())*(1+boomSlots)*boomSlotBytes + 8*b.Len()
}

// AddBytes inserts a key, or returns ErrFull.
func (b *BoomCuckoo) AddBytes(key []byte) error {
	if b.f.Add(key) != nil {
		return sketchproof.ErrFull
	}
	return nil
}

// RemoveBytes deletes one copy of a key, or returns ErrNotFound.
func (b *BoomCuckoo) RemoveBytes(key []byte) error {
	if !b.f.TestAndRemove(key) {
		return sketchproof.ErrNotFound
	}
	return nil
}
