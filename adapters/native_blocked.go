package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/blocked"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/splitblock"
	"github.com/sketchproof/sketchproof/stats"
)

var nativeSplitBlock = Filter{
	Name:  "splitblock",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		// XXH3, which costs short keys little beside the one cache line. (A file of the
		// Parquet format has XXH64 under seed 0.)
		f, err := splitblock.ForRate(uint64(spec.Size()), spec.Epsilon, hashOf(spec, hashing.XX3))
		return holding(f, err, spec.Keys)
	},
	Merge:  mergeAs[*splitblock.Filter, sketchproof.Filter],
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[splitblock.Filter, *splitblock.Filter, sketchproof.Filter],
	Laws:   []filterLaw{SplitBlockMixture, promisedRate},
}

var (
	nativeBlockedLine    = blockedSubject("blocked-line", blocked.Line)
	nativeBlockedSectors = blockedSubject("blocked-sectors", blocked.Sectors)
	nativeBlockedWord    = blockedSubject("blocked-word", blocked.Word)
)

func blockedSubject(name string, kind blocked.Kind) Filter {
	return Filter{
		Name:  name,
		Keyed: true,
		Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
			f, err := blocked.ForRate(uint64(spec.Size()), spec.Epsilon, kind, hashOf(spec, hashing.XX))
			return holding(f, err, spec.Keys)
		},
		Merge:  mergeAs[*blocked.Filter, sketchproof.Filter],
		Encode: encode[sketchproof.Filter],
		Decode: decodeInto[blocked.Filter, *blocked.Filter, sketchproof.Filter],
		Laws:   []filterLaw{BlockedMixture, promisedRate},
	}
}

// SplitBlockMixture is the rate of a split block filter.
var SplitBlockMixture = filterLaw{
	Name: "splitblock.mixture", Metric: sketchproof.MetricFPR,
	Source: "Putze, Sanders, Singler 2007, one probe in each of eight lanes; binomial block loads",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		return RateBand(splitblock.FPR(f.(interface{ Blocks() uint64 }).Blocks(), uint64(n)))
	},
}

// BlockedMixture is the rate of a blocked filter.
var BlockedMixture = filterLaw{
	Name: "blocked.mixture", Metric: sketchproof.MetricFPR,
	Source: "Putze, Sanders, Singler 2007, section 3, with the exact rate inside a block; binomial block loads",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		s := f.(interface {
			Kind() blocked.Kind
			Blocks() uint64
			K() int
		})
		return RateBand(blocked.FPR(s.Kind(), s.Blocks(), s.K(), uint64(n)))
	},
}
