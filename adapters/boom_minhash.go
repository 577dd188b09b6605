package adapters

import (
	"errors"
	"fmt"

	boom "github.com/tylertreat/BoomFilters"

	"github.com/sketchproof/sketchproof"
)

// boomPatience is the largest number of comparisons of strings that the adapter asks
// for, some seconds of them: the library makes about the third power of the keys.
const boomPatience = 1 << 30

// boomMinHash holds the keys themselves: the library has a function of two bags, and
// no signature of one. Its K is the number of keys in both bags, not the spec's.
var boomMinHash = Signature{
	Name:     "boom-minhash",
	Module:   boomModule,
	Unseeded: true, // it numbers keys in the order of a map
	Build: func(spec sketchproof.SignatureSpec) (sketchproof.Signature, error) {
		if spec.K < 1 {
			return nil, fmt.Errorf("adapters: boom-minhash: %d values; at least 1", spec.K)
		}
		return new(BoomMinHash), nil
	},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Accuracy, Text: "MinHash returns the approximated similarity ratio of the two bags.", Where: "func MinHash"},
	},
}

// BoomMinHash is a bag for the MinHash of github.com/tylertreat/BoomFilters, which
// draws from the global math/rand at each call.
type BoomMinHash struct{ bag []string }

// Add puts a key into the bag, once more if it is there.
func (b *BoomMinHash) Add(key uint64) { b.bag = append(b.bag, string(keyBytes(key))) }

// Similarity is that of the two bags.
func (b *BoomMinHash) Similarity(other sketchproof.Signature) (float64, error) {
	o, ok := other.(*BoomMinHash)
	if !ok {
		return 0, fmt.Errorf("adapters: boom-minhash beside %T", other)
	}
	all := len(b.bag) + len(o.bag)
	if all == 0 {
		return 0, errors.New("adapters: boom-minhash: both sets are empty")
	}
	if work := float64(all) * float64(all) * float64(all); work > boomPatience {
		return 0, fmt.Errorf("adapters: boom-minhash: %d keys in both bags take the library about %.1g comparisons", all, work)
	}
	return float64(boom.MinHash(b.bag, o.bag)), nil
}

// SizeBytes is a string of eight bytes a key.
func (b *BoomMinHash) SizeBytes() int { return len(b.bag) * (16 + 8) }
