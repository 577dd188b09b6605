package adapters

import (
	"context"
	"fmt"
	"math"
	"time"

	"go.opentelemetry.io/otel/sdk/metric/exemplar"

	"github.com/sketchproof/sketchproof"
)

const otelModule = "go.opentelemetry.io/otel/sdk/metric"

var otelFixedSize = Sampler{
	Name:     "otel-fixedsize",
	Module:   otelModule,
	Unseeded: true,
	Forgets:  true,
	Build: func(spec sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
		if spec.K < 0 || spec.K > math.MaxInt32 {
			return nil, fmt.Errorf("adapters: otel-fixedsize: a sample of %d; it must be 0 to %d", spec.K, math.MaxInt32)
		}
		return OtelReservoir{exemplar.NewFixedSizeReservoir(spec.K)}, nil
	},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Fairness, Text: "samples at most k exemplars. If there are k or less measurements made, the Reservoir will sample each one.", Where: "exemplar, type FixedSizeReservoir"},
	},
}

// otelHistogram has one bucket, and so a sample of one: each of its buckets samples
// the measurements that fall into it.
var otelHistogram = Sampler{
	Name:     "otel-histogram",
	Module:   otelModule,
	Unseeded: true,
	Forgets:  true,
	Build: func(spec sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
		if spec.K != 1 {
			return nil, fmt.Errorf("adapters: otel-histogram: a sample of %d; a bucket samples 1", spec.K)
		}
		return OtelReservoir{exemplar.NewHistogramReservoir(nil)}, nil
	},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Fairness, Text: "samples measurements that fall within a histogram bucket using Algorithm L", Where: "exemplar, func NewHistogramReservoir"},
	},
}

// OtelReservoir is an exemplar reservoir of OpenTelemetry. It draws from math/rand/v2,
// which no seed reaches.
type OtelReservoir struct{ r exemplar.Reservoir }

// Add offers a measurement at no time, in no span.
func (o OtelReservoir) Add(key uint64) {
	o.r.Offer(context.Background(), time.Time{}, exemplar.NewValue(int64(key)), nil)
}

// Sample collects the exemplars. After it the library counts anew, so that what is
// offered then is preferred.
func (o OtelReservoir) Sample() []uint64 {
	var held []exemplar.Exemplar
	o.r.Collect(&held)
	keys := make([]uint64, len(held))
	for i, e := range held {
		keys[i] = uint64(e.Value.Int64())
	}
	return keys
}
