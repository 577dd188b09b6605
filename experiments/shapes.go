package experiments

import (
	"encoding/binary"
	"math/bits"
	"strconv"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A shape is a way in which real keys are unlike random ones. Key number i of a
// shape under a seed is unlike all others of it; exactly one of number and text
// is set. Seeds only shift a shape, so that trials differ.
type shape struct {
	name   string
	number func(seed uint64, i int) uint64
	// text is the key as a byte string. It may use buf's room.
	text func(buf []byte, seed uint64, i int) []byte
}

// first is where a counting shape begins: a small number, as ids are.
func first(seed uint64) uint64 { return seed >> 44 }

// numberShapes are the shapes of 64-bit keys.
var numberShapes = []shape{
	{name: "random", number: func(seed uint64, i int) uint64 { return keys(seed).at(i) }},
	{name: "sequential", number: func(seed uint64, i int) uint64 { return first(seed) + uint64(i) }},
	{name: "big-endian", number: func(seed uint64, i int) uint64 { return bits.ReverseBytes64(first(seed) + uint64(i)) }},
	{name: "stride64", number: func(seed uint64, i int) uint64 { return 64 * (first(seed) + uint64(i)) }},
}

// textShapes are the shapes of byte strings.
var textShapes = []shape{
	{name: "decimal", text: func(buf []byte, seed uint64, i int) []byte {
		return strconv.AppendUint(buf[:0], first(seed)+uint64(i), 10)
	}},
	{name: "shared-prefix", text: func(buf []byte, seed uint64, i int) []byte {
		buf = append(buf[:0], "/var/lib/warehouse/tables/events/partition/"...)
		return binary.BigEndian.AppendUint64(buf, first(seed)+uint64(i))
	}},
	{name: "shared-suffix", text: func(buf []byte, seed uint64, i int) []byte {
		buf = binary.BigEndian.AppendUint64(buf[:0], first(seed)+uint64(i))
		return append(buf, ".users.region-1.internal.example.com"...)
	}},
	{name: "url", text: func(buf []byte, seed uint64, i int) []byte {
		id := first(seed) + uint64(i)
		buf = append(buf[:0], "https://www.example.com/shop/"...)
		buf = strconv.AppendUint(buf, id%97, 10)
		buf = append(buf, "/item?id="...)
		buf = strconv.AppendUint(buf, id, 36)
		return append(buf, "&lang=en&page=1"...)
	}},
	{name: "lengths", text: lengthsKey},
}

// lengthsKey is the empty key, 63 that differ in length alone, random ones of
// eight bytes, and among them one of a mebibyte.
func lengthsKey(buf []byte, seed uint64, i int) []byte {
	const mebibyte = 1 << 20
	switch {
	case i == 500: // one is enough: it takes as long as thousands of others
		key := make([]byte, mebibyte)
		key[mebibyte/2] = byte(seed)
		return key
	case i < 64:
		buf = buf[:0]
		for range i {
			buf = append(buf, 0)
		}
		return buf
	}
	// No random key is eight zeros: the numbers begin with a one.
	return binary.LittleEndian.AppendUint64(buf[:0], 1<<63|hashing.Mix(seed+uint64(i))>>32<<31|uint64(i))
}

// shapesOf are the shapes that a filter takes, with byte strings or without.
func shapesOf(bytes bool) []shape {
	if !bytes {
		return numberShapes
	}
	return append(append([]shape{}, numberShapes...), textShapes...)
}

// add adds key number i.
func (s shape) add(f sketchproof.Filter, seed uint64, i int) error {
	if s.text == nil {
		return f.(sketchproof.Adder).Add(s.number(seed, i))
	}
	return f.(sketchproof.BytesAdder).AddBytes(s.text(make([]byte, 0, 96), seed, i))
}

// finds looks key number i up.
func (s shape) finds(f sketchproof.Filter, seed uint64, i int) bool {
	if s.text == nil {
		return f.Contains(s.number(seed, i))
	}
	return f.(sketchproof.BytesFilter).ContainsBytes(s.text(make([]byte, 0, 96), seed, i))
}
