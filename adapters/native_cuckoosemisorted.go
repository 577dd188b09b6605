package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var nativeCuckooSemiSorted = Filter{
	Name:  "cuckoo-semisorted",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		p, err := cuckoo.SizeSemiSorted(max(spec.Size(), 1), spec.Epsilon)
		if err != nil {
			return nil, err
		}
		p.Hash = hashOf(spec, hashing.XX)
		f, err := cuckoo.New(p)
		return holding(f, err, spec.Keys)
	},
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[cuckoo.Filter, *cuckoo.Filter, sketchproof.Filter],
	Laws:   []filterLaw{CuckooPoisson, promisedRate},
}
