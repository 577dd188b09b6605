package countmin

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// block is how many keys go through the table together, row by row: enough for
// their cache misses to overlap many times over.
const block = 64

// room is where a block is worked on.
type room struct{ hashes, words [block]uint64 }

// AddBatch is Add of the same weight for each of the keys.
func (s *Sketch) AddBatch(keys []uint64, weight uint64) {
	if !s.inBlocks(len(keys), weight) {
		for _, key := range keys {
			s.Add(key, weight)
		}
		return
	}
	var r room
	for len(keys) > 0 {
		n := min(block, len(keys))
		s.hash.Uint64Each(r.hashes[:n], keys[:n])
		s.addRoom(&r, n, weight)
		keys = keys[n:]
	}
}

// AddBytesBatch is AddBytes of the same weight for each of the keys.
func (s *Sketch) AddBytesBatch(keys [][]byte, weight uint64) {
	if !s.inBlocks(len(keys), weight) {
		for _, key := range keys {
			s.AddBytes(key, weight)
		}
		return
	}
	var r room
	for len(keys) > 0 {
		n := min(block, len(keys))
		s.hash.BytesEach(r.hashes[:n], keys[:n])
		s.addRoom(&r, n, weight)
		keys = keys[n:]
	}
}

// CountBatch sets counts[i] to Count(keys[i]). counts is at least as long as
// keys, and may be keys itself.
func (s *Sketch) CountBatch(keys, counts []uint64) {
	counts = counts[:len(keys)]
	if s.rows != Derived {
		for i, key := range keys {
			counts[i] = s.Count(key)
		}
		return
	}
	var r room
	for len(keys) > 0 {
		n := min(block, len(keys))
		s.hash.Uint64Each(r.hashes[:n], keys[:n])
		s.countRoom(&r, counts[:n])
		keys, counts = keys[n:], counts[n:]
	}
}

// CountBytesBatch sets counts[i] to CountBytes(keys[i]). counts is at least as
// long as keys.
func (s *Sketch) CountBytesBatch(keys [][]byte, counts []uint64) {
	counts = counts[:len(keys)]
	if s.rows != Derived {
		for i, key := range keys {
			counts[i] = s.CountBytes(key)
		}
		return
	}
	var r room
	for len(keys) > 0 {
		n := min(block, len(keys))
		s.hash.BytesEach(r.hashes[:n], keys[:n])
		s.countRoom(&r, counts[:n])
		keys, counts = keys[n:], counts[n:]
	}
}

// inBlocks reports whether the keys of a batch may pass through the table row by
// row, all of them with this weight: the order of adding is then of no account.
func (s *Sketch) inBlocks(keys int, weight uint64) bool {
	if s.rows != Derived || s.conservative {
		return false
	}
	hi, sum := bits.Mul64(uint64(keys), weight)
	return hi == 0 && sum < s.limit() && s.total < s.limit()-sum
}

// addRoom adds weight to n keys by their hashes.
func (s *Sketch) addRoom(r *room, n int, weight uint64) {
	s.total += uint64(n) * weight
	if s.narrow != nil {
		addBlock(s, s.narrow, r.hashes[:n], r.words[:n], uint32(weight))
	} else {
		addBlock(s, s.cells, r.hashes[:n], r.words[:n], weight)
	}
}

// addBlock adds weight to some keys, and uses up their hashes. Rows are taken
// five at a time where one word serves as many: it then stays in a register (at 5
// rows of 2719 counters, 5.4 ns a key and 9 otherwise).
func addBlock[T counter](s *Sketch, cells []T, hashes, words []uint64, weight T) {
	w, words := s.width, words[:len(hashes)]
	for n := uint64(len(cells)); n > 0; {
		for i, hash := range hashes {
			hashes[i] = hash + hashing.Gamma
			words[i] = hashing.Mix(hash + hashing.Gamma)
		}
		served := min(s.span, n)
		n -= served
		for ; served >= 5*w; served -= 5 * w {
			a, b, c, d, e := cells[:w], cells[w:2*w], cells[2*w:3*w], cells[3*w:4*w], cells[4*w:5*w]
			for i, word := range words {
				var at uint64
				at, word = bits.Mul64(word, w)
				a[at] += weight
				at, word = bits.Mul64(word, w)
				b[at] += weight
				at, word = bits.Mul64(word, w)
				c[at] += weight
				at, word = bits.Mul64(word, w)
				d[at] += weight
				at, words[i] = bits.Mul64(word, w)
				e[at] += weight
			}
			cells = cells[5*w:]
		}
		for ; served > 0; served -= w {
			row := cells[:w]
			for i, word := range words {
				column, rest := bits.Mul64(word, w)
				words[i] = rest
				row[column] += weight
			}
			cells = cells[w:]
		}
	}
}

// countRoom counts as many keys as there is room in counts by their hashes.
func (s *Sketch) countRoom(r *room, counts []uint64) {
	n := len(counts)
	if s.narrow != nil {
		countBlock(s, s.narrow, r.hashes[:n], r.words[:n], counts)
	} else {
		countBlock(s, s.cells, r.hashes[:n], r.words[:n], counts)
	}
}

// countBlock sets the counts of some keys, and uses up their hashes. Rows are
// taken as in addBlock.
func countBlock[T counter](s *Sketch, cells []T, hashes, words, counts []uint64) {
	w, words, counts := s.width, words[:len(hashes)], counts[:len(hashes)]
	for i := range counts {
		counts[i] = s.limit()
	}
	for n := uint64(len(cells)); n > 0; {
		for i, hash := range hashes {
			hashes[i] = hash + hashing.Gamma
			words[i] = hashing.Mix(hash + hashing.Gamma)
		}
		served := min(s.span, n)
		n -= served
		for ; served >= 5*w; served -= 5 * w {
			a, b, c, d, e := cells[:w], cells[w:2*w], cells[2*w:3*w], cells[3*w:4*w], cells[4*w:5*w]
			for i, word := range words {
				var at uint64
				at, word = bits.Mul64(word, w)
				least := a[at]
				at, word = bits.Mul64(word, w)
				least = min(least, b[at])
				at, word = bits.Mul64(word, w)
				least = min(least, c[at])
				at, word = bits.Mul64(word, w)
				least = min(least, d[at])
				at, words[i] = bits.Mul64(word, w)
				counts[i] = min(counts[i], uint64(min(least, e[at])))
			}
			cells = cells[5*w:]
		}
		for ; served > 0; served -= w {
			row := cells[:w]
			for i, word := range words {
				column, rest := bits.Mul64(word, w)
				words[i] = rest
				counts[i] = min(counts[i], uint64(row[column]))
			}
			cells = cells[w:]
		}
	}
	for i, c := range counts {
		counts[i] = s.answer(c)
	}
}
