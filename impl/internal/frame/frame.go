package frame

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	magic  = "SKPF"
	prefix = 4 + 4 + 1 + 1 + 2 + 16
)

// ErrCorrupt is returned, wrapped with what is wrong, for bytes that no
// structure of the kind can have written.
var ErrCorrupt = sketchproof.ErrCorrupt

// A Header says what the payload is.
type Header struct {
	Structure string // four ASCII letters
	Version   uint8
	Hash      hashing.Hasher
	Geometry  []uint64 // in the structure's own order
}

// Size is the length in bytes of a frame around a payload.
func Size(h Header, payload int) int { return prefix + 8*len(h.Geometry) + 8 + payload + 8 }

// ErrZero is returned for the zero value of a structure. It has no hash function,
// and Decode would refuse what it wrote.
var ErrZero = errors.New("the zero value has no serialized form: make one with its constructor")

// Marshal is Encode for any value of a structure's type. It returns ErrZero for the
// zero value, without a call of fill.
func Marshal(h Header, payload int, fill func(b []byte) []byte) ([]byte, error) {
	if h.Hash.Check() != nil {
		return nil, fmt.Errorf("sketchproof: %w", ErrZero)
	}
	return Encode(h, payload, fill), nil
}

// Encode writes the frame. fill appends exactly payload bytes.
func Encode(h Header, payload int, fill func(b []byte) []byte) []byte {
	family, k0, k1 := h.Hash.Parts()
	b := make([]byte, 0, Size(h, payload))
	b = append(b, magic...)
	b = append(b, h.Structure...)
	b = append(b, h.Version, byte(family))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(h.Geometry)))
	b = binary.LittleEndian.AppendUint64(b, k0)
	b = binary.LittleEndian.AppendUint64(b, k1)
	for _, g := range h.Geometry {
		b = binary.LittleEndian.AppendUint64(b, g)
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(payload))
	start := len(b)
	b = fill(b)
	if len(b)-start != payload || len(h.Structure) != 4 {
		panic(fmt.Sprintf("frame: %s wrote %d payload bytes, announced %d", h.Structure, len(b)-start, payload))
	}
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))
}

// Decode checks a frame of the wanted structure, version and number of
// geometry words, and returns its header and payload. The payload is a part of
// data, so nothing of its size is allocated. Every error wraps ErrCorrupt.
func Decode(data []byte, structure string, version uint8, geometry int) (Header, []byte, error) {
	fail := func(format string, args ...any) (Header, []byte, error) {
		return Header{}, nil, fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
	}
	fixed := prefix + 8*geometry + 8
	if len(data) < fixed+8 {
		return fail("%d bytes are fewer than the %d of an empty structure", len(data), fixed+8)
	}
	if string(data[:4]) != magic {
		return fail("they do not start with %q", magic)
	}
	if got := string(data[4:8]); got != structure {
		return fail("they hold a structure named %q, not %q", got, structure)
	}
	if data[8] != version {
		return fail("version %d, this code reads %d", data[8], version)
	}
	if got := binary.LittleEndian.Uint16(data[10:]); int(got) != geometry {
		return fail("%d geometry words, want %d", got, geometry)
	}
	body, sum := data[:len(data)-8], binary.LittleEndian.Uint64(data[len(data)-8:])
	if xxhash.Sum64(body) != sum {
		return fail("the checksum does not match")
	}
	if got := binary.LittleEndian.Uint64(data[fixed-8:]); got != uint64(len(body)-fixed) {
		return fail("%d payload bytes announced, %d present", got, len(body)-fixed)
	}
	hash, err := hashing.FromParts(hashing.Family(data[9]),
		binary.LittleEndian.Uint64(data[12:]), binary.LittleEndian.Uint64(data[20:]))
	if err != nil {
		return fail("%v", err)
	}
	h := Header{Structure: structure, Version: version, Hash: hash, Geometry: make([]uint64, geometry)}
	for i := range h.Geometry {
		h.Geometry[i] = binary.LittleEndian.Uint64(data[prefix+8*i:])
	}
	return h, body[fixed:], nil
}
