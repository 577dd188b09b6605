package adapters

import (
	"encoding"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/fuse"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/xor"
	"github.com/sketchproof/sketchproof/stats"
)

// Static filters have a width, not a rate: they are built of their keys, and
// promise 2^-f whatever rate was asked for.
var (
	nativeXor8     = xorSubject[uint8]("xor8")
	nativeXor16    = xorSubject[uint16]("xor16")
	nativeFuse3x8  = fuseSubject[uint8]("fuse3-8", 3)
	nativeFuse3x16 = fuseSubject[uint16]("fuse3-16", 3)
	nativeFuse3x32 = fuseSubject[uint32]("fuse3-32", 3)
	nativeFuse4x8  = fuseSubject[uint8]("fuse4-8", 4)
	nativeFuse4x16 = fuseSubject[uint16]("fuse4-16", 4)
	nativeFuse4x32 = fuseSubject[uint32]("fuse4-32", 4)
)

// FingerprintShape is the geometry of a filter of fingerprints of one width.
type FingerprintShape interface{ FingerprintBits() int }

// FingerprintRate is the rate of a static filter of fingerprints.
var FingerprintRate = filterLaw{
	Name: fastfilterRate.Name, Metric: sketchproof.MetricFPR,
	Source: "Graf & Lemire 2020, section 3: 2^-f",
	Predict: func(f sketchproof.Filter, _ sketchproof.FilterSpec, n int) stats.Band {
		if n == 0 {
			return stats.AtMost(0)
		}
		return RateBand(math.Ldexp(1, -f.(FingerprintShape).FingerprintBits()))
	},
}

// fingerprintRare stands in for FingerprintRate where no trial sees an event: one
// in 4·10^9 look-ups. What can be shown is that there are no more than of a width that
// is half as large.
var fingerprintRare = filterLaw{
	Name: "static.rare", Metric: sketchproof.MetricFPR,
	Source: "Graf & Lemire 2020, section 3: 2^-32, shown to be at most 2^-16",
	Predict: func(sketchproof.Filter, sketchproof.FilterSpec, int) stats.Band {
		return stats.Between(math.Ldexp(1, -32), math.Inf(-1), math.Ldexp(1, -16))
	},
}

func fingerprintLaws(f int) []filterLaw {
	if f > 16 {
		return []filterLaw{fingerprintRare}
	}
	return []filterLaw{FingerprintRate}
}

func xorSubject[F xor.Fingerprint](name string) Filter {
	return staticSubject[*xor.Filter[F]](name, new(xor.Filter[F]).FingerprintBits(),
		func(spec sketchproof.FilterSpec) (*xor.Filter[F], error) {
			p := xor.Params{Hash: hashOf(spec, hashing.XX)}
			if len(spec.Keys) == 0 {
				return xor.NewFromBytes[F](spec.ByteKeys, p)
			}
			return xor.New[F](spec.Keys, p)
		},
		decodeInto[xor.Filter[F], *xor.Filter[F], sketchproof.Filter])
}

func fuseSubject[F fuse.Fingerprint](name string, arity int) Filter {
	return staticSubject[*fuse.Filter[F]](name, new(fuse.Filter[F]).FingerprintBits(),
		func(spec sketchproof.FilterSpec) (*fuse.Filter[F], error) {
			p := fuse.Params{Arity: arity, Hash: hashOf(spec, hashing.XX)}
			if len(spec.Keys) == 0 {
				return fuse.NewFromBytes[F](spec.ByteKeys, p)
			}
			return fuse.New[F](spec.Keys, p)
		},
		decodeInto[fuse.Filter[F], *fuse.Filter[F], sketchproof.Filter])
}

// staticSubject is a subject that is built of the spec's keys or byte strings.
func staticSubject[S interface {
	sketchproof.Filter
	encoding.BinaryMarshaler
}](name string, bits int, build func(sketchproof.FilterSpec) (S, error), decode func([]byte) (sketchproof.Filter, error)) Filter {
	return Filter{
		Name:  name,
		Keyed: true,
		Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
			if err := checkFilterSpec(spec); err != nil {
				return nil, err
			}
			return orError(build(spec))
		},
		Encode: encode[sketchproof.Filter],
		Decode: decode,
		Laws:   fingerprintLaws(bits),
	}
}
