package sketchproof

// A Sampler keeps a uniform sample, without replacement, of what it was shown.
type Sampler interface {
	Add(key uint64)
	// Sample is a copy of the sample: all keys as long as they are at most K.
	Sample() []uint64
}

// A WeightedSampler shows a key with the weight by which it is to be preferred.
// It returns an error, and changes nothing, for a weight that is not a positive
// finite number.
type WeightedSampler interface {
	AddWeighted(key uint64, weight float64) error
}

// SamplerSpec asks for a sample of K keys.
type SamplerSpec struct {
	K    int
	Seed uint64
}
