package sketchproof

import "errors"

// ErrFull is returned by an insertion that found no room. It is an outcome to
// measure, not a fault: every key accepted before it must still be found.
var ErrFull = errors.New("sketchproof: no room for the key")

// ErrNotFound is returned by a removal that found nothing to remove. The
// structure is then unchanged.
var ErrNotFound = errors.New("sketchproof: key not found")

// A Filter answers whether a key may have been added: false is certain, true
// is wrong for a share of absent keys, the false-positive rate.
//
// A key is 64 bits and is not a hash: the structure mixes it. A structure that
// takes only bytes gets the key's eight bytes, little endian.
type Filter interface {
	Contains(key uint64) bool
	// SizeBytes is the memory that the structure holds for its answers, in
	// bytes: tables and bit arrays, without the fixed-size header.
	SizeBytes() int
}

// An Adder takes keys after it was built. Add returns ErrFull when there is no
// room; the filter then still holds every key it accepted before.
type Adder interface {
	Add(key uint64) error
}

// A Remover forgets one earlier Add of the key. It returns ErrNotFound when the
// key is certainly absent.
type Remover interface {
	Remove(key uint64) error
}

// A BytesFilter answers for byte strings of any length. A number may be the same
// key as its eight bytes, or not: do not mix the two. The structure does not keep
// the slice.
type BytesFilter interface {
	ContainsBytes(key []byte) bool
}

// A BytesAdder is an Adder of byte strings.
type BytesAdder interface {
	AddBytes(key []byte) error
}

// A HashFilter answers for a hash in place of a key, from a caller who holds a
// good 64-bit hash already. The structure uses it as it is.
type HashFilter interface {
	ContainsHash(hash uint64) bool
}

// A HashAdder is an Adder of hashes.
type HashAdder interface {
	AddHash(hash uint64) error
}

// ErrCorrupt is wrapped by the error for bytes that no structure of the kind can
// have written: cut off, changed, forged, or of another structure or version.
var ErrCorrupt = errors.New("corrupt bytes")

// ErrMismatch is wrapped, before the difference, by the error for two structures
// that cannot be merged or compared because they were not built alike.
var ErrMismatch = errors.New("the two were not built alike")

// FilterSpec asks for a filter.
type FilterSpec struct {
	// Keys are distinct and are held by the filter once it is built. A filter
	// that is an Adder may start with none.
	Keys []uint64
	// ByteKeys stand in the place of Keys for a static filter that takes byte
	// strings: one of the two is empty. A filter that is a BytesAdder starts
	// without any.
	ByteKeys [][]byte
	// Capacity is the number of keys to size the filter for; 0 means the number
	// of Keys and ByteKeys.
	Capacity int
	// Epsilon is the wanted false-positive rate at Capacity keys, in (0, 1).
	Epsilon float64
	// Seed selects the hash functions, for subjects that can be seeded.
	Seed uint64
	// Secret, unless it is zero, is the key of a keyed hash function in place of
	// the seeded one. Only a subject that is Keyed takes it.
	Secret [16]byte
}

// Size is the number of keys to size for: Capacity, or the number of keys given.
func (s FilterSpec) Size() int {
	if s.Capacity > 0 {
		return s.Capacity
	}
	return len(s.Keys) + len(s.ByteKeys)
}
