package adapters

import (
	"fmt"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/counting"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	nativeCounting4  = countingSubject(4)
	nativeCounting8  = countingSubject(8)
	nativeCounting16 = countingSubject(16)
)

// countingSubject names no Merge: that of a counting filter is the union of
// multisets, in which a key of both filters counts twice. What the catalogue
// merges is the union of sets, and is tried as that.
func countingSubject(cellBits int) Filter {
	return Filter{
		Name:  fmt.Sprintf("counting-%d", cellBits),
		Keyed: true,
		Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
			f, err := counting.ForRate(uint64(max(spec.Size(), 1)), spec.Epsilon, cellBits, hashOf(spec, hashing.XX))
			return holding(f, err, spec.Keys)
		},
		Encode: encode[sketchproof.Filter],
		Decode: decodeInto[counting.Filter, *counting.Filter, sketchproof.Filter],
		Laws:   []filterLaw{CountingExact, promisedRate},
	}
}

// CountingExact is BloomExact of the cells that are not 0.
var CountingExact = filterLaw{
	Name: BloomExact.Name, Metric: BloomExact.Metric, Source: BloomExact.Source,
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		s := f.(interface {
			Cells() int
			Hashes() int
		})
		return RateBand(counting.FPR(n, s.Cells(), s.Hashes()))
	},
}
