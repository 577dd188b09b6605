package experiments

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
)

// What a trace may be at most: larger ones would not leave memory to work in.
const (
	maxRequests = 1 << 27
	maxLine     = 64 << 10 // bytes
)

// ReadTrace reads a trace of requests from a file, plain or compressed by gzip. It
// is in one of two formats, which its first line tells:
//
//   - ARC's (Megiddo and Modha 2003): four whole numbers a line, the first block, how
//     many blocks in a row from it on, and two that are not used. Each block is a
//     request for the key of its number.
//   - one key a line: any text without white space, which stands for its 64-bit hash.
//
// An error about a line says its number. A trace without requests is an error.
func ReadTrace(path string) (*Requests, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the trace cannot be read: %w", err)
	}
	defer func() { _ = file.Close() }() // read only
	digest := sha256.New()
	text, err := unzipped(io.TeeReader(file, digest))
	if err != nil {
		return nil, fmt.Errorf("the trace %s: %w", path, err)
	}
	l := &listing{numbers: map[uint64]uint32{}}
	if err := l.read(text); err != nil {
		return nil, fmt.Errorf("the trace %s: %w", path, err)
	}
	if len(l.order) == 0 {
		return nil, fmt.Errorf("the trace %s holds no request", path)
	}
	if _, err := io.Copy(digest, file); err != nil { // what follows the compressed part, if anything does
		return nil, fmt.Errorf("the trace %s: %w", path, err)
	}
	about := record.Trace{Name: filepath.Base(path), SHA256: hex.EncodeToString(digest.Sum(nil)), Requests: len(l.order)}
	return newRequests(about, l.keys, l.order), nil
}

// unzipped reads what was compressed, and other text as it is.
func unzipped(r io.Reader) (*bufio.Reader, error) {
	b := bufio.NewReaderSize(r, maxLine)
	if magic, _ := b.Peek(2); !bytes.Equal(magic, []byte{0x1f, 0x8b}) { // RFC 1952
		return b, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(z, maxLine), nil
}

// A listing numbers keys as they come.
type listing struct {
	numbers map[uint64]uint32
	keys    []uint64
	order   []uint32
}

// ask adds a request.
func (l *listing) ask(key uint64) {
	number, known := l.numbers[key]
	if !known {
		number = uint32(len(l.keys))
		l.numbers[key] = number
		l.keys = append(l.keys, key)
	}
	l.order = append(l.order, number)
}

func (l *listing) read(text *bufio.Reader) error {
	parse := l.key
	for number := 1; ; number++ {
		line, err := text.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("line %d: longer than %d bytes", number, maxLine)
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("line %d: %w", number, err)
		case err != nil && len(line) == 0:
			return nil
		}
		fields := bytes.Fields(line)
		if number == 1 && len(fields) == 4 {
			parse = l.blocks
		}
		if err := parse(fields); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
}

// key takes a line that is a key.
func (l *listing) key(fields [][]byte) error {
	if len(fields) != 1 {
		return fmt.Errorf("%d fields; it must be one key, or in a trace of ARC's format four whole numbers from the first line on", len(fields))
	}
	if len(l.order) == maxRequests {
		return errTooLong
	}
	l.ask(hashing.XX(0).Bytes(fields[0]))
	return nil
}

// blocks takes a line of ARC's format.
func (l *listing) blocks(fields [][]byte) error {
	var numbers [4]uint64
	if len(fields) != len(numbers) {
		return fmt.Errorf("%d fields; ARC's format has four whole numbers: first block, blocks, 0, 0", len(fields))
	}
	for i, f := range fields {
		n, err := strconv.ParseUint(string(f), 10, 64)
		if err != nil {
			return fmt.Errorf("%q is not a whole number from 0 to 2^64 - 1, as all four of ARC's format are", f)
		}
		numbers[i] = n
	}
	first, count := numbers[0], numbers[1]
	if count > uint64(maxRequests-len(l.order)) {
		return errTooLong
	}
	if count > 0 && first+(count-1) < first {
		return fmt.Errorf("%d blocks from %d on go beyond 2^64 - 1", count, first)
	}
	for i := range count {
		l.ask(first + i)
	}
	return nil
}

var errTooLong = fmt.Errorf("more than %d requests", maxRequests)
