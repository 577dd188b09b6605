package quotient

import "slices"

// lineBytes is the length of a cache line.
const lineBytes = 64

// Lines is the number of different cache lines of 64 bytes that Contains reads for
// key, in a table that begins with a line: a count, the same on every machine, by a
// walk of the same places. In a Counting filter it is that of the search by lanes alone,
// before a counter is read.
func (f *Filter) Lines(key uint64) int {
	var room [8]uint64
	return len(f.table.walk(f.params.Hash.Uint64(key), room[:0]))
}

// walk appends the numbers of the lines that has reads.
func (t *table) walk(hash uint64, room []uint64) []uint64 {
	q, remainder := t.split(hash)
	w := walk{table: t, lines: room}
	w.head(q / blockSlots)
	w.lanes(q, 0)
	w.lanes(q, 1)
	if !t.occupied(q) {
		return w.lines
	}
	end := t.after(q) - 1
	start := t.start(q, end)
	stop := start // where the search ends, from behind
	for slot := start; slot <= end; slot++ {
		if t.get(slot) == remainder {
			stop = slot
		}
	}
	found := t.get(stop) == remainder
	if spilled := t.offset(q / blockSlots); spilled < blockSlots && end/blockSlots == q/blockSlots {
		last := end
		if found {
			last = stop
		}
		for i := range (last-q)/t.lanes.n + 1 {
			w.lanes(q, i)
		}
		return w.lines
	}
	for b := q/blockSlots + t.offset(q/blockSlots)/blockSlots; b <= end/blockSlots; b++ {
		w.head(b)
	}
	for slot := end; ; slot-- {
		at, _ := t.place(slot)
		w.touch(at, 8)
		if slot == stop {
			return w.lines
		}
		w.head((slot - 1) / blockSlots)
	}
}

// A walk collects lines.
type walk struct {
	table *table
	lines []uint64
}

func (w *walk) touch(at, bytes uint64) {
	for line := at / lineBytes; line <= (at+bytes-1)/lineBytes; line++ {
		if !slices.Contains(w.lines, line) {
			w.lines = append(w.lines, line)
		}
	}
}

func (w *walk) head(b uint64) { w.touch(b*w.table.stride, headBytes) }

// lanes touches the i-th word of lanes from slot q on.
func (w *walk) lanes(q, i uint64) {
	t := w.table
	bit := q%blockSlots*t.bits + i*t.lanes.bits
	w.touch(q/blockSlots*t.stride+headBytes+bit/8, 8)
}
