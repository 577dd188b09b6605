package quotient

import (
	"iter"
	"math/bits"
)

// A cursor reads the entries of a table in their order. It also reads tables that no
// filter wrote, without harm: what it reads is then of no meaning, or broken.
type cursor struct {
	table    *table
	counting bool
	block    uint64 // of quotients
	left     uint64 // its quotients to come
	q        uint64
	slot     uint64 // to be read next
	end      uint64 // of the run
	open     bool   // the run has more
	broken   bool   // a run without end, or a count that cannot be

	remainder, count uint64
}

func (t *table) cursor(counting bool) *cursor {
	return &cursor{table: t, counting: counting, left: t.occupieds(0)}
}

// next reads the next entry to remainder and count. It is false behind the last, and
// where the table is broken.
func (c *cursor) next() bool {
	if !c.open && !c.openRun() {
		return false
	}
	if c.counting {
		c.remainder, c.count, c.slot = c.table.parse(c.slot, c.end)
		c.broken = c.count == 0
	} else {
		c.remainder, c.count = c.table.get(c.slot), 1
		c.slot++
	}
	c.open = c.slot <= c.end
	return !c.broken
}

// openRun goes on to the next run.
func (c *cursor) openRun() bool {
	for c.left == 0 {
		if c.block+1 >= c.table.blocks() || c.broken {
			return false
		}
		c.block++
		c.left = c.table.occupieds(c.block)
	}
	c.q = c.block*blockSlots + uint64(bits.TrailingZeros64(c.left))
	c.left &= c.left - 1
	c.slot = max(c.slot, c.q)
	c.broken = true // until its end is found
	if c.slot >= c.table.slots {
		return false
	}
	b := c.slot / blockSlots
	w := c.table.ends(b) >> (c.slot % blockSlots) << (c.slot % blockSlots)
	for w == 0 {
		if b++; b == c.table.blocks() {
			return false
		}
		w = c.table.ends(b)
	}
	c.end = b*blockSlots + uint64(bits.TrailingZeros64(w))
	c.broken, c.open = false, true
	return true
}

// fingerprint is that of the entry that was read.
func (c *cursor) fingerprint() uint64 { return c.q<<c.table.bits | c.remainder }

// All yields the fingerprints held, as numbers below Slots times 2^RemainderBits,
// in rising order, each once, with the number of copies held: 1 but in a Counting
// filter. The filter must not change meanwhile.
func (f *Filter) All() iter.Seq2[uint64, uint64] {
	return func(yield func(fingerprint, count uint64) bool) {
		for c := f.table.cursor(f.counting); c.next(); {
			if !yield(c.fingerprint(), c.count) {
				return
			}
		}
	}
}

// A builder fills an empty filter with fingerprints in rising order.
type builder struct {
	f     *Filter
	slot  uint64 // behind the last entry
	q     uint64 // of the last entry
	last  uint64 // fingerprint
	block uint64 // the last one that has its offset
	begun bool
}

// add appends a fingerprint and its count. It is false when it does not fit, or does
// not rise; the filter is then of no use.
func (b *builder) add(fingerprint, count uint64) bool {
	f, t := b.f, &b.f.table
	q, remainder := fingerprint>>t.bits, fingerprint&t.mask
	if q >= f.params.Slots || b.begun && fingerprint <= b.last || count > maxCount {
		return false
	}
	if !b.begun || q != b.q {
		b.close(q / blockSlots)
		b.slot = max(b.slot, q)
		t.setOccupied(q, true)
	}
	b.begun, b.q, b.last = true, q, fingerprint
	var room [maxCode]uint64
	code := append(room[:0], remainder)
	if f.counting {
		code = t.appendCode(room[:0], remainder, count)
	}
	n := uint64(len(code))
	if n > f.params.Slots-f.used || n > t.slots-min(b.slot, t.slots) {
		return false
	}
	for i, v := range code {
		t.put(b.slot+uint64(i), v)
	}
	b.slot += n
	f.used += n
	sum, carry := bits.Add64(f.count, count, 0)
	f.count = sum
	return carry == 0
}

// close ends the run that is open and sets the offsets up to those of a block.
func (b *builder) close(block uint64) {
	t := &b.f.table
	if b.begun {
		t.setEnd(b.slot-1, true)
	}
	for b.block < block {
		b.block++
		t.setOffset(b.block, max(b.slot, b.block*blockSlots)-b.block*blockSlots)
	}
}

// finish ends the filter.
func (b *builder) finish() *Filter {
	b.close(b.f.table.blocks() - 1)
	return b.f
}
