package adapters

import (
	"bytes"
	"fmt"
	"math"
	"sync"

	"github.com/cockroachdb/pebble/v2/bloom"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/blocked"
)

// pebbleTable is the library's name for a filter of a whole table, the only one.
const pebbleTable = 0

var pebbleBloom = Filter{
	Name:   "pebble-bloom",
	Module: "github.com/cockroachdb/pebble/v2",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		bits, err := pebbleBits(spec.Epsilon)
		if err != nil {
			return nil, err
		}
		w := bloom.FilterPolicy(bits).NewWriter(pebbleTable)
		for _, k := range spec.Keys {
			w.AddKey(keyBytes(k))
		}
		for _, k := range spec.ByteKeys {
			w.AddKey(k)
		}
		// The library leaves room behind it for more of a table.
		return PebbleBloom{bytes.Clone(w.Finish(nil))}, nil
	},
	// What the library makes is bytes, which its users store.
	Encode: func(f sketchproof.Filter) ([]byte, error) { return bytes.Clone(f.(PebbleBloom).data), nil },
	Decode: func(data []byte) (sketchproof.Filter, error) { return PebbleBloom{bytes.Clone(data)}, nil },
	Laws:   []filterLaw{BlockedMixture},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Rate, Text: "A good value is 10, which yields a filter with ~ 1% false positive rate.", Where: "type FilterPolicy"},
		{Of: sketchproof.Memory, Text: "The integer value is the approximate number of bits used per key.", Where: "type FilterPolicy"},
		{Of: sketchproof.Serialization, Text: "The table filter format matches the RocksDB full-file filter format.", Where: "bloom/bloom.go"},
	},
}

// PebbleBloom is a table filter of github.com/cockroachdb/pebble/v2: a hash of 32
// bits, of which all probes into one cache line are made, no seed.
type PebbleBloom struct{ data []byte }

func (p PebbleBloom) Contains(key uint64) bool { return p.ContainsBytes(keyBytes(key)) }

// ContainsBytes reports whether the key may be held. The policy's bits do not
// matter: the filter tells its own.
func (p PebbleBloom) ContainsBytes(key []byte) bool {
	return bloom.FilterPolicy(0).MayContain(pebbleTable, p.data, key)
}

// pebbleTrailer is the number of probes and that of lines.
const pebbleTrailer = 5

func (p PebbleBloom) Kind() blocked.Kind { return blocked.Line }
func (p PebbleBloom) Blocks() uint64     { return uint64(p.SizeBytes() / 64) }
func (p PebbleBloom) K() int             { return int(p.data[len(p.data)-pebbleTrailer]) }

// SizeBytes is the length of the lines.
func (p PebbleBloom) SizeBytes() int { return max(0, len(p.data)-pebbleTrailer) }

// policyBits is the most bits a key that a policy is asked for.
const policyBits = 100

// bitsFor is the least number of bits a key for which a formula promises a rate:
// the library asks for bits.
func bitsFor(eps float64, rate func(bits int) float64) (int, error) {
	for bits := 1; bits <= policyBits; bits++ {
		if rate(bits) <= eps {
			return bits, nil
		}
	}
	return 0, fmt.Errorf("adapters: rate %v; %d bits a key do not reach it", eps, policyBits)
}

// pebbleBits asks the blocked filter's formula at ten thousand keys.
func pebbleBits(eps float64) (int, error) {
	return bitsFor(eps, func(bits int) float64 { return pebbleRates()[bits] })
}

// pebbleRates are those of the formula, by bits a key.
var pebbleRates = sync.OnceValue(func() []float64 {
	const n = 10000
	rates := make([]float64, policyBits+1)
	for bits := 1; bits <= policyBits; bits++ {
		rates[bits] = blocked.FPR(blocked.Line, uint64((n*bits+511)/512)|1, policyProbes(bits), n)
	}
	return rates
})

// policyProbes is ln 2 times the bits a key, rounded down, as both policies take it.
func policyProbes(bits int) int { return min(30, max(1, int(math.Floor(float64(bits)*0.69)))) }
