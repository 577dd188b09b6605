package ribbon

import (
	"math/bits"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// group is the number of columns that are solved together, so that what one
// waits for another computes.
const group = 4

// solve finds the solution from the last row to the first. A row that no
// equation leads is zero in the standard form, and random in the homogeneous
// form, which is what makes it other than all zero.
func (b *band) solve() []uint64 {
	words := make([]uint64, b.size())
	// The next rows of each column: bit i is that of the row i after the last
	// one solved; later holds 64 more.
	var state, later [MaxBits + group]uint64
	var asked [blockRows]uint64
	for block := b.blocks; block > 0; {
		block--
		offset, cols := b.columns(block)
		b.askedOf(block, &asked)
		rows := (*[blockRows]uint64)(b.rows[block*blockRows:])
		for c := uint64(0); c < cols; c += group {
			s := (*[group]uint64)(state[c:])
			if b.width > 64 {
				high := (*[blockRows]uint64)(b.high[block*blockRows:])
				solveWide(rows, high, &asked, c, s, (*[group]uint64)(later[c:]))
			} else {
				solveBlock(rows, &asked, c, s)
			}
		}
		copy(words[offset:], state[:cols])
	}
	return words
}

// askedOf sets what the rows of a block ask for, a bit for each column.
func (b *band) askedOf(block uint64, asked *[blockRows]uint64) {
	from := block * blockRows
	if b.form == Standard {
		for i, want := range b.asked[from:][:blockRows] {
			asked[i] = uint64(want)
		}
		return
	}
	for i, row := range b.rows[from:][:blockRows] {
		free := row&1 - 1 // all ones if no equation leads the row
		asked[i] = hashing.Mix(b.salt+(from+uint64(i))*hashing.Gamma) & free
	}
}

// solveBlock solves columns c to c+3 of a block.
func solveBlock(rows, asked *[blockRows]uint64, c uint64, state *[group]uint64) {
	s0, s1, s2, s3 := state[0], state[1], state[2], state[3]
	for i := blockRows - 1; i >= 0; i-- {
		row, want := rows[i], asked[i]>>(c&63)
		s0, s1, s2, s3 = s0<<1, s1<<1, s2<<1, s3<<1
		s0 |= (uint64(bits.OnesCount64(row&s0)) ^ want) & 1
		s1 |= (uint64(bits.OnesCount64(row&s1)) ^ want>>1) & 1
		s2 |= (uint64(bits.OnesCount64(row&s2)) ^ want>>2) & 1
		s3 |= (uint64(bits.OnesCount64(row&s3)) ^ want>>3) & 1
	}
	*state = [group]uint64{s0, s1, s2, s3}
}

// solveWide is solveBlock for 128 coefficients.
func solveWide(rows, high, asked *[blockRows]uint64, c uint64, state, later *[group]uint64) {
	for k := range state {
		s, l := state[k], later[k]
		for i := blockRows - 1; i >= 0; i-- {
			l = l<<1 | s>>63
			s <<= 1
			s |= (uint64(bits.OnesCount64(rows[i]&s^high[i]&l)) ^ asked[i]>>(c&63)) & 1
		}
		state[k], later[k] = s, l
		c++
	}
}
