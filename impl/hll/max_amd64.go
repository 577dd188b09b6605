//go:build !purego

package hll

// maxVector sets the n bytes at dst to the larger of them and those at src; n is
// a multiple of 16.
//
//go:noescape
func maxVector(dst, src *byte, n int)

// maxBytes is maxBytesPortable, several times as fast. There are at least 16
// registers, and their number is a power of two.
func maxBytes(dst, src []byte) {
	_ = src[len(dst)-1]
	maxVector(&dst[0], &src[0], len(dst))
}
