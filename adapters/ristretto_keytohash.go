package adapters

import (
	"encoding/json"

	"github.com/dgraph-io/ristretto/v2/z"

	"github.com/sketchproof/sketchproof"
)

var ristrettoKeyToHash = Filter{
	Name:   "ristretto-keytohash",
	Module: ristrettoBloom.Module,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		f, err := newRistretto(max(spec.Size(), 1), spec.Epsilon, 0)
		return holding(RistrettoKeyToHash{f.f, f.k}, err, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) { return f.(RistrettoKeyToHash).f.JSONMarshal(), nil },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f, err := z.JSONUnmarshal(data)
		if err != nil {
			return nil, err
		}
		var told struct{ SetLocs uint64 }
		err = json.Unmarshal(data, &told)
		return RistrettoKeyToHash{f, told.SetLocs}, err
	},
	Laws: ristrettoBloom.Laws,
	Promises: append([]sketchproof.Promise{
		{Of: sketchproof.Serialization, Text: "JSONUnmarshal takes JSON-Object (type bloomJSONImExport) as []bytes returns bloom32 / bloom64 object.", Where: "z, func JSONUnmarshal"},
	}, ristrettoBloom.Promises...),
}

// RistrettoKeyToHash is RistrettoBloom with the library's own KeyToHash, as its
// users call it with numbers: each is its own hash. That of a byte string is the
// Go runtime's, which differs from process to process, and is left out.
type RistrettoKeyToHash struct {
	f *z.Bloom
	k uint64
}

func (r RistrettoKeyToHash) Add(key uint64) error     { r.f.Add(keyToHash(key)); return nil }
func (r RistrettoKeyToHash) Contains(key uint64) bool { return r.f.Has(keyToHash(key)) }
func (r RistrettoKeyToHash) M() uint64                { return 8 * uint64(r.SizeBytes()) }
func (r RistrettoKeyToHash) K() uint64                { return r.k }

// SizeBytes is the library's own account without the five fields of its header.
func (r RistrettoKeyToHash) SizeBytes() int { return r.f.TotalSize() - 5*8 }

// keyToHash is the library's hash of a key: the first of two, which a cache takes.
func keyToHash(key uint64) uint64 {
	hash, _ := z.KeyToHash(key)
	return hash
}
