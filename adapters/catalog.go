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
)

// Filters are all membership subjects.
var Filters = []Filter{
	nativeBloom,
	nativePartitioned,
	nativeCuckoo,
	nativeRibbon,
	nativeRibbonHomogeneous,
	nativeRibbon128,
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
	axiomhqHLL,
	exactDistinct,
}

// Frequencies are all frequency subjects.
var Frequencies = []Frequency{
	nativeCountMin,
	nativeConservative,
	exactCounter,
}
