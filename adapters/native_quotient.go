package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/quotient"
	"github.com/sketchproof/sketchproof/stats"
)

// nativeQuotient holds a fingerprint once, so that it cannot remove.
var nativeQuotient = Filter{
	Name:  "quotient",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		p, err := quotientParams(spec)
		if err != nil {
			return nil, err
		}
		f, err := quotient.New(p)
		return holding(f, err, spec.Keys)
	},
	Merge:  mergeAs[*quotient.Filter, sketchproof.Filter],
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[quotient.Filter, *quotient.Filter, sketchproof.Filter],
	Laws:   []filterLaw{QuotientPoisson, promisedRate},
}

// nativeQuotientCounting has no Merge here: merged multisets add up, and what ranges
// over the catalogue takes merging for a union.
var nativeQuotientCounting = Filter{
	Name:  "quotient-counting",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		p, err := quotientParams(spec)
		if err != nil {
			return nil, err
		}
		f, err := quotient.NewCounting(p)
		return holding(f, err, spec.Keys)
	},
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[quotient.Counting, *quotient.Counting, sketchproof.Filter],
	Laws:   []filterLaw{QuotientPoisson, promisedRate},
}

func quotientParams(spec sketchproof.FilterSpec) (quotient.Params, error) {
	p, err := quotient.Size(uint64(max(spec.Size(), 1)), spec.Epsilon)
	p.Hash = hashOf(spec, hashing.XX)
	return p, err
}

// QuotientShape is the geometry of anything that is a quotient filter.
type QuotientShape interface {
	Slots() uint64      // quotients
	RemainderBits() int // stored in a slot
}

// QuotientPoisson is the rate of a quotient filter that holds n distinct keys.
var QuotientPoisson = filterLaw{
	Name: "quotient.poisson", Metric: sketchproof.MetricFPR,
	Source: "Bender et al. 2012, section 3: 1-e^(-a/2^r)",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		s := f.(QuotientShape)
		return RateBand(quotient.FPR(uint(s.RemainderBits()), float64(n)/float64(s.Slots())))
	},
}
