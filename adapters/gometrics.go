package adapters

import (
	"fmt"
	"math"

	metrics "github.com/rcrowley/go-metrics"

	"github.com/sketchproof/sketchproof"
)

var goMetricsUniform = Sampler{
	Name:   "go-metrics-uniform",
	Module: "github.com/rcrowley/go-metrics",
	Build: func(spec sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
		if spec.K < 0 || spec.K > math.MaxInt32 {
			return nil, fmt.Errorf("adapters: go-metrics-uniform: a sample of %d; it must be 0 to %d", spec.K, math.MaxInt32)
		}
		return GoMetricsUniform{metrics.NewUniformSample(spec.K)}, nil
	},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Fairness, Text: "A uniform sample using Vitter's Algorithm R.", Where: "type UniformSample"},
		{Of: sketchproof.Isolation, Text: "Values returns a copy of the values in the sample.", Where: "func (*UniformSample) Values"},
	},
}

// GoMetricsUniform is a UniformSample of github.com/rcrowley/go-metrics, which draws
// from the global math/rand.
type GoMetricsUniform struct{ s metrics.Sample }

func (g GoMetricsUniform) Add(key uint64) { g.s.Update(int64(key)) }

// Sample is the library's copy.
func (g GoMetricsUniform) Sample() []uint64 {
	values := g.s.Values()
	keys := make([]uint64, len(values))
	for i, v := range values {
		keys[i] = uint64(v)
	}
	return keys
}
