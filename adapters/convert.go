package adapters

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// keyBytes is a key as a byte-keyed library gets it: eight bytes, little endian.
func keyBytes(key uint64) []byte {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], key)
	return b[:]
}

// hashOf is the hash function that a spec asks for: under its secret, or else
// the seeded one.
func hashOf(spec sketchproof.FilterSpec, seeded func(seed uint64) hashing.Hasher) hashing.Hasher {
	if spec.Secret != ([16]byte{}) {
		return hashing.Keyed(spec.Secret)
	}
	return seeded(spec.Seed)
}

// holding adds the spec's keys to a fresh filter.
func holding[F sketchproof.Filter](f F, err error, keys []uint64) (sketchproof.Filter, error) {
	if err != nil {
		return nil, err
	}
	adder, ok := any(f).(sketchproof.Adder)
	if !ok {
		return nil, fmt.Errorf("adapters: %T takes no keys after it was built", f)
	}
	for i, k := range keys {
		if err := adder.Add(k); err != nil {
			return nil, fmt.Errorf("key %d of %d: %w", i+1, len(keys), err)
		}
	}
	return f, nil
}

// orError is a filter, or else the error alone: a nil pointer in an interface is
// not nil.
func orError[F sketchproof.Filter](f F, err error) (sketchproof.Filter, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// otherForms are all but the binary form, where that is the subject's own.
func otherForms[S any](forms []sketchproof.Form[S]) []sketchproof.Form[S] {
	return slices.DeleteFunc(forms, func(f sketchproof.Form[S]) bool { return f.Name == "binary" })
}

// mergeAs merges two structures of the same concrete type T.
func mergeAs[T sketchproof.Merger[T], S any](dst, src S) error {
	return any(dst).(T).Merge(any(src).(T))
}

// encode is a structure's own binary form.
func encode[S any](s S) ([]byte, error) {
	return any(s).(encoding.BinaryMarshaler).MarshalBinary()
}

// decodeInto reads a structure's own binary form into a zero value of type T.
func decodeInto[T any, P interface {
	*T
	encoding.BinaryUnmarshaler
}, S any](data []byte) (S, error) {
	p := P(new(T))
	if err := p.UnmarshalBinary(data); err != nil {
		var none S
		return none, err
	}
	return any(p).(S), nil
}
