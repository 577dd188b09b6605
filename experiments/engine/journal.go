package engine

import (
	"bufio"
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
// that has not ended. A run of another program or seed has another journal, and
// neither touches the other's.
func journalName(identity string) string { return "journal-" + identity[:16] + ".bin" }

// An entry is a stretch of trials of one cell, as they came in.
type entry struct {
	Cell   string
	From   int
	Trials []Trial
}

// A journal keeps finished trials on disk, so that a run killed at any moment
// loses only what was under way. An entry is its length, its CRC-32 and its gob:
// a torn one at the end is cut off when the journal is opened again.
type journal struct{ f *os.File }

// openJournal opens the journal of a folder, tells of every entry it holds, and
// leaves it ready for more. With fresh it starts empty.
func openJournal(dir, identity string, fresh bool, tell func(entry)) (*journal, error) {
	f, err := os.OpenFile(filepath.Join(dir, journalName(identity)), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("the results folder is not writable: %w", err)
	}
	var good int64
	if !fresh {
		good = readEntries(bufio.NewReader(f), tell)
	}
	if err := f.Truncate(good); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if _, err := f.Seek(good, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &journal{f}, nil
}

// readEntries tells of every whole entry and returns where the last of them ends.
func readEntries(r io.Reader, tell func(entry)) (end int64) {
	for {
		var head [8]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return end
		}
		size := binary.LittleEndian.Uint32(head[:])
		var body bytes.Buffer
		if n, err := io.CopyN(&body, r, int64(size)); err != nil || n < int64(size) {
			return end
		}
		if crc32.ChecksumIEEE(body.Bytes()) != binary.LittleEndian.Uint32(head[4:]) {
			return end
		}
		var e entry
		if err := gob.NewDecoder(&body).Decode(&e); err != nil {
			return end
		}
		tell(e)
		end += 8 + int64(size)
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
