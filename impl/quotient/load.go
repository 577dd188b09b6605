//go:build !purego && (amd64 || arm64)

package quotient

import "unsafe"

// load is word without the check of bounds, where words lie in memory as they are
// written, low byte first. A look-up does five loads, and the checks of each cost it
// time. The place must be inside of data: a look-up's quotient is below the number of
// slots, whatever the hash (see split), and slackBytes lie behind the last block.
func (t *table) load(at uint64) uint64 {
	return *(*uint64)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.data)), at))
}
