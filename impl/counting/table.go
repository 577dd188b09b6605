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

func (t *table) at(i uint64) uint64 {
	bit := i % (64 / t.width) * t.width
	return t.words[i/(64/t.width)] >> bit & t.top()
}

func (t *table) set(i, value uint64) {
	bit := i % (64 / t.width) * t.width
	w := &t.words[i/(64/t.width)]
	*w = *w&^(t.top()<<bit) | value<<bit
}

// padding is what stands in the last word above the last cell.
func (t *table) padding() uint64 {
	used := t.m % (64 / t.width) * t.width
	if used == 0 {
		return 0
	}
	return t.words[len(t.words)-1] >> used
}
