package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/reservoir"
)

// nativeReservoirR cannot be merged: its draws may be those of a document.
var nativeReservoirR = Sampler{
	Name: "reservoir-r",
	Build: func(spec sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
		return reservoir.New[uint64](spec.K, spec.Seed)
	},
	Encode: encode[sketchproof.Sampler],
	Decode: decodeInto[reservoir.R[uint64], *reservoir.R[uint64], sketchproof.Sampler],
}

var nativeReservoirL = Sampler{
	Name: "reservoir-l",
	Build: func(spec sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
		return reservoir.NewL[uint64](spec.K, spec.Seed)
	},
	Merge:  mergeAs[*reservoir.L[uint64], sketchproof.Sampler],
	Encode: encode[sketchproof.Sampler],
	Decode: decodeInto[reservoir.L[uint64], *reservoir.L[uint64], sketchproof.Sampler],
}

var nativeReservoirWeighted = Sampler{
	Name: "reservoir-weighted",
	Build: func(spec sketchproof.SamplerSpec) (sketchproof.Sampler, error) {
		return reservoir.NewWeighted[uint64](spec.K, spec.Seed)
	},
	Merge:  mergeAs[*reservoir.Weighted[uint64], sketchproof.Sampler],
	Encode: encode[sketchproof.Sampler],
	Decode: decodeInto[reservoir.Weighted[uint64], *reservoir.Weighted[uint64], sketchproof.Sampler],
}
