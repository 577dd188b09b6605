package hll

import "encoding/binary"

// A histogram counts registers by value: 64 values, of which 66 - p occur.
type histogram [64]int32

// packedPlace is where register i lies in a packed form: the 16 bits that start
// at byte at hold it, shift bits up. Register i starts at bit 6i; of the four in
// three bytes the last two are reached from the middle byte, so that no access
// leaves the three.
func packedPlace(i uint64) (at uint64, shift uint64) {
	late := i >> 1 & 1
	return i>>2*3 + late, i&3*6 - late*8
}

func packedAt(regs []byte, i uint64) uint8 {
	at, shift := packedPlace(i)
	return uint8(binary.LittleEndian.Uint16(regs[at:])>>(shift&15)) & 63
}

func setPacked(regs []byte, i uint64, v uint8) {
	at, shift := packedPlace(i)
	w := regs[at : at+2]
	old := binary.LittleEndian.Uint16(w)
	binary.LittleEndian.PutUint16(w, old&^(63<<(shift&15))|uint16(v)<<(shift&15))
}

// count looks at every register.
func (s *Sketch) count() histogram {
	if s.codes != nil {
		dense := *s
		dense.turnDense() // reads the set of s, and replaces it in the copy
		return dense.hist
	}
	if s.params.Registers == Bytes8 {
		return countBytes(s.regs)
	}
	var h histogram
	for i := range uint64(s.M()) {
		h[packedAt(s.regs, i)]++
	}
	return h
}

// countBytes uses four tables by turns: most registers have one of three or four
// values, and an increment that waits for the one before it, to the same
// address, takes three times as long.
func countBytes(regs []byte) histogram {
	var a, b, c, d histogram
	for ; len(regs) >= 4; regs = regs[4:] {
		a[regs[0]&63]++
		b[regs[1]&63]++
		c[regs[2]&63]++
		d[regs[3]&63]++
	}
	for k := range a {
		a[k] += b[k] + c[k] + d[k]
	}
	return a
}

// maxBytesPortable sets every byte of dst to the larger of dst and src, eight
// bytes at a time. All bytes are under 128 and both lengths are the same
// multiple of eight.
func maxBytesPortable(dst, src []byte) {
	const high = 0x8080808080808080
	for len(dst) >= 8 && len(src) >= 8 {
		a, b := binary.LittleEndian.Uint64(dst), binary.LittleEndian.Uint64(src)
		// The high bit of a byte stays set where a >= b: no byte borrows from the
		// next. From it a mask of the whole byte.
		keep := (a | high) - b
		keep = keep & high >> 7 * 255
		binary.LittleEndian.PutUint64(dst, a&keep|b&^keep)
		dst, src = dst[8:], src[8:]
	}
}
