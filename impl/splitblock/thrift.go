package splitblock

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The header of a Parquet bloom filter is this struct in Thrift's compact protocol
// (parquet.thrift, BloomFilterHeader):
//
//	1: i32 numBytes
//	2: union algorithm   { 1: struct{} BLOCK }
//	3: union hash        { 1: struct{} XXHASH }
//	4: union compression { 1: struct{} UNCOMPRESSED }
//
// A field is a byte, how much its number exceeds the one before (high half) and its
// type (low half), and then the value; with a high half of 0 the number follows,
// zigzag. A zero byte ends a struct.
const (
	typeStop   = 0
	typeTrue   = 1
	typeFalse  = 2
	typeByte   = 3
	typeI16    = 4
	typeI32    = 5
	typeI64    = 6
	typeDouble = 7
	typeBinary = 8
	typeStruct = 12

	nextField = 1 << 4
	// depth is how deep structs may lie in one another in what is skipped.
	depth = 16
)

var (
	errShort = errors.New("the header ends early")
	unions   = [...]string{2: "algorithm", 3: "hash", 4: "compression"}
)

func appendHeader(b []byte, size int) []byte {
	b = append(b, nextField|typeI32)
	b = binary.AppendUvarint(b, uint64(size)<<1) // zigzag of a positive number
	for range 3 {
		b = append(b, nextField|typeStruct, nextField|typeStruct, typeStop, typeStop)
	}
	return append(b, typeStop)
}

// readHeader returns numBytes and what follows the header.
func readHeader(data []byte) (size int, rest []byte, err error) {
	r := reader{data}
	var seen [5]bool
	err = r.fields(func(id int64, kind byte) error {
		if id < 1 || id > 4 {
			return r.skip(kind, depth)
		}
		if seen[id] {
			return fmt.Errorf("field %d stands twice", id)
		}
		seen[id] = true
		if id > 1 {
			return r.firstOfUnion(unions[id], kind)
		}
		if kind != typeI32 {
			return fmt.Errorf("numBytes has type %d", kind)
		}
		n, err := r.zigzag()
		if err == nil && (n < 0 || n > math.MaxInt32) {
			err = fmt.Errorf("numBytes is %d", n)
		}
		size = int(n)
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	for id := 1; id <= 4; id++ {
		if !seen[id] {
			return 0, nil, fmt.Errorf("field %d is missing", id)
		}
	}
	return size, r.data, nil
}

// A reader takes bytes from the front.
type reader struct{ data []byte }

func (r *reader) byte() (byte, error) {
	if len(r.data) == 0 {
		return 0, errShort
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b, nil
}

func (r *reader) uvarint() (uint64, error) {
	v, n := binary.Uvarint(r.data)
	if n == 0 {
		return 0, errShort
	}
	if n < 0 {
		return 0, errors.New("a number has more than 64 bits")
	}
	r.data = r.data[n:]
	return v, nil
}

func (r *reader) zigzag() (int64, error) {
	v, err := r.uvarint()
	return int64(v>>1) ^ -int64(v&1), err
}

// drop takes n bytes.
func (r *reader) drop(n uint64) error {
	if n > uint64(len(r.data)) {
		return errShort
	}
	r.data = r.data[n:]
	return nil
}

// fields calls field for each of a struct's, to take its value, up to the end of
// the struct.
func (r *reader) fields(field func(id int64, kind byte) error) error {
	var id int64
	for {
		b, err := r.byte()
		if err != nil || b == typeStop {
			return err
		}
		if b>>4 == 0 {
			id, err = r.zigzag()
			if err != nil {
				return err
			}
		} else {
			id += int64(b >> 4)
		}
		if err := field(id, b&15); err != nil {
			return err
		}
	}
}

// firstOfUnion takes a union that holds its member number 1, an empty struct: the
// only one that each union of the header has today.
func (r *reader) firstOfUnion(name string, kind byte) error {
	if kind != typeStruct {
		return fmt.Errorf("%s has type %d", name, kind)
	}
	members := 0
	err := r.fields(func(id int64, kind byte) error {
		members++
		if id != 1 || kind != typeStruct {
			return fmt.Errorf("%s number %d is unknown", name, id)
		}
		return r.skip(kind, depth)
	})
	if err == nil && members != 1 {
		err = fmt.Errorf("%s is %d things", name, members)
	}
	return err
}

// skip takes a value of any type, of fields that this code does not know.
func (r *reader) skip(kind byte, depth int) error {
	if depth == 0 {
		return errors.New("structs lie too deep")
	}
	switch kind {
	case typeTrue, typeFalse: // the value is in the type
		return nil
	case typeByte:
		return r.drop(1)
	case typeI16, typeI32, typeI64:
		_, err := r.uvarint()
		return err
	case typeDouble:
		return r.drop(8)
	case typeBinary:
		n, err := r.uvarint()
		if err != nil {
			return err
		}
		return r.drop(n)
	case typeStruct:
		return r.fields(func(_ int64, kind byte) error { return r.skip(kind, depth-1) })
	default: // lists, sets and maps: no version of the header has any
		return fmt.Errorf("an unknown field has type %d", kind)
	}
}
