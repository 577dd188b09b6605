package sketchproof

// A Signature stands for a set, to tell how much it is like another set.
type Signature interface {
	Add(key uint64)
	// Similarity estimates the Jaccard similarity of the two sets, the size of
	// their intersection over that of their union, from 0 to 1. It returns an
	// error that names the difference when the two were not built alike, and when
	// both sets are empty.
	Similarity(other Signature) (float64, error)
	// SizeBytes is the memory held for the answer, in bytes.
	SizeBytes() int
}

// SignatureSpec asks for a signature of K values.
type SignatureSpec struct {
	K    int
	Seed uint64
}
