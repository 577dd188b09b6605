package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/rotating"
	"github.com/sketchproof/sketchproof/impl/scalable"
	"github.com/sketchproof/sketchproof/stats"
)

// nativeScalable starts at an eighth of the capacity, so that a filter at its
// capacity is a chain of several links.
var nativeScalable = Filter{
	Name:  "scalable",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		f, err := scalable.New(scalable.Params{
			Capacity: uint64(spec.Size()) / 8, Rate: spec.Epsilon, Hash: hashOf(spec, hashing.XX),
		})
		return holding(f, err, spec.Keys)
	},
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[scalable.Filter, *scalable.Filter, sketchproof.Filter],
	Laws:   []filterLaw{ScalableCompound, promisedRate},
}

// ScalableCompound is the rate of a chain at the fill of its links.
var ScalableCompound = filterLaw{
	Name: "scalable.compound", Metric: sketchproof.MetricFPR,
	Source:  "Almeida, Baquero, Preguiça, Hutchison 2007, section 3: 1 - Π(1-p_i), p_i = (X_i/m_i)^k_i",
	Predict: atItsFill,
}

// nativeRotating rotates by hand only, as the catalogue's keys must all be found
// again. Of the keys that it is built with, half are in its previous filter.
var nativeRotating = Filter{
	Name:  "rotating",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		p, err := rotating.Size(uint64(spec.Size()), spec.Epsilon)
		if err != nil {
			return nil, err
		}
		p.Fill, p.Hash = rotating.NoFill, hashOf(spec, hashing.XX)
		f, err := rotating.New(p)
		if err != nil {
			return nil, err
		}
		early := len(spec.Keys) / 2
		if _, err := f.AddBatch(spec.Keys[:early]); err != nil {
			return nil, err
		}
		f.Rotate()
		return holding(f, nil, spec.Keys[early:])
	},
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[rotating.Filter, *rotating.Filter, sketchproof.Filter],
	Laws:   []filterLaw{rotatingWindow, promisedRate},
}

// rotatingWindow is the rate of two filters at their fill.
var rotatingWindow = filterLaw{
	Name: "rotating.window", Metric: sketchproof.MetricFPR,
	Source:  "Bloom 1970; derived: 1 - (1-p)(1-q), p and q = (X/m)^k of the two filters",
	Predict: atItsFill,
}

// atItsFill is the band of the rate that the bits of a filter show.
func atItsFill(f sketchproof.Filter, _ sketchproof.FilterSpec, _ int) stats.Band {
	return RateBand(f.(interface{ RateEstimate() float64 }).RateEstimate())
}
