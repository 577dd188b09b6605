//go:build !amd64 || purego

package hll

var maxima = map[string]func(dst, src []byte){"portable": maxBytesPortable, "fastest": maxBytes}
