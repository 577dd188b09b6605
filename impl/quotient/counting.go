package quotient

import (
	"github.com/sketchproof/sketchproof"
)

// A Counting filter is a quotient filter that is a multiset: a key added twice is held
// twice, and can be forgotten. Whatever is held once takes the room that it takes in a
// Filter; a counter takes as many slots more as its number has digits, and one or two.
// Equal counts of equal keys are equal bytes, whatever came and went.
type Counting struct{ Filter }

var (
	_ sketchproof.Filter           = (*Counting)(nil)
	_ sketchproof.Adder            = (*Counting)(nil)
	_ sketchproof.Remover          = (*Counting)(nil)
	_ sketchproof.BytesFilter      = (*Counting)(nil)
	_ sketchproof.BytesAdder       = (*Counting)(nil)
	_ sketchproof.HashFilter       = (*Counting)(nil)
	_ sketchproof.HashAdder        = (*Counting)(nil)
	_ sketchproof.BatchFilter      = (*Counting)(nil)
	_ sketchproof.BatchAdder       = (*Counting)(nil)
	_ sketchproof.HashBatchFilter  = (*Counting)(nil)
	_ sketchproof.HashBatchAdder   = (*Counting)(nil)
	_ sketchproof.BytesBatchFilter = (*Counting)(nil)
	_ sketchproof.BytesBatchAdder  = (*Counting)(nil)
)

// NewCounting returns an empty filter. Its error says which values are allowed.
func NewCounting(p Params) (*Counting, error) {
	if err := p.check(true); err != nil {
		return nil, err
	}
	return &Counting{*empty(p, true)}, nil
}

// Remove forgets one copy of key. It returns sketchproof.ErrNotFound, and changes
// nothing, when key is certainly absent. A key that was never added but that Contains
// finds takes a copy of a key with the same fingerprint with it.
func (c *Counting) Remove(key uint64) error { return c.RemoveHash(c.params.Hash.Uint64(key)) }

// RemoveBytes is Remove for a byte string.
func (c *Counting) RemoveBytes(key []byte) error { return c.RemoveHash(c.params.Hash.Bytes(key)) }

// RemoveHash is Remove for a hash.
func (c *Counting) RemoveHash(hash uint64) error {
	t := &c.table
	q, remainder := t.split(hash)
	if !t.occupied(q) {
		return sketchproof.ErrNotFound
	}
	end := t.after(q) - 1
	start := t.start(q, end)
	lo, hi, count := t.find(start, end, remainder)
	if count == 0 {
		return sketchproof.ErrNotFound
	}
	var room [maxCode]uint64
	code := room[:0]
	if count > 1 {
		code = t.appendCode(code, remainder, count-1)
	}
	c.replace(q, start, end+1, lo, hi, code)
	c.count--
	return nil
}

// Count is the number of copies held of key, keys of the same fingerprint included:
// never below the truth.
func (c *Counting) Count(key uint64) uint64 { return c.CountHash(c.params.Hash.Uint64(key)) }

// CountBytes is Count for a byte string.
func (c *Counting) CountBytes(key []byte) uint64 { return c.CountHash(c.params.Hash.Bytes(key)) }

// CountHash is Count for a hash.
func (c *Counting) CountHash(hash uint64) uint64 {
	if !c.table.has(hash) {
		return 0
	}
	return c.countIn(hash)
}

// Merge makes c the filter of the sum of both multisets, as Filter.Merge does for sets.
// It is also full for a count above 2^48.
func (c *Counting) Merge(other *Counting) error { return c.Filter.Merge(&other.Filter) }

// Clone returns a filter of its own with the same entries.
func (c *Counting) Clone() *Counting { return &Counting{*c.Filter.Clone()} }

// Equal reports whether the two have the same geometry, hash and entries.
func (c *Counting) Equal(other *Counting) bool { return c.Filter.Equal(&other.Filter) }

// countIn is the count of a hash whose quotient has a run.
func (f *Filter) countIn(hash uint64) uint64 {
	q, remainder := f.table.split(hash)
	end := f.table.after(q) - 1
	_, _, count := f.table.find(f.table.start(q, end), end, remainder)
	return count
}

// addTo counts a remainder of q once more.
func (f *Filter) addTo(q, remainder uint64) error {
	t := &f.table
	end := t.after(q)
	start := max(end, q) // of a fresh run, which ends before it starts
	var lo, hi, count uint64
	if t.occupied(q) {
		start = t.start(q, end-1)
		lo, hi, count = t.find(start, end-1, remainder)
	} else {
		lo, hi, end = start, start, start
	}
	if count == maxCount {
		return sketchproof.ErrFull
	}
	var room [maxCode]uint64
	code := t.appendCode(room[:0], remainder, count+1)
	if !f.hasRoom(lo, uint64(len(code))-min(hi-lo, uint64(len(code)))) {
		return sketchproof.ErrFull
	}
	f.replace(q, start, end, lo, hi, code)
	f.count++
	return nil
}

// hasRoom reports whether some more entries may go in from a slot on.
func (f *Filter) hasRoom(slot, entries uint64) bool {
	if entries > f.params.Slots-f.used {
		return false
	}
	for ; entries > 0; entries-- {
		if slot = f.table.free(slot) + 1; slot > f.table.slots {
			return false
		}
	}
	return true
}

// replace writes code in the place of the slots from lo to before hi, in the run of
// q from start to before end. There must be room.
func (f *Filter) replace(q, start, end, lo, hi uint64, code []uint64) {
	t := &f.table
	for ; lo < hi && len(code) > 0; lo++ {
		t.put(lo, code[0])
		code = code[1:]
	}
	for ; lo < hi; hi-- {
		t.remove(q, start, lo, end-1)
		end--
		f.used--
	}
	for _, v := range code {
		t.insert(q, lo, t.free(lo), v, start == end, lo == end)
		lo++
		end++
		f.used++
	}
}
