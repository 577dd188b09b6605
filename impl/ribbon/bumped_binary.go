package ribbon

import (
	"encoding"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Bumped)(nil)
	_ encoding.BinaryAppender    = (*Bumped)(nil)
	_ encoding.BinaryUnmarshaler = (*Bumped)(nil)
)

const (
	bumpedStructure = "BURR"
	bumpedVersion   = 1
	bumpedGeometry  = geometry + 2 // all keys, layers, and what the last filter has

	layerWords = 3 // blocks, low, cols: before the thresholds and rows of each layer
)

// MarshalBinary writes the filter with its geometry and hash function (under
// its key, if it has one: see hashing.Keyed). It fails only for the
// zero value.
func (f *Bumped) MarshalBinary() ([]byte, error) {
	h := frame.Header{
		Structure: bumpedStructure, Version: bumpedVersion, Hash: f.last.hash,
		Geometry: append([]uint64{uint64(f.keys), uint64(len(f.layers))}, f.last.geometry()...),
	}
	return frame.Marshal(h, f.SizeBytes()+8*layerWords*len(f.layers), func(b []byte) []byte {
		for i := range f.layers {
			l := &f.layers[i]
			b = appendWords(b, []uint64{l.blocks, l.low, l.cols})
			b = appendWords(b, l.marks)
			b = appendWords(b, l.words)
		}
		return appendWords(b, f.last.words)
	})
}

// AppendBinary appends what MarshalBinary returns.
func (f *Bumped) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes f the filter that MarshalBinary wrote. It returns an
// error, and leaves f as it was, for bytes that MarshalBinary cannot have
// written; it allocates no more than about the bytes that it was given.
func (f *Bumped) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, bumpedStructure, bumpedVersion, bumpedGeometry)
	if err != nil {
		return fmt.Errorf("ribbon: %w", err)
	}
	keys, layers, last := h.Geometry[0], h.Geometry[1], h.Geometry[2:]
	if layers > mostLayers || keys > MaxKeys || last[1] != uint64(Standard) || last[0] == 32 {
		return corrupt("%d layers of %d keys, form %d, width %d", layers, keys, last[1], last[0])
	}
	made := &Bumped{keys: int(keys), layers: make([]layer, layers)}
	for i := range made.layers {
		l := &made.layers[i]
		if len(payload) < 8*layerWords {
			return corrupt("layer %d is cut off", i)
		}
		var words []uint64
		words, payload = readWords(payload, layerWords)
		s, err := readShape(last[0], last[1], words, len(payload))
		if err != nil {
			return err
		}
		size := s.markWords()
		if s.blocks == 0 || 8*(size+s.size()) > uint64(len(payload)) {
			return corrupt("layer %d has %d blocks in %d bytes", i, s.blocks, len(payload))
		}
		l.Filter = *setUp(s, 1, h.Hash)
		l.salt = layerSalt(i)
		l.marks, payload = readWords(payload, size)
		l.words, payload = readWords(payload, s.size())
		if used := s.buckets() % marksPerWord; used != 0 && l.marks[size-1]>>(2*used) != 0 {
			return corrupt("layer %d has thresholds of no bucket", i)
		}
	}
	end, rest, err := readFilter(last, payload, h.Hash)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return corrupt("%d bytes after the rows", len(rest))
	}
	if keys < last[2] || layers == 0 && keys != last[2] {
		return corrupt("%d keys in all, %d in the last layer", keys, last[2])
	}
	made.last = *end
	*f = *made
	return nil
}
