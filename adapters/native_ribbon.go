package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/ribbon"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	nativeRibbon            = ribbonSubject("ribbon", 64, ribbon.Standard)
	nativeRibbonHomogeneous = ribbonSubject("ribbon-homogeneous", 64, ribbon.Homogeneous)
	nativeRibbon128         = ribbonSubject("ribbon-128", 128, ribbon.Standard)
)

func ribbonSubject(name string, width int, form ribbon.Form) Filter {
	law := RibbonStandard
	if form == ribbon.Homogeneous {
		law = RibbonHomogeneous
	}
	return Filter{
		Name:  name,
		Keyed: true,
		Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
			p, err := ribbon.Size(len(spec.Keys)+len(spec.ByteKeys), spec.Epsilon, width, form)
			if err != nil {
				return nil, err
			}
			p.Hash = hashOf(spec, hashing.XX)
			if len(spec.ByteKeys) > 0 {
				return orError(ribbon.NewFromBytes(spec.ByteKeys, p))
			}
			return orError(ribbon.New(spec.Keys, p))
		},
		Encode: encode[sketchproof.Filter],
		Decode: decodeInto[ribbon.Filter, *ribbon.Filter, sketchproof.Filter],
		Laws:   []filterLaw{law, promisedRate},
	}
}

var nativeBurr = Filter{
	Name:  "burr",
	Keyed: true,
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		p, err := ribbon.Size(len(spec.Keys)+len(spec.ByteKeys), spec.Epsilon, 64, ribbon.Standard)
		if err != nil {
			return nil, err
		}
		p.Hash = hashOf(spec, hashing.XX)
		if len(spec.ByteKeys) > 0 {
			return orError(ribbon.NewBumpedFromBytes(spec.ByteKeys, p))
		}
		return orError(ribbon.NewBumped(spec.Keys, p))
	},
	Encode: encode[sketchproof.Filter],
	Decode: decodeInto[ribbon.Bumped, *ribbon.Bumped, sketchproof.Filter],
	Laws:   []filterLaw{BurrRate, promisedRate},
}

// RibbonShape is the geometry of a ribbon filter.
type RibbonShape interface {
	Bits() float64  // mean number of columns
	Width() int     // coefficients a key
	Starts() uint64 // rows at which a key may start
	Len() int       // distinct keys held
}

// RibbonStandard is the rate of r bits that an absent key must meet.
var RibbonStandard = filterLaw{
	Name: "static.rate", Metric: sketchproof.MetricFPR,
	Source: "Dillinger & Walzer 2021: 2^-r, between whole r on the straight line",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, _ int) stats.Band {
		s := f.(RibbonShape)
		if s.Len() == 0 {
			return stats.AtMost(0)
		}
		return RateBand(ribbon.FPR(s.Bits()))
	},
}

// BurrRate is the same of the columns of every layer.
var BurrRate = filterLaw{
	Name: RibbonStandard.Name, Metric: sketchproof.MetricFPR, Source: RibbonStandard.Source,
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, _ int) stats.Band {
		return RateBand(f.(interface{ Rate() float64 }).Rate())
	},
}

// RibbonHomogeneous is the rate of r bits, and of keys whose equation follows
// from those held: at most as many as at the first attempt. The filter makes
// further ones to have fewer.
var RibbonHomogeneous = filterLaw{
	Name: "ribbon.homogeneous", Metric: sketchproof.MetricFPR,
	Source: "derived from Dillinger & Walzer 2021: 2^-r, and the share of equations that follow from others",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, _ int) stats.Band {
		s := f.(RibbonShape)
		if s.Len() == 0 {
			return stats.AtMost(0)
		}
		follows := ribbon.Follows(float64(s.Starts())/float64(s.Len())-1, s.Width())
		least, most := RateBand(ribbon.FPR(s.Bits())), RateBand(ribbon.FPRHomogeneous(s.Bits(), follows))
		return stats.Between((least.Predicted+most.Predicted)/2, least.Lo, most.Hi)
	},
}
