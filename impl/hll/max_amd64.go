//go:build !purego

package hll

import "golang.org/x/sys/cpu"

// hasAVX2 chooses maxVector32.
var hasAVX2 = cpu.X86.HasAVX2

// maxVector sets the n bytes at dst to the larger of them and those at src; n is
// a multiple of 16.
//
//go:noescape
func maxVector(dst, src *byte, n int)

// maxVector32 is maxVector for a multiple of 128, twice as fast, where hasAVX2.
//
//go:noescape
func maxVector32(dst, src *byte, n int)

// maxBytes is maxBytesPortable, many times as fast. There are at least 16
// registers, and their number is a power of two.
func maxBytes(dst, src []byte) {
	_ = src[len(dst)-1]
	if hasAVX2 && len(dst) >= 128 {
		maxVector32(&dst[0], &src[0], len(dst))
		return
	}
	maxVector(&dst[0], &src[0], len(dst))
}
