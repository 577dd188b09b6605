package data

import (
	_ "embed"
	"slices"
	"sync"
)

//go:embed ecoli536.2bit
var genome []byte

// K is the length of a k-mer in bases: the longest odd one that fits 64 bits. An
// odd k-mer is never its own reverse complement.
const K = 31

// KMers returns the canonical 31-mers of the genome in its order, repeats
// included: 4 938 890 of them. A canonical k-mer is the lesser of a stretch of
// 31 bases and its reverse complement, as a number of 62 bits with the first
// base highest, so that both strands of the DNA give the same one.
func KMers() []uint64 { return kmers() }

// DistinctKMers returns each of KMers once, ascending: 4 848 261 of them.
func DistinctKMers() []uint64 { return distinctKMers() }

var kmers = sync.OnceValue(func() []uint64 { return canonical(genome) })

var distinctKMers = sync.OnceValue(func() []uint64 {
	keys := canonical(genome)
	slices.Sort(keys)
	return slices.Compact(keys)
})

// canonical slides over bases packed four a byte, and keeps the k-mer of either
// strand as it goes.
func canonical(packed []byte) []uint64 {
	const mask = 1<<(2*K) - 1
	bases := 4 * len(packed)
	keys := make([]uint64, 0, max(0, bases-K+1))
	var forward, reverse uint64
	for i := range bases {
		base := uint64(packed[i/4]>>(2*(i%4))) & 3
		forward = (forward<<2 | base) & mask
		reverse = reverse>>2 | (3-base)<<(2*(K-1)) // 3-base is the complement: A-T, C-G
		if i >= K-1 {
			keys = append(keys, min(forward, reverse))
		}
	}
	return keys
}
