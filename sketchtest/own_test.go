package sketchtest_test

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/sketchtest"
)

// A set is a type that this package has never heard of.
type set struct{ keys map[uint64]bool }

func (s *set) MarshalBinary() ([]byte, error) {
	data := binary.LittleEndian.AppendUint32(nil, uint32(len(s.keys)))
	for _, k := range slices.Sorted(maps.Keys(s.keys)) {
		data = binary.LittleEndian.AppendUint64(data, k)
	}
	return data, nil
}

func (s *set) UnmarshalBinary(data []byte) error {
	if len(data) < 4 || uint64(len(data)-4) != 8*uint64(binary.LittleEndian.Uint32(data)) {
		return errors.New("set: not the bytes of a set")
	}
	s.keys = map[uint64]bool{}
	for data = data[4:]; len(data) > 0; data = data[8:] {
		s.keys[binary.LittleEndian.Uint64(data)] = true
	}
	return nil
}

var own = sketchtest.Own[set]{
	Build: func(_ uint64, keys []uint64) (*set, error) {
		s := &set{map[uint64]bool{}}
		for _, k := range keys {
			s.keys[k] = true
		}
		return s, nil
	},
	Answers: func(s *set, keys []uint64) []uint64 {
		answers := make([]uint64, len(keys))
		for i, k := range keys {
			if s.keys[k] {
				answers[i] = 1
			}
		}
		return answers
	},
	Add:   func(s *set, key uint64) error { s.keys[key] = true; return nil },
	Merge: func(dst, src *set) error { maps.Copy(dst.keys, src.keys); return nil },
}

// The answers to keys that only one part holds are those of the union, so nothing
// less than equality is asked.
func TestOwnKinds(t *testing.T) {
	sketchtest.Serialized(t, own)
	sketchtest.Merged(t, own)
	sketchtest.Isolated(t, own)
	sketchtest.Concurrent(t, own)
}
