package quotient

import "math/bits"

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// selectBit is the position of the k-th set bit of w, k from 1 to the number of
// its set bits: the byte by sums of set bits, all eight at once, then the bit
// (after Vigna 2008, "Broadword implementation of rank/select queries").
func selectBit(w uint64, k int) uint64 {
	s := w - w>>1&0x5555555555555555
	s = s&0x3333333333333333 + s>>2&0x3333333333333333
	s = (s + s>>4) & 0x0f0f0f0f0f0f0f0f * ones // byte i: set bits in bytes 0 to i
	// A byte's high bit stays where its sum is below k.
	below := ((uint64(k)*ones | highs) - s - ones) & highs
	at := uint64(bits.OnesCount64(below)) * 8 % 64
	rest := uint64(k-1) - s<<8>>at&0xff
	return at + uint64(inByte[w>>at&0xff][rest%8])
}

// inByte is the position of the k-th set bit of a byte, k from 0.
var inByte = func() (table [256][8]uint8) {
	for b := range table {
		k := 0
		for i := range 8 {
			if b>>i&1 != 0 {
				table[b][k] = uint8(i)
				k++
			}
		}
	}
	return table
}()
