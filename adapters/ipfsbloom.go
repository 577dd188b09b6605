package adapters

import (
	"encoding/binary"
	"encoding/json"

	"github.com/ipfs/bbloom"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var ipfsBloom = Filter{
	Name:   "ipfs-bbloom",
	Module: "github.com/ipfs/bbloom",
	Keyed:  true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		k0, k1 := binary.LittleEndian.Uint64(spec.Secret[:]), binary.LittleEndian.Uint64(spec.Secret[8:])
		if spec.Secret == ([16]byte{}) {
			k0 = hashing.Mix(spec.Seed + hashing.Gamma)
			k1 = hashing.Mix(k0 + hashing.Gamma)
		}
		f, err := bbloom.NewWithKeys(k0, k1, float64(max(spec.Size(), 1)), spec.Epsilon)
		if err != nil {
			return nil, err
		}
		b, err := ipfsBloomOf(f)
		return holding(b, err, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) { return f.(IPFSBloom).f.JSONMarshalTS(), nil },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f, err := bbloom.JSONUnmarshal(data)
		if err != nil {
			return nil, err
		}
		return orError(ipfsBloomOf(f))
	},
	Laws: []filterLaw{BloomExact, promisedRate},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "It may return false positives but never false negatives", Where: "package bbloom"},
		{Of: sketchproof.Rate, Text: "it is treated as a false-positive rate, and the filter is sized automatically", Where: "func New"},
		{Of: sketchproof.Capacity, Text: "New(float64(1<<16), 0.01) -- 65536 items, 1% FP rate", Where: "func New"},
		{Of: sketchproof.Serialization, Text: "The result can be restored with JSONUnmarshal.", Where: "func (*Bloom) JSONMarshal"},
		{Of: sketchproof.Concurrency, Text: "HasTS is the thread-safe version of Bloom.Has.", Where: "func (*Bloom) HasTS"},
	},
}

// IPFSBloom is a filter of github.com/ipfs/bbloom: SipHash under keys that follow
// from the seed or are the secret, double hashing in a power of two of bits, asked
// through the methods that may be called side by side.
type IPFSBloom struct {
	f    *bbloom.Bloom
	m, k uint64
}

// ipfsBloomOf finds bits and probes in the library's JSON, which alone tells them.
func ipfsBloomOf(f *bbloom.Bloom) (IPFSBloom, error) {
	var told struct {
		FilterSet []byte
		SetLocs   uint64
	}
	err := json.Unmarshal(f.JSONMarshalTS(), &told)
	return IPFSBloom{f, 8 * uint64(len(told.FilterSet)), told.SetLocs}, err
}

func (b IPFSBloom) Add(key uint64) error          { b.f.AddTS(keyBytes(key)); return nil }
func (b IPFSBloom) Contains(key uint64) bool      { return b.f.HasTS(keyBytes(key)) }
func (b IPFSBloom) AddBytes(key []byte) error     { b.f.AddTS(key); return nil }
func (b IPFSBloom) ContainsBytes(key []byte) bool { return b.f.HasTS(key) }
func (b IPFSBloom) M() uint64                     { return b.m }
func (b IPFSBloom) K() uint64                     { return b.k }

// SizeBytes is the length of the bits.
func (b IPFSBloom) SizeBytes() int { return int(b.m / 8) }
