package sketchproof

// A TopK keeps the keys that weigh most in a stream.
type TopK interface {
	// Add gives a key more weight. A weight of 0 changes nothing.
	Add(key, weight uint64)
	// Top lists at most n keys, the heaviest first; of equal ones, the smaller key.
	Top(n int) []Heavy
	// SizeBytes is the memory held for the answer, in bytes.
	SizeBytes() int
}

// A Heavy is a key with bounds on its weight: from Count-Over to Count where the
// structure promises both.
type Heavy struct{ Key, Count, Over uint64 }

// TopKSpec asks for a structure of K counters.
type TopKSpec struct {
	K    int
	Seed uint64
}
