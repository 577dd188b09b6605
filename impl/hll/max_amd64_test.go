//go:build !purego

package hll

// maxima are all ways to take the larger bytes; this machine may lack one.
var maxima = map[string]func(dst, src []byte){
	"portable": maxBytesPortable,
	"fastest":  maxBytes,
	"16 bytes": func(dst, src []byte) { maxVector(&dst[0], &src[0], len(dst)) },
}
