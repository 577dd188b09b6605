package xor

import (
	"math/bits"
	"unsafe"

	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

// blocks are three of the same number of slots; a key has one in each.
type blocks struct{ block uint64 }

// newBlocks are those of an attempt to build a filter of n keys: floor(1.23 n) +
// 32 slots in all, in thirds (Graf & Lemire 2020, algorithm 3).
func newBlocks(n, attempt int) blocks {
	if n == 0 {
		return blocks{}
	}
	slots := (uint64(n)*123/100 + 32) / 3
	return blocks{min(uint64(float64(slots)*peel.Growth(attempt)), maxBlock)}
}

// Odd constants without pattern.
const (
	second = 0xe7037ed1a0b428db
	third  = 0x8ebc6af09c88c6e3
	spread = 0xa0761d6478bd642f
)

// maxBlock is the most slots in a block: a slot's number has 32 bits.
const maxBlock = (1<<32 - 1) / 3

// three are the slots of a key: the upper halves of products (Lemire 2019), of
// its mixed hash and of two multiples of it.
func (b *blocks) three(h uint64) (p0, p1, p2 uint) {
	a, _ := bits.Mul64(h, b.block)
	c, _ := bits.Mul64(h*second, b.block)
	d, _ := bits.Mul64(h*third, b.block)
	return uint(a), uint(c + b.block), uint(d + 2*b.block)
}

// fingerprint is that of a mixed hash.
func fingerprint[F Fingerprint](h uint64) F {
	return F(h * spread >> (64 - 8*unsafe.Sizeof(F(0))))
}

func width[F Fingerprint]() int { return 8 * int(unsafe.Sizeof(F(0))) }
