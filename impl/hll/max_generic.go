//go:build !amd64 || purego

package hll

func maxBytes(dst, src []byte) { maxBytesPortable(dst, src) }
