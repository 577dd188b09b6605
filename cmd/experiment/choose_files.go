package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
)

// readKeys reads byte strings: one a line, or one column of a CSV file, whose
// first line holds names unless the column is a number. A file that starts as gzip
// does is unpacked. Empty lines are skipped; a file without a key is an error.
func readKeys(file, column string) (keys [][]byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // read only
	r, err := unpacked(f)
	if err == nil {
		if column == "" {
			keys, err = lines(r)
		} else {
			keys, err = columnOf(r, column)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s: no key in it", file)
	}
	return keys, nil
}

// unpacked is the text of a file that may be packed by gzip, told by its first
// bytes and not by its name. The mark that some programs put before UTF-8 is no part
// of it.
func unpacked(f io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(f, 1<<16)
	if head, err := b.Peek(2); err == nil && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReaderSize(z, 1<<16)
	}
	const mark = "\ufeff"
	if head, err := b.Peek(len(mark)); err == nil && string(head) == mark {
		_, _ = b.Discard(len(mark)) // they are there
	}
	return b, nil
}

func lines(r io.Reader) (keys [][]byte, err error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<26)
	for s.Scan() {
		if line := bytes.TrimSuffix(s.Bytes(), []byte("\r")); len(line) > 0 {
			keys = append(keys, bytes.Clone(line)) // the scanner uses its buffer again
		}
	}
	return keys, s.Err()
}

func columnOf(r io.Reader, column string) (keys [][]byte, err error) {
	c := csv.NewReader(r)
	c.FieldsPerRecord, c.ReuseRecord = -1, true
	at, err := strconv.Atoi(column)
	at--
	if err != nil {
		head, err := c.Read()
		if err != nil {
			return nil, err
		}
		if at = slices.Index(head, column); at < 0 {
			return nil, fmt.Errorf("no column %q; there are %q", column, head)
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("column %s; columns are counted from 1", column)
	}
	for {
		fields, err := c.Read()
		switch {
		case errors.Is(err, io.EOF):
			return keys, nil
		case err != nil:
			return nil, err
		case at >= len(fields):
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("line %d has %d columns, not %d", line, len(fields), at+1)
		case fields[at] != "":
			keys = append(keys, []byte(fields[at]))
		}
	}
}
