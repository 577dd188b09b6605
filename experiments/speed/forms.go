package speed

import (
	"encoding/binary"

	"github.com/sketchproof/sketchproof"
)

// A form is what a key is given as.
type form int

const (
	numbers form = iota
	texts        // byte strings
	hashes
)

// suffix is how the names of operations tell it.
var suffix = [...]string{numbers: "", texts: "-bytes", hashes: "-hash"}

// A way is how keys are given: in a form, one by one or in batches of a chunk.
type way struct {
	form  form
	batch bool
}

var ways = []way{
	{numbers, false},
	{numbers, true},
	{texts, false},
	{texts, true},
	{hashes, false},
	{hashes, true},
}

// op is the name of an operation done that way: hit, miss-bytes, add-hash-batch.
func (w way) op(verb string) string {
	verb += suffix[w.form]
	if w.batch {
		verb += "-batch"
	}
	return verb
}

// A hand holds the keys of one chunk, ready to be given in any form, and the
// answers to them.
type hand struct {
	numbers [chunk]uint64 // or hashes
	texts   [chunk][]byte
	answers [chunk]bool
}

// newHand makes one for byte strings of a length of 8 or more; 0 is for none.
func newHand(keyBytes int) *hand {
	h := new(hand)
	if keyBytes == 0 {
		return h
	}
	room := make([]byte, chunk*keyBytes)
	for i := range h.texts {
		h.texts[i] = room[i*keyBytes : (i+1)*keyBytes : (i+1)*keyBytes]
	}
	return h
}

// spell writes the first n numbers into the texts, over and over.
func (h *hand) spell(n int) {
	for i, key := range h.numbers[:n] {
		spell(h.texts[i], key)
	}
}

func spell(text []byte, key uint64) {
	for at := 0; at < len(text); at += 8 {
		if len(text)-at < 8 {
			at = len(text) - 8
		}
		binary.LittleEndian.PutUint64(text[at:], key)
	}
}

// found counts the answers of a batch and takes them back.
func (h *hand) found() (n int) {
	for i, answer := range h.answers {
		if answer {
			n++
		}
		h.answers[i] = false
	}
	return n
}

// adding returns what adds the first n keys of the hand that way, nil if the
// filter has no such way.
func adding(f sketchproof.Filter, w way, h *hand) func(n int) error {
	switch w {
	case way{numbers, false}:
		if a, ok := f.(sketchproof.Adder); ok {
			return func(n int) (err error) {
				for _, key := range h.numbers[:n] {
					if e := a.Add(key); e != nil {
						err = e
					}
				}
				return err
			}
		}
	case way{texts, false}:
		if a, ok := f.(sketchproof.BytesAdder); ok {
			return func(n int) (err error) {
				for _, key := range h.texts[:n] {
					if e := a.AddBytes(key); e != nil {
						err = e
					}
				}
				return err
			}
		}
	case way{hashes, false}:
		if a, ok := f.(sketchproof.HashAdder); ok {
			return func(n int) (err error) {
				for _, hash := range h.numbers[:n] {
					if e := a.AddHash(hash); e != nil {
						err = e
					}
				}
				return err
			}
		}
	case way{numbers, true}:
		if a, ok := f.(sketchproof.BatchAdder); ok {
			return func(n int) error { _, err := a.AddBatch(h.numbers[:n]); return err }
		}
	case way{texts, true}:
		if a, ok := f.(sketchproof.BytesBatchAdder); ok {
			return func(n int) error { _, err := a.AddBytesBatch(h.texts[:n]); return err }
		}
	case way{hashes, true}:
		if a, ok := f.(sketchproof.HashBatchAdder); ok {
			return func(n int) error { _, err := a.AddHashBatch(h.numbers[:n]); return err }
		}
	}
	return nil
}

// asking returns what asks for the first n keys of the hand that way, nil if the
// filter has no such way. It returns how many were found; a batch leaves its
// answers in the hand, to be counted while the clock stands.
func asking(f sketchproof.Filter, w way, h *hand) func(n int) (found int) {
	switch w {
	case way{numbers, false}:
		return func(n int) (found int) {
			for _, key := range h.numbers[:n] {
				if f.Contains(key) {
					found++
				}
			}
			return found
		}
	case way{texts, false}:
		if f, ok := f.(sketchproof.BytesFilter); ok {
			return func(n int) (found int) {
				for _, key := range h.texts[:n] {
					if f.ContainsBytes(key) {
						found++
					}
				}
				return found
			}
		}
	case way{hashes, false}:
		if f, ok := f.(sketchproof.HashFilter); ok {
			return func(n int) (found int) {
				for _, hash := range h.numbers[:n] {
					if f.ContainsHash(hash) {
						found++
					}
				}
				return found
			}
		}
	case way{numbers, true}:
		if f, ok := f.(sketchproof.BatchFilter); ok {
			return func(n int) int { f.ContainsBatch(h.numbers[:n], h.answers[:n]); return 0 }
		}
	case way{texts, true}:
		if f, ok := f.(sketchproof.BytesBatchFilter); ok {
			return func(n int) int { f.ContainsBytesBatch(h.texts[:n], h.answers[:n]); return 0 }
		}
	case way{hashes, true}:
		if f, ok := f.(sketchproof.HashBatchFilter); ok {
			return func(n int) int { f.ContainsHashBatch(h.numbers[:n], h.answers[:n]); return 0 }
		}
	}
	return nil
}
