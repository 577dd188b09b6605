package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/fuse"
	"github.com/sketchproof/sketchproof/impl/xor"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// fingerprintRate is the rate of a static filter of fingerprints.
var fingerprintRate = rateUnder(adapters.FingerprintRate)

// A staticKind is a static filter of fingerprints, and its size as n grows.
type staticKind struct {
	subject  string
	bits     int
	overhead float64
}

var (
	xor8    = staticKind{"xor8", 8, xor.Overhead}
	xor16   = staticKind{"xor16", 16, xor.Overhead}
	fuse3x8 = staticKind{"fuse3-8", 8, fuse.Overhead(3)}
	fuse4x8 = staticKind{"fuse4-8", 8, fuse.Overhead(4)}
)

// build makes the filter of the first n keys.
func (k staticKind) build(keys keys, n int, seed uint64) (sketchproof.Filter, error) {
	return nativeNamed(k.subject).Build(sketchproof.FilterSpec{Keys: keys.slice(0, n), Epsilon: math.Ldexp(1, -k.bits), Seed: seed})
}

// sizeLaw is the memory per key as n grows, under a name and a source.
func (k staticKind) sizeLaw(law, source string) engine.Metric {
	return engine.Metric{Name: sketchproof.MetricBitsPerKey, Method: stats.Mean, Law: law, Source: source}
}

// sizeBand allows a hundredth part about the size as n grows.
func (k staticKind) sizeBand() stats.Band { return stats.Within(k.overhead*float64(k.bits), 0.01) }

func (k staticKind) labels(n int) record.Labels { return record.L("subject", k.subject, "n", n) }
