package blocked

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/internal/mixture"
)

// FPR is the false-positive rate of a filter of that many blocks of the kind, with k
// bits a key, after n distinct keys: the mean of FPRInBlock over the number of keys in
// a block (Putze, Sanders, Singler 2007, section 3), which is binomial, and Poisson
// for many blocks. It is NaN for no blocks and for a k that the kind does not allow.
//
// Keys that agree in all 64 bits of their hash, n 2^-64 of the absent ones, and
// what is uneven in the choice of a block, a part in 2^64/blocks, are left out.
func FPR(kind Kind, blocks uint64, k int, n uint64) float64 {
	if blocks < 1 || !kind.Valid() || !kind.allows(k) {
		return math.NaN()
	}
	return rate(innerOf(kind, k), blocks, n)
}

// crowded is the number of keys in a block, 64 for each bit of the largest, from which
// on a bit is unset with a chance below e^-64, and everything is found.
const crowded = 64 * lineBits

func rate(in *inner, blocks, n uint64) float64 {
	// Where even the emptiest block is crowded the mean is over numbers that differ by
	// the million, all of one rate.
	if mean := float64(n) / float64(blocks); mean > crowded+12*math.Sqrt(mean) {
		return 1
	}
	return mixture.Binomial(n, 1/float64(blocks), in.at)
}

// FPRInBlock is the rate of one block of the kind that holds i keys of k bits each.
// Where the bits of a key are drawn independently from the whole block, it is that of
// a Bloom filter of the block's bits, exactly (bloom.FPRExact: the textbook formula is
// 8 % low for 64 bits, k = 8 and 10 bits a key). Sectors are independent of one
// another: it is that rate of one sector, to the power of their number.
func FPRInBlock(kind Kind, k int, i uint64) float64 {
	if !kind.Valid() || !kind.allows(k) {
		return math.NaN()
	}
	sectors := 1
	if kind == Sectors {
		sectors = min(k, lineWords)
	}
	one := bloom.FPRExact(kind.BlockBits()/uint64(sectors), uint64(k/sectors), i)
	return math.Pow(one, float64(sectors))
}

// An inner keeps the rates of a block, which a search for a size asks for again and
// again, as does the law of every filter of the kind.
type inner struct {
	kind  Kind
	k     int
	guard sync.Mutex
	known []float64 // -1 where not
}

// inners are those of the process, by kind and k.
var inners sync.Map

func innerOf(kind Kind, k int) *inner {
	in, _ := inners.LoadOrStore([2]int{int(kind), k}, &inner{kind: kind, k: k})
	return in.(*inner)
}

func (in *inner) at(i uint64) float64 {
	// A block of so many keys finds everything.
	if i > crowded {
		return FPRInBlock(in.kind, in.k, i)
	}
	in.guard.Lock()
	defer in.guard.Unlock()
	for uint64(len(in.known)) <= i {
		in.known = append(in.known, -1)
	}
	if in.known[i] < 0 {
		in.known[i] = FPRInBlock(in.kind, in.k, i)
	}
	return in.known[i]
}

// MinRate is the least rate that a size can be had for, 2^-MaxK.
const MinRate = 0x1p-32

// Size is the smallest filter of the kind for n keys whose law, FPR, is at most eps:
// the least number of blocks for which some k of mostProbes or fewer keeps the
// promise, and of those k the best. No keys are sized as one. It returns an error for
// eps outside [MinRate, 1), for a kind that does not exist, and where more than MaxBits
// bits would be needed.
//
// It takes some milliseconds the first time, and a fraction of one when the rates of
// blocks are known.
func Size(n uint64, eps float64, kind Kind) (Params, error) {
	switch {
	case !(eps >= MinRate && eps < 1):
		return Params{}, fmt.Errorf("blocked: the rate %v is not inside [%.3g, 1)", eps, MinRate)
	case !kind.Valid():
		return Params{}, fmt.Errorf("blocked: %v: the kinds are %v", kind, Kinds())
	}
	n = max(n, 1)
	limit := kind.maxBlocks()
	refused := fmt.Errorf("blocked: %d keys at rate %v, kind %v, ask for more than %d bits", n, eps, kind, MaxBits)
	guess := bloom.BitsPerKey(eps) * float64(n) / float64(kind.BlockBits()) // of the plain filter: too small
	if guess > float64(limit) {
		return Params{}, refused
	}
	var (
		best, k = limit + 1, 0
		least   = math.Inf(1) // the rate of the best so far
	)
	for _, probes := range likelyFirst(kind, eps) {
		in := innerOf(kind, probes)
		keeps := func(blocks uint64) bool { return rate(in, blocks, n) <= eps }
		// The rate falls as blocks grow: a k that misses eps at a block less than the
		// best so far cannot better it, but it may do better with as many.
		if k == 0 || best > 1 && keeps(best-1) {
			blocks := mixture.Smallest(uint64(guess), limit, keeps)
			if blocks > limit {
				continue
			}
			best, k, least = blocks, probes, rate(in, blocks, n)
		} else if r := rate(in, best, n); r < least {
			k, least = probes, r
		}
	}
	if k == 0 {
		return Params{}, refused
	}
	return Params{Kind: kind, Blocks: best, K: k}, nil
}

// mostProbes is the largest k that Size tries, 1 + log2(1/eps), but 8 at least: the
// best k is at most that of a plain filter, since in a crowded block every bit more
// is one too many. (A filter of few keys, whose last block is larger than it need be,
// could do with more. It keeps its promise without.)
func mostProbes(eps float64) int { return max(lineWords, 1+int(math.Ceil(-math.Log2(eps)))) }

// likelyFirst lists the probes that Size tries, those nearest to log2(1/eps) first:
// the sooner a good size is known, the more of the others are decided by one look.
func likelyFirst(kind Kind, eps float64) []int {
	all := slices.DeleteFunc(kind.Probes(), func(k int) bool { return k > mostProbes(eps) })
	slices.SortStableFunc(all, func(a, b int) int {
		return cmp.Compare(math.Abs(float64(a)+math.Log2(eps)), math.Abs(float64(b)+math.Log2(eps)))
	})
	return all
}
