package sketchproof

// A Cardinality estimates how many distinct keys it was given.
type Cardinality interface {
	Add(key uint64)
	// Estimate is the estimated number of distinct keys. It changes nothing.
	Estimate() float64
	// SizeBytes is the memory held for the answer, in bytes.
	SizeBytes() int
}

// A BytesCardinality takes byte strings too. It does not keep the slice.
type BytesCardinality interface {
	AddBytes(key []byte)
}

// A HashCardinality takes a well-mixed 64-bit hash in place of a key.
type HashCardinality interface {
	AddHash(hash uint64)
}

// A Frequency estimates the total weight that a key was given.
type Frequency interface {
	Add(key, weight uint64)
	Count(key uint64) uint64
	// SizeBytes is the memory held for the answer, in bytes.
	SizeBytes() int
}

// A BytesFrequency takes byte strings too. It does not keep the slice.
type BytesFrequency interface {
	AddBytes(key []byte, weight uint64)
	CountBytes(key []byte) uint64
}

// A Merger takes in another structure of its kind: afterwards it answers for
// the keys of both, and other is unchanged. It returns an error that names the
// difference, ErrMismatch from ours, and changes nothing, when the two were not
// built alike.
type Merger[T any] interface {
	Merge(other T) error
}

// CardinalitySpec asks for a cardinality sketch of 2^Precision registers.
type CardinalitySpec struct {
	Precision int
	Seed      uint64
}

// FrequencySpec asks for a frequency sketch of Depth rows of Width counters.
type FrequencySpec struct {
	Width, Depth int
	Seed         uint64
}
