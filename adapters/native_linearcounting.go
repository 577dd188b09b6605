package adapters

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/linearcounting"
	"github.com/sketchproof/sketchproof/stats"
)

// nativeLinearCounting has a byte for each register that was asked for, eight bits
// of bitmap: as much memory as HyperLogLog with registers of eight bits.
var nativeLinearCounting = Cardinality{
	Name: "linearcounting",
	Build: func(spec sketchproof.CardinalitySpec) (sketchproof.Cardinality, error) {
		if spec.Precision < 4 || spec.Precision > 26 {
			return nil, fmt.Errorf("adapters: linearcounting: precision %d; it must be 4 to 26", spec.Precision)
		}
		return linearcounting.New(linearcounting.Params{Bits: 8 << spec.Precision, Hash: hashing.XX(spec.Seed)})
	},
	Merge:  mergeAs[*linearcounting.Sketch, sketchproof.Cardinality],
	Encode: encode[sketchproof.Cardinality],
	Decode: decodeInto[linearcounting.Sketch, *linearcounting.Sketch, sketchproof.Cardinality],
	Laws:   []cardinalityLaw{LinearCountingSpread, LinearCountingBias},
}

// LinearCountingSpread is the spread of linear counting, its bias included. It says
// nothing beyond linearcounting.Load keys a bit: its band is then not a number.
var LinearCountingSpread = cardinalityLaw{
	Name: "linearcounting.error", Metric: sketchproof.MetricSpread,
	Source: "Whang, Vander-Zanden and Taylor 1990, equation 10",
	Predict: func(s sketchproof.Cardinality, spec sketchproof.CardinalitySpec, n int) stats.Band {
		bias, err := linearCounting(s, n)
		return stats.Within(math.Hypot(bias, err), stats.SpreadTolerance(spec.Precision))
	},
}

// LinearCountingBias is the bias of linear counting, give or take a tenth of its
// error, for as many keys as LinearCountingSpread speaks of.
var LinearCountingBias = cardinalityLaw{
	Name: "linearcounting.bias", Metric: sketchproof.MetricBias,
	Source: "Whang, Vander-Zanden and Taylor 1990, and the bits that are drawn twice, which it leaves out",
	Predict: func(s sketchproof.Cardinality, _ sketchproof.CardinalitySpec, n int) stats.Band {
		bias, err := linearCounting(s, n)
		return stats.Between(bias, bias-stats.BiasTolerance*err, bias+stats.BiasTolerance*err)
	},
}

func linearCounting(s sketchproof.Cardinality, n int) (bias, err float64) {
	m, keys := float64(s.(*linearcounting.Sketch).Bits()), float64(n)
	if keys > linearcounting.Load*m {
		return math.NaN(), math.NaN()
	}
	return linearcounting.Bias(m, keys), linearcounting.Error(m, keys)
}
