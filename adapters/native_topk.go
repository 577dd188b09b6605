package adapters

import (
	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/exact"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/topk"
	"github.com/sketchproof/sketchproof/stats"
)

var nativeSpaceSaving = TopK{
	Name: "space-saving",
	Build: func(spec sketchproof.TopKSpec) (sketchproof.TopK, error) {
		return topk.NewSpaceSaving(topk.Params{K: spec.K, Hash: hashing.XX(spec.Seed)})
	},
	Merge:  mergeAs[*topk.SpaceSaving, sketchproof.TopK],
	Encode: encode[sketchproof.TopK],
	Decode: decodeInto[topk.SpaceSaving, *topk.SpaceSaving, sketchproof.TopK],
}

var nativeMisraGries = TopK{
	Name: "misra-gries",
	Build: func(spec sketchproof.TopKSpec) (sketchproof.TopK, error) {
		return topk.NewMisraGries(topk.Params{K: spec.K, Hash: hashing.XX(spec.Seed)})
	},
	Merge:  mergeAs[*topk.MisraGries, sketchproof.TopK],
	Encode: encode[sketchproof.TopK],
	Decode: decodeInto[topk.MisraGries, *topk.MisraGries, sketchproof.TopK],
}

// nativeCountMinHeap has four rows of two counters for each key that it keeps.
var nativeCountMinHeap = TopK{
	Name: "countmin-heap",
	Build: func(spec sketchproof.TopKSpec) (sketchproof.TopK, error) {
		return topk.NewCountMin(topk.CountMinParams{
			K: spec.K, Sketch: countmin.Params{Width: 2 * spec.K, Depth: 4, Hash: hashing.XX(spec.Seed)},
		})
	},
	Merge:  mergeAs[*topk.CountMin, sketchproof.TopK],
	Encode: encode[sketchproof.TopK],
	Decode: decodeInto[topk.CountMin, *topk.CountMin, sketchproof.TopK],
	Laws:   []sketchproof.Law[sketchproof.TopK, sketchproof.TopKSpec]{estimatedLaw},
}

// estimatedLaw is that of estimates which are too high by chance. A key above N/K is
// lost only when as many keys as are kept are taken for as heavy: in a row of 2K
// counters other keys add N/2K in the mean, and each row would have to add twice
// that.
var estimatedLaw = sketchproof.Law[sketchproof.TopK, sketchproof.TopKSpec]{
	Name: "topk.estimated", Metric: sketchproof.MetricLost, Source: "one in twenty: chosen, as no bound is known that is not far above",
	Predict: func(sketchproof.TopK, sketchproof.TopKSpec, int) stats.Band { return stats.AtMost(0.05) },
}

var exactTop = TopK{
	Name: "exact-top",
	Build: func(sketchproof.TopKSpec) (sketchproof.TopK, error) {
		return exact.NewCounter(), nil
	},
	Merge: mergeAs[*exact.Counter, sketchproof.TopK],
}

// nativeCountMin32 has counters of half the size.
var nativeCountMin32 = Frequency{
	Name: "countmin-32",
	Build: func(spec sketchproof.FrequencySpec) (sketchproof.Frequency, error) {
		return countmin.New(countmin.Params{
			Width: spec.Width, Depth: spec.Depth, CellBits: 32, Hash: hashing.XX(spec.Seed),
		})
	},
	Merge:  mergeAs[*countmin.Sketch, sketchproof.Frequency],
	Encode: encode[sketchproof.Frequency],
	Decode: decodeInto[countmin.Sketch, *countmin.Sketch, sketchproof.Frequency],
}
