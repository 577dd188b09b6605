package adapters

import "github.com/sketchproof/sketchproof"

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

// Filters are all membership subjects.
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

// Cardinalities are all distinct-count subjects.
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

// Frequencies are all frequency subjects.
var Frequencies = []Frequency{
	nativeCountMin,
	nativeCountMin32,
	nativeConservative,
	boomCountMin,
	exactCounter,
}

// TopKs are all heavy-hitter subjects.
var TopKs = []TopK{
	nativeSpaceSaving,
	nativeMisraGries,
	nativeCountMinHeap,
	exactTop,
}

// Signatures are all similarity subjects.
var Signatures = []Signature{
	nativeMinHash,
	nativeMinHashOPH,
	nativeMinHashBBit,
	nativeMinHashBottomK,
}

// Samplers are all sampling subjects.
var Samplers = []Sampler{
	nativeReservoirR,
	nativeReservoirL,
	nativeReservoirWeighted,
}

// Placers are all placement subjects.
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
