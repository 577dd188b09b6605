package fuse

import (
	"math"
	"math/bits"
	"unsafe"

	"github.com/sketchproof/sketchproof/impl/internal/peel"
)

// A graph says which slots a key has: a first one anywhere but in the last
// segments, then one in each of the segments that follow.
type graph struct {
	span    uint64 // slots in which the first one of a key may lie
	segment uint64 // slots in a segment, a power of two
}

const (
	minExponent, maxExponent = 2, 18
	minSegment               = 1 << minExponent
	maxSegment               = 1 << maxExponent // what 59 bits of a hash can place a key in
	maxSlots                 = 1<<32 - 1        // a slot's number has 32 bits
)

// segmentLength is the number of slots in a segment for n keys (Graf & Lemire
// 2022, section 4.1): 2^floor(log_3.33(n) + 2.25), or for four slots a key
// 2^floor(log_2.91(n) - 0.5).
func segmentLength(arity, n int) uint64 {
	base, plus := 3.33, 2.25
	if arity == 4 {
		base, plus = 2.91, -0.5
	}
	exponent := math.Floor(math.Log(float64(n))/math.Log(base) + plus)
	return uint64(math.Ldexp(1, int(min(max(exponent, minExponent), maxExponent))))
}

// Expansion is the number of slots for each of n keys, before it is rounded up
// to whole segments (Graf & Lemire 2022, section 4.1): max(1.125, 0.875 + 0.25
// ln(10^6)/ln n), or for four slots a key max(1.075, 0.77 + 0.305 ln(6·10^5)/ln n).
func Expansion(arity, n int) float64 {
	ln := math.Log(float64(max(n, 2)))
	if arity == 4 {
		return max(1.075, 0.77+0.305*math.Log(6e5)/ln)
	}
	return max(1.125, 0.875+0.25*math.Log(1e6)/ln)
}

// newGraph is the graph of an attempt to build a filter of n keys.
func newGraph(arity, n, attempt int) graph {
	if n == 0 {
		return graph{}
	}
	segment := segmentLength(arity, n)
	slots := uint64(math.Ceil(min(float64(n)*Expansion(arity, n)*peel.Growth(attempt), maxSlots-maxSegment)))
	segments := max((slots+segment-1)/segment, uint64(arity))
	return graph{span: (segments - uint64(arity-1)) * segment, segment: segment}
}

// slots is the length of the table.
func (g *graph) slots(arity int) uint64 {
	if g.span == 0 {
		return 0
	}
	return g.span + uint64(arity-1)*g.segment
}

// three are the slots of a key. The product of its hash and the span has the
// first in its upper half (Lemire 2019) and what is left of the hash in its
// lower half, highest bits first: these are the places in the other segments.
func (g *graph) three(h uint64) (p0, p1, p2 uint) {
	hi, lo := bits.Mul64(h, g.span)
	mask := g.segment - 1
	return uint(hi), uint((hi + g.segment) ^ lo>>46&mask), uint((hi + 2*g.segment) ^ lo>>28&mask)
}

// fourth is the slot that a key has besides, in a graph of four: its place comes
// from the product that the fingerprint is the top of.
func (g *graph) fourth(h uint64, p0 uint) uint {
	return uint((uint64(p0) + 3*g.segment) ^ h*spread>>14&(g.segment-1))
}

// four are all slots of a key in a graph of four.
func (g *graph) four(h uint64) (p0, p1, p2, p3 uint) {
	p0, p1, p2 = g.three(h)
	return p0, p1, p2, g.fourth(h, p0)
}

// spread is an odd constant without pattern.
const spread = 0xa0761d6478bd642f

// fingerprint is that of a mixed hash: the top of another product, so that no
// exclusive or of the bits that choose the slots gives it.
func fingerprint[F Fingerprint](h uint64) F {
	return F(h * spread >> (64 - 8*unsafe.Sizeof(F(0))))
}
