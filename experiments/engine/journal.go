package engine

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// journalName is the file in the results folder that holds the trials of a run
// that has not ended.
const journalName = "journal.bin"

// An entry is a stretch of trials of one cell, as they came in. The first
// entry of a journal holds no trials but the identity of the run.
type entry struct {
	Identity string
	Cell     string
	From     int
	Trials   []Trial
}

// A journal keeps finished trials on disk, so that a run killed at any moment
// loses only what was under way. An entry is its length, its CRC-32 and its gob:
// a torn one at the end is cut off when the journal is opened again.
type journal struct{ f *os.File }

// openJournal opens the journal of a folder and returns what it holds, if it
// was written by a run of the same identity: the same program, the same seed.
// With fresh, or of another identity, it starts empty.
func openJournal(dir, identity string, fresh bool) (*journal, []entry, error) {
	path := filepath.Join(dir, journalName)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, fmt.Errorf("the results folder is not writable: %w", err)
	}
	var entries []entry
	var good int64
	if !fresh {
		entries, good = readEntries(f)
	}
	if len(entries) == 0 || entries[0].Identity != identity {
		entries, good = nil, 0
	}
	if err := f.Truncate(good); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(good, io.SeekStart); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	j := &journal{f}
	if good == 0 {
		if err := j.append(entry{Identity: identity}); err != nil {
			return nil, nil, errors.Join(err, f.Close())
		}
		return j, nil, nil
	}
	return j, entries[1:], nil
}

// readEntries reads whole entries and says where the last of them ends.
func readEntries(r io.Reader) (entries []entry, end int64) {
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return entries, end
		}
		size := binary.LittleEndian.Uint32(head[:])
		var body bytes.Buffer
		if n, err := io.CopyN(&body, r, int64(size)); err != nil || n < int64(size) {
			return entries, end
		}
		if crc32.ChecksumIEEE(body.Bytes()) != binary.LittleEndian.Uint32(head[4:]) {
			return entries, end
		}
		var e entry
		if err := gob.NewDecoder(&body).Decode(&e); err != nil {
			return entries, end
		}
		entries, end = append(entries, e), end+8+int64(size)
	}
}

func (j *journal) append(e entry) error {
	body := bytes.NewBuffer(make([]byte, 8, 1024))
	if err := gob.NewEncoder(body).Encode(e); err != nil {
		return err
	}
	b := body.Bytes()
	binary.LittleEndian.PutUint32(b, uint32(len(b)-8))
	binary.LittleEndian.PutUint32(b[4:], crc32.ChecksumIEEE(b[8:]))
	if _, err := j.f.Write(b); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	return nil
}

func (j *journal) close() error { return j.f.Close() }

// remove closes and deletes the journal of a run that is complete.
func (j *journal) remove() error {
	return errors.Join(j.f.Close(), os.Remove(j.f.Name()))
}
