package countmin

import (
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Add adds weight to a numeric key. A weight of 0 changes nothing.
func (s *Sketch) Add(key, weight uint64) {
	if s.rows == Independent {
		s.addSlow(func(h hashing.Hasher) uint64 { return h.Uint64(key) }, weight)
		return
	}
	s.addDerived(s.hash.Uint64(key), weight)
}

// AddBytes adds weight to a byte string, which it does not keep. Ask with
// CountBytes for what AddBytes added: a number and a byte string are the same
// key only if the hash function says so (see hashing.Hasher.Uint64).
func (s *Sketch) AddBytes(key []byte, weight uint64) {
	if s.rows == Independent {
		s.addSlow(func(h hashing.Hasher) uint64 { return h.Bytes(key) }, weight)
		return
	}
	s.addDerived(s.hash.Bytes(key), weight)
}

// AddHash adds weight to the key behind a well-mixed 64-bit hash, which takes
// the place of the sketch's own hash. Independent rows need a function for
// each row and cannot use it as it is: there AddHash(h, weight) is Add(h, weight).
func (s *Sketch) AddHash(hash, weight uint64) {
	if s.rows == Independent {
		s.Add(hash, weight)
		return
	}
	s.addDerived(hash, weight)
}

// Count estimates the weight added to a numeric key: never below the truth,
// unless the sketch is saturated and the answer math.MaxUint64.
func (s *Sketch) Count(key uint64) uint64 {
	if s.rows == Independent {
		return s.countSlow(func(h hashing.Hasher) uint64 { return h.Uint64(key) })
	}
	return s.countDerived(s.hash.Uint64(key))
}

// CountBytes is Count for a byte string.
func (s *Sketch) CountBytes(key []byte) uint64 {
	if s.rows == Independent {
		return s.countSlow(func(h hashing.Hasher) uint64 { return h.Bytes(key) })
	}
	return s.countDerived(s.hash.Bytes(key))
}

// CountHash is Count for a key that was added by AddHash.
func (s *Sketch) CountHash(hash uint64) uint64 {
	if s.rows == Independent {
		return s.Count(hash)
	}
	return s.countDerived(hash)
}

// Index is the column of a numeric key in row r, from 0 to Width()-1. It
// panics unless r is from 0 to Depth()-1.
func (s *Sketch) Index(r int, key uint64) int {
	return s.index(r, func(h hashing.Hasher) uint64 { return h.Uint64(key) })
}

// IndexBytes is Index for a byte string.
func (s *Sketch) IndexBytes(r int, key []byte) int {
	return s.index(r, func(h hashing.Hasher) uint64 { return h.Bytes(key) })
}

func (s *Sketch) index(r int, hashKey func(hashing.Hasher) uint64) int {
	s.mustHaveRow(r)
	row := uint64(r)
	if s.rows == Independent {
		return int(hashKey(s.hash.At(row)) % s.width)
	}
	perWord := s.span / s.width
	word := hashing.Mix(hashKey(s.hash) + (row/perWord+1)*hashing.Gamma)
	var column uint64
	for range row%perWord + 1 {
		column, word = bits.Mul64(word, s.width)
	}
	return int(column)
}

// rowsPerWord is the number of rows that one word serves, a number of the
// splitmix64 stream that starts at the key's hash. The hash is no word itself:
// keys may have been dealt to this sketch by some bits of it. Read as a
// fraction of 2^64, the word is written in base w: each multiplication by w
// moves one digit, the next column, above the point. Digits of a uniform
// fraction are independent and uniform, but for the 64-bit grid; it is kept 64
// times finer than the finest cell of columns (w^rows <= 2^58), so each
// combination of columns has its fair chance within one part in 64, and two
// keys share all of them more often than is fair by less than 1 in 10^4
// (a relative variance of at most 1/4 of 1/64 squared).
func rowsPerWord(w, d uint64) uint64 {
	const finest = 1 << 58
	rows, cells := uint64(1), w
	for rows < d && cells <= finest/w {
		rows, cells = rows+1, cells*w
	}
	return rows
}

// addTotal raises the total. It reports whether every counter has room for it, in
// which case none can overflow: none is above the total.
func (s *Sketch) addTotal(weight uint64) bool {
	s.total = addSaturating(s.total, weight)
	return !s.Saturated()
}

func (s *Sketch) addDerived(hash, weight uint64) {
	if s.narrow != nil {
		addTable(s, s.narrow, hash, weight)
	} else {
		addTable(s, s.cells, hash, weight)
	}
}

func (s *Sketch) countDerived(hash uint64) uint64 {
	if s.narrow == nil {
		return leastOf(s.cells, s.width, s.span, hash)
	}
	return s.answer(uint64(leastOf(s.narrow, s.width, s.span, hash)))
}

// answer is the estimate for the least counter: one that has stopped says no more
// than that the total is not exceeded.
func (s *Sketch) answer(least uint64) uint64 {
	if least == s.limit() {
		return s.total
	}
	return least
}

// cell and setCell are counter i of the table, cut off at its limit.
func (s *Sketch) cell(i uint64) uint64 {
	if s.narrow != nil {
		return uint64(s.narrow[i])
	}
	return s.cells[i]
}

func (s *Sketch) setCell(i, value uint64) {
	if s.narrow != nil {
		s.narrow[i] = narrowed[uint32](value)
	} else {
		s.cells[i] = value
	}
}

// addSlow is for independent rows, whose hashing outweighs everything else.
func (s *Sketch) addSlow(hashKey func(hashing.Hasher) uint64, weight uint64) {
	s.addTotal(weight)
	var places [MaxDepth]uint64
	least := uint64(math.MaxUint64)
	for r := range s.depth {
		places[r] = r*s.width + hashKey(s.hash.At(r))%s.width
		least = min(least, s.cell(places[r]))
	}
	level := addSaturating(least, weight)
	for _, i := range places[:s.depth] {
		if s.conservative {
			s.setCell(i, max(s.cell(i), level))
		} else {
			s.setCell(i, addSaturating(s.cell(i), weight))
		}
	}
}

func (s *Sketch) countSlow(hashKey func(hashing.Hasher) uint64) uint64 {
	least := uint64(math.MaxUint64)
	for r := range s.depth {
		least = min(least, s.cell(r*s.width+hashKey(s.hash.At(r))%s.width))
	}
	return s.answer(least)
}
