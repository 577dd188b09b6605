package counting

// A table packs m cells of 4, 8 or 16 bits into words, the first cell in the
// lowest bits. No cell crosses a word.
type table struct {
	m, width uint64
	words    []uint64
}

// length is the number of words that m cells take.
func (t *table) length() uint64 {
	perWord := 64 / t.width
	n := t.m / perWord
	if t.m%perWord != 0 {
		n++
	}
	return n
}

// top is the largest value of a cell.
func (t *table) top() uint64 { return 1<<t.width - 1 }

// place is where cell i lies: the number of its word, and of its lowest bit.
func (t *table) place(i uint64) (word, bit uint64) {
	switch t.width { // divisions by constants are shifts
	case 4:
		return i / 16, i % 16 * 4
	case 8:
		return i / 8, i % 8 * 8
	default:
		return i / 4, i % 4 * 16
	}
}

func (t *table) at(i uint64) uint64 {
	word, bit := t.place(i)
	return t.words[word] >> bit & t.top()
}

func (t *table) set(i, value uint64) {
	word, bit := t.place(i)
	w := &t.words[word]
	*w = *w&^(t.top()<<bit) | value<<bit
}

// raise adds one to cell i, and reports whether the cell had room for it.
func (t *table) raise(i uint64) bool {
	word, bit := t.place(i)
	w := &t.words[word]
	if *w>>bit&t.top() == t.top() {
		return false
	}
	*w += 1 << bit
	return true
}

// lower takes one from cell i. It leaves empty cells alone, and those at their
// maximum, which no longer know their count.
func (t *table) lower(i uint64) {
	word, bit := t.place(i)
	w := &t.words[word]
	if c := *w >> bit & t.top(); c > 0 && c < t.top() {
		*w -= 1 << bit
	}
}

// padding is what stands in the last word above the last cell.
func (t *table) padding() uint64 {
	used := t.m % (64 / t.width) * t.width
	if used == 0 {
		return 0
	}
	return t.words[len(t.words)-1] >> used
}
