package sketchtest

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/sketchproof/sketchproof"
)

// A key is a number, or else a byte string.
type key struct {
	number uint64
	text   []byte
	isText bool
}

// addTo adds the key.
func (k key) addTo(f sketchproof.Filter) error {
	if k.isText {
		return f.(sketchproof.BytesAdder).AddBytes(k.text)
	}
	return f.(sketchproof.Adder).Add(k.number)
}

// in reports whether a filter finds the key.
func (k key) in(f sketchproof.Filter) bool {
	if k.isText {
		return f.(sketchproof.BytesFilter).ContainsBytes(k.text)
	}
	return f.Contains(k.number)
}

func (k key) String() string {
	switch {
	case !k.isText:
		return fmt.Sprintf("%#x", k.number)
	case len(k.text) <= 48:
		return strconv.Quote(string(k.text))
	default:
		return fmt.Sprintf("%q and so on, %d bytes", k.text[:16], len(k.text))
	}
}

// A shape is a way in which real keys are unlike random ones. Key number i of a
// shape under a seed, from 0, is unlike all others of it; exactly one of number and
// text is set. Structures often have no seed, so that trials differ by the keys
// alone: a seed says where a shape begins.
type shape struct {
	name, words string
	number      func(seed uint64, i int) uint64
	text        func(seed uint64, i int) []byte
}

func (s shape) key(seed uint64, i int) key {
	if s.text == nil {
		return key{number: s.number(seed, i)}
	}
	return key{text: s.text(seed, i), isText: true}
}

// keys are the keys number at(0) to at(n-1).
func (s shape) keys(seed uint64, n int, at func(j int) int) []key {
	list := make([]key, n)
	for j := range list {
		list[j] = s.key(seed, at(j))
	}
	return list
}

func inOrder(j int) int { return j }

// id is number i of a shape that counts. It begins at a small number, as ids do:
// below 2^20.
func id(seed uint64, i int) uint64 { return seed>>44 + uint64(i) }

// every is the shape of the multiples of a stride.
func every(stride uint64) shape {
	return shape{
		name: "stride" + strconv.FormatUint(stride, 10), words: fmt.Sprintf("multiples of %d in a row", stride),
		number: func(seed uint64, i int) uint64 { return stride * id(seed, i) },
	}
}

var randomShape = shape{name: "random", words: "random numbers", number: func(seed uint64, i int) uint64 { return keys(seed).at(i) }}

// numberShapes are the shapes of 64-bit keys.
var numberShapes = []shape{
	randomShape,
	{name: "sequential", words: "numbers in a row", number: id},
	{name: "big-endian", words: "numbers in a row, their eight bytes reversed", number: func(seed uint64, i int) uint64 {
		return bits.ReverseBytes64(id(seed, i))
	}},
	every(2), every(64), every(1000), every(4096),
	{name: "high-word", words: "numbers in a row in the upper 32 bits", number: func(seed uint64, i int) uint64 { return id(seed, i) << 32 }},
	{name: "packed-kmers", words: "31-mers of a random genome, 2 bits a base", number: func(seed uint64, i int) uint64 {
		packed := uint64(0)
		for at := range merLength {
			packed = packed<<2 | base(seed, i+at)
		}
		return packed
	}},
}

// merLength is the usual length of k-mers: the longest odd one that fits 64 bits.
const merLength = 31

// base is one of the four bases of a random genome.
func base(seed uint64, at int) uint64 { return keys(seed).at(at) >> 62 }

// textShapes are the shapes of byte strings.
var textShapes = []shape{
	{name: "bytes4-big-endian", words: "numbers in a row as 4 bytes, big endian", text: func(seed uint64, i int) []byte {
		return binary.BigEndian.AppendUint32(nil, uint32(id(seed, i)))
	}},
	{name: "bytes4-little-endian", words: "numbers in a row as 4 bytes, little endian", text: func(seed uint64, i int) []byte {
		return binary.LittleEndian.AppendUint32(nil, uint32(id(seed, i)))
	}},
	{name: "bytes8-big-endian", words: "numbers in a row as 8 bytes, big endian", text: func(seed uint64, i int) []byte {
		return binary.BigEndian.AppendUint64(nil, id(seed, i))
	}},
	{name: "decimal", words: "numbers in a row in decimal", text: func(seed uint64, i int) []byte {
		return strconv.AppendUint(nil, id(seed, i), 10)
	}},
	{name: "shared-prefix", words: "a path of 43 bytes, and a number in a row as 8 bytes, big endian", text: func(seed uint64, i int) []byte {
		b := append(make([]byte, 0, 64), "/var/lib/warehouse/tables/events/partition/"...)
		return binary.BigEndian.AppendUint64(b, id(seed, i))
	}},
	{name: "shared-suffix", words: "a number in a row as 8 bytes, big endian, and a domain of 36 bytes", text: func(seed uint64, i int) []byte {
		b := binary.BigEndian.AppendUint64(make([]byte, 0, 64), id(seed, i))
		return append(b, ".users.region-1.internal.example.com"...)
	}},
	{name: "url", words: "web addresses with a number in a row in base 36", text: func(seed uint64, i int) []byte {
		b := append(make([]byte, 0, 96), "https://www.example.com/shop/"...)
		b = strconv.AppendUint(b, id(seed, i)%97, 10)
		b = append(b, "/item?id="...)
		b = strconv.AppendUint(b, id(seed, i), 36)
		return append(b, "&lang=en&page=1"...)
	}},
	{name: "hosts", words: "host names of syllables", text: host},
	{name: "kmers", words: "31-mers of a random genome as letters", text: func(seed uint64, i int) []byte {
		b := make([]byte, merLength)
		for at := range b {
			b[at] = "ACGT"[base(seed, i+at)]
		}
		return b
	}},
	{name: "lengths", words: "0 to 63 zeros, then a number in a row as 4 bytes and 0 to 60 zeros", text: func(seed uint64, i int) []byte {
		if i >= shapeMiddle && i < shapeMiddle+64 {
			return make([]byte, i-shapeMiddle)
		}
		// Above 2^31, the last byte is not zero: no zeros in a row make such a key.
		b := binary.LittleEndian.AppendUint32(make([]byte, 0, 64), 1<<31|uint32(id(seed, i)))
		return append(b, make([]byte, i%61)...)
	}},
}

// host is a made-up host name: syllables that spell a number, and the end of a
// domain.
func host(seed uint64, i int) []byte {
	const syllables = "babecodofeguhijakelimonapoqurasetivowaxeyozubripluskam"
	domains := [...]string{".com", ".net", ".org", ".example.com", ".co.uk", ".mail.example.net", ".de", ".io"}
	b := make([]byte, 0, 32)
	number := id(seed, i)
	for left := number + 1; left > 0; left /= 25 {
		at := 2 * (left % 25)
		b = append(b, syllables[at:at+2]...)
	}
	return append(b, domains[mix(number)%uint64(len(domains))]...)
}

// shapeMiddle is where the keys of a filter begin in a shape: as many of it come
// before them.
const shapeMiddle = 1024

// held is the number in its shape of key j of a filter. They are in a row: holes in
// it would be a shape of their own, which hides what a hash does to numbers in a row.
func held(j int) int { return shapeMiddle + j }

// absent is the number in its shape of key j that a filter of n keys was not given:
// a third lie in a row before its keys, a third in a row after them, and a third far
// behind: weak hashes make numbers alike that are some thousands apart.
func absent(n int) func(j int) int {
	const near, step = 4000, 11
	return func(j int) int {
		switch i := j / 3; {
		case j%3 == 0 && i < shapeMiddle:
			return shapeMiddle - 1 - i
		case j%3 == 1 && i < near:
			return held(n) + i
		default:
			return held(n) + near + step*j
		}
	}
}
