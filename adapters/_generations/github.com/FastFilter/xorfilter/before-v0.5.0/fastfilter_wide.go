package adapters

import (
	"math"
	"unsafe"

	"github.com/FastFilter/xorfilter"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/stats"
)

// fastfilterWide are the filters of wider fingerprints, which the library has since
// its version 0.2.0.
var fastfilterWide = []Filter{
	fastfilterFuse[uint16]("fastfilter-fuse16", "0.0015% false positive rate, uses about 18 bits per key"),
	fastfilterFuse[uint32]("fastfilter-fuse32", "2e-08% false positive rate, uses about 36 bits per key"),
}

func fastfilterFuse[T xorfilter.Unsigned](name, figures string) Filter {
	fingerprintBits := int(8 * unsafe.Sizeof(T(0)))
	return Filter{
		Name:   name,
		Module: "github.com/FastFilter/xorfilter",
		Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
			if len(spec.Keys) == 0 {
				return FastFilterFuse[T]{}, nothingButKeys(spec)
			}
			// The library may move the caller's keys.
			f, err := xorfilter.NewBinaryFuse[T](append([]uint64(nil), spec.Keys...))
			return FastFilterFuse[T]{f}, err
		},
		Laws: []filterLaw{{
			Name: fastfilterRate.Name, Metric: fastfilterRate.Metric, Source: fastfilterRate.Source,
			Predict: func(_ sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
				if n == 0 {
					return stats.AtMost(0)
				}
				return RateBand(math.Ldexp(1, -fingerprintBits))
			},
		}},
		Promises: append([]sketchproof.Promise{
			{Of: sketchproof.Rate, Text: figures, Where: "README"},
			{Of: sketchproof.Memory, Text: figures, Where: "README"},
		}, fastfilterPromises...),
	}
}

// FastFilterFuse is FastFilterFuse8 with fingerprints of another width.
type FastFilterFuse[T xorfilter.Unsigned] struct{ f *xorfilter.BinaryFuse[T] }

// Contains reports whether the key may be held.
func (x FastFilterFuse[T]) Contains(key uint64) bool { return x.f != nil && x.f.Contains(key) }

// SizeBytes is the length of the fingerprints.
func (x FastFilterFuse[T]) SizeBytes() int {
	if x.f == nil {
		return 0
	}
	return len(x.f.Fingerprints) * int(unsafe.Sizeof(T(0)))
}

// fastfilterPromises are those of all filters of the library.
var fastfilterPromises = []sketchproof.Promise{
	{Of: sketchproof.Membership, Text: "It will always return true if v was part of the initial construction", Where: "README"},
	{Of: sketchproof.Concurrency, Text: "An xor filter is immutable, it is concurrent.", Where: "README"},
}
