package adapters

import (
	"slices"

	"github.com/sketchproof/sketchproof"
)

// The kinds of subjects, by what they answer.
type (
	// Filter is a membership subject.
	Filter = sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]
	// Cardinality is a distinct-count subject.
	Cardinality = sketchproof.Subject[sketchproof.Cardinality, sketchproof.CardinalitySpec]
	// Frequency is a frequency subject.
	Frequency = sketchproof.Subject[sketchproof.Frequency, sketchproof.FrequencySpec]
	// TopK is a heavy-hitter subject.
	TopK = sketchproof.Subject[sketchproof.TopK, sketchproof.TopKSpec]
	// Signature is a similarity subject.
	Signature = sketchproof.Subject[sketchproof.Signature, sketchproof.SignatureSpec]
	// Sampler is a sampling subject.
	Sampler = sketchproof.Subject[sketchproof.Sampler, sketchproof.SamplerSpec]
	// Placer is a placement subject.
	Placer = sketchproof.Subject[sketchproof.Placer, sketchproof.PlacerSpec]
)

// Each kind has a list of those that every experiment of the kind puts on trial and
// that the speed tables time. The further ones, of libraries, are held to the general
// checks alone: they would make the plans of all others longer and teach little more.

// Filters are the membership subjects of every experiment.
var Filters = []Filter{
	nativeBloom,
	nativePartitioned,
	nativeBlockedLine,
	nativeBlockedSectors,
	nativeBlockedWord,
	nativeSplitBlock,
	nativeCounting4,
	nativeCounting8,
	nativeCounting16,
	nativeScalable,
	nativeRotating,
	nativeCuckoo,
	nativeCuckooSemiSorted,
	nativeQuotient,
	nativeQuotientCounting,
	nativeXor8,
	nativeXor16,
	nativeFuse3x8,
	nativeFuse3x16,
	nativeFuse3x32,
	nativeFuse4x8,
	nativeFuse4x16,
	nativeFuse4x32,
	nativeRibbon,
	nativeRibbonHomogeneous,
	nativeRibbon128,
	nativeBurr,
	nativeInfini,
	bitsAndBlooms,
	xxhashBloom,
	holimanBloom,
	ristrettoBloom,
	seiflotfyCuckoo,
	fastfilterXor8,
	fastfilterFuse8,
	exactMap,
	exactSorted,
}

// FurtherFilters are membership subjects for the general checks alone.
var FurtherFilters = slices.Concat(fastfilterWide, []Filter{
	ristrettoKeyToHash,
	pebbleBloom,
	goleveldbBloom,
	ipfsBloom,
	parquetSplitBlock,
	seiflotfyScalable,
	boomClassic,
	boomPartitioned,
	boomScalable,
	boomCounting,
	boomDeletable,
	boomStable,
	boomInverse,
	boomCuckoo,
})

// AllFilters are all membership subjects.
func AllFilters() []Filter { return slices.Concat(Filters, FurtherFilters) }

// Cardinalities are the distinct-count subjects of every experiment.
var Cardinalities = []Cardinality{
	nativeHLL,
	nativeHLLPacked,
	nativeHLLSparse,
	nativeHLLMartingale,
	nativeULL,
	nativeULLMartingale,
	nativeELL,
	nativeELLMartingale,
	nativeLinearCounting,
	nativeKMV,
	axiomhqHLL,
	exactDistinct,
}

// FurtherCardinalities are distinct-count subjects for the general checks alone.
var FurtherCardinalities = []Cardinality{
	boomHLL,
	retailnextHLLPP,
}

// AllCardinalities are all distinct-count subjects.
func AllCardinalities() []Cardinality { return slices.Concat(Cardinalities, FurtherCardinalities) }

// Frequencies are all frequency subjects.
var Frequencies = []Frequency{
	nativeCountMin,
	nativeCountMin32,
	nativeConservative,
	boomCountMin,
	exactCounter,
}

// TopKs are the heavy-hitter subjects of every experiment.
var TopKs = []TopK{
	nativeSpaceSaving,
	nativeMisraGries,
	nativeCountMinHeap,
	exactTop,
}

// FurtherTopKs are heavy-hitter subjects for the general checks alone.
var FurtherTopKs = []TopK{boomTopK}

// AllTopKs are all heavy-hitter subjects.
func AllTopKs() []TopK { return slices.Concat(TopKs, FurtherTopKs) }

// Signatures are the similarity subjects of every experiment.
var Signatures = []Signature{
	nativeMinHash,
	nativeMinHashOPH,
	nativeMinHashBBit,
	nativeMinHashBottomK,
}

// FurtherSignatures are similarity subjects for the general checks alone.
var FurtherSignatures = []Signature{
	boomMinHash,
	minhashLSH,
}

// AllSignatures are all similarity subjects.
func AllSignatures() []Signature { return slices.Concat(Signatures, FurtherSignatures) }

// Samplers are the sampling subjects of every experiment.
var Samplers = []Sampler{
	nativeReservoirR,
	nativeReservoirL,
	nativeReservoirWeighted,
}

// FurtherSamplers are sampling subjects for the general checks alone.
var FurtherSamplers = []Sampler{
	goMetricsUniform,
	otelFixedSize,
	otelHistogram,
}

// AllSamplers are all sampling subjects.
func AllSamplers() []Sampler { return slices.Concat(Samplers, FurtherSamplers) }

// Placers are the placement subjects of every experiment.
var Placers = []Placer{
	nativeRing100,
	nativeRing1,
	nativeJump,
	nativeRendezvous,
	nativeMaglev,
	nativeBounded,
	goJump,
	serialxHashring,
}

// FurtherPlacers are placement subjects for the general checks alone.
var FurtherPlacers = []Placer{goRendezvous}

// AllPlacers are all placement subjects.
func AllPlacers() []Placer { return slices.Concat(Placers, FurtherPlacers) }
