package exact

import "math"

// The geometry of Go's maps since 1.24 (internal/runtime/maps): slots come in
// groups of 8 with 8 control bytes; a table doubles until it has 1024 slots,
// then splits in two, each when it is more than 7/8 full; a directory of
// pointers leads to the tables.
const (
	groupSlots   = 8
	tableSlots   = 1024
	tableFull    = tableSlots / 8 * 7
	tableHeader  = 32
	pointerBytes = 8
)

// Bytes of a slot: a set pads its empty value to a word, so that a set of
// numbers is no smaller than a map from numbers to numbers.
const (
	numberSlot = 16 // 8 of key, 8 of value or padding
	textSlot   = 24 // 16 of string header, 8 of value or padding
)

// mapBytes estimates what a Go map that grew to n entries holds, on a 64-bit
// machine, without what its keys point to. The allocator's rounding is known
// for whole tables only; a map shared over many tables is their expected
// number, which is right to a few percent.
func mapBytes(n, slot int) int {
	group := groupSlots * (1 + slot)
	if n <= tableFull {
		slots := groupSlots
		for n > groupSlots && slots/8*7 < n {
			slots *= 2
		}
		return slots / groupSlots * group
	}
	// The key's hash leads down a binary tree of tables. A node at depth d got
	// Binomial(n, 2^-d) keys, near a normal law, and was split if more than fit.
	tables, directory := 1.0, 1.0
	for depth := 0.0; ; depth++ {
		mean := math.Ldexp(float64(n), -int(depth))
		split := math.Erfc((tableFull+0.5-mean)/math.Sqrt(2*mean)) / 2
		nodes := math.Ldexp(1, int(depth))
		if nodes*split < 0.5 {
			break
		}
		tables += nodes * split
		directory *= 2
	}
	table := tableHeader + inSizeClass(tableSlots/groupSlots*group)
	return int(tables*float64(table) + directory*pointerBytes)
}

// inSizeClass is the allocator's block for a whole table of 16 or of 24 bytes a
// slot (runtime/sizeclasses.go).
func inSizeClass(bytes int) int {
	if bytes <= 18432 {
		return 18432 // from 17408
	}
	return 27264 // from 25600
}

// textBytes is the block of a string's bytes, rounded up to a word.
func textBytes(key []byte) int { return (len(key) + 7) / 8 * 8 }
