package bloom

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/internal/mixture"
)

// A Rounding says how a wanted rate becomes whole numbers m and k.
type Rounding uint8

const (
	// Exact is the smallest m for which some k has FPRExact <= p at n keys, and
	// the best such k. It alone keeps the promise at every n.
	Exact Rounding = iota
	// Nearest is m = ceil(-n ln p / (ln 2)^2) and k = (m/n) ln 2 rounded to
	// the nearest, halves to even.
	Nearest
	// Floor rounds both down: the filter is a little too small.
	Floor
	// Ceil rounds both up: where (m/n) ln 2 is just above a whole number, k is
	// one too large, and the rate up to 13 % too high.
	Ceil
)

// Roundings lists every rule.
func Roundings() []Rounding { return []Rounding{Exact, Nearest, Floor, Ceil} }

// String is the rule's name: exact, nearest, floor or ceil.
func (r Rounding) String() string {
	switch r {
	case Exact:
		return "exact"
	case Nearest:
		return "nearest"
	case Floor:
		return "floor"
	case Ceil:
		return "ceil"
	default:
		return fmt.Sprintf("unknown rounding %d", uint8(r))
	}
}

// Size returns m and k of a filter for n keys at the false-positive rate p. No
// keys are sized as one. Both are at least 1. It returns an error for p outside
// (0, 1), for a rule that does not exist, and where m would exceed MaxBits or k
// would exceed MaxK (p below 2^-64).
//
// Exact takes some tens of evaluations of FPRExact: 0.03 ms at 1 %, 0.5 ms
// at 10^-6, whatever n. Beyond m = 10^12 its m is the smallest up to rounding.
func Size(n uint64, p float64, rule Rounding) (m, k uint64, err error) {
	n = max(n, 1)
	if !(p > 0 && p < 1) {
		return 0, 0, fmt.Errorf("bloom: the rate %v is not inside (0, 1)", p)
	}
	bits := -(float64(n) * math.Log(p)) / (math.Ln2 * math.Ln2)
	if bits > float64(MaxBits) {
		return 0, 0, fmt.Errorf("bloom: %d keys at rate %v ask for %.4g bytes: at most %d bits", n, p, bits/8, MaxBits)
	}
	probes := func(m float64) float64 { return m / float64(n) * math.Ln2 }
	var fm, fk float64
	switch rule {
	case Exact:
		return smallest(n, p)
	case Nearest:
		fm = math.Ceil(bits)
		fk = math.RoundToEven(probes(fm))
	case Floor:
		fm = math.Max(1, math.Floor(bits))
		fk = math.Floor(probes(fm))
	case Ceil:
		fm = math.Ceil(bits)
		fk = math.Ceil(probes(fm))
	default:
		return 0, 0, fmt.Errorf("bloom: %v: the rules are %v", rule, Roundings())
	}
	fk = math.Max(1, fk)
	if fk > float64(MaxK) {
		return 0, 0, fmt.Errorf("bloom: rate %v at %d keys asks for %v probes: at most %d", p, n, fk, MaxK)
	}
	return uint64(fm), uint64(fk), nil
}

// SizePartitioned returns m and k of a filter of the Partitioned scheme for n
// keys at the false-positive rate p: the smallest m that some k divides and for
// which FPRPartitioned <= p, and of such k the best. No keys are sized as one.
// The errors are those of Size.
func SizePartitioned(n uint64, p float64) (m, k uint64, err error) {
	n = max(n, 1)
	if !(p > 0 && p < 1) {
		return 0, 0, fmt.Errorf("bloom: the rate %v is not inside (0, 1)", p)
	}
	classic := uint64(max(1, math.RoundToEven(-math.Log2(p))))
	if classic > MaxK {
		return 0, 0, fmt.Errorf("bloom: rate %v asks for %d probes: at most %d", p, classic, MaxK)
	}
	if bits := float64(n) * BitsPerKey(p); bits > float64(MaxBits) {
		return 0, 0, fmt.Errorf("bloom: %d keys at rate %v ask for %.4g bytes: at most %d bits", n, p, bits/8, MaxBits)
	}
	rate := math.Inf(1)
	m = math.MaxUint64
	for j := uint64(1); j <= min(classic+1, MaxK); j++ {
		slice, ok := smallestSlice(n, j, p)
		if !ok || j*slice > m {
			continue
		}
		if r := FPRPartitioned(j*slice, j, n); j*slice < m || r < rate {
			m, k, rate = j*slice, j, r
		}
	}
	if m > MaxBits {
		return 0, 0, fmt.Errorf("bloom: %d keys at rate %v ask for more than %d bits", n, p, MaxBits)
	}
	return m, k, nil
}

// smallestSlice is the least length s of a slice with FPRPartitioned(k*s, k, n)
// <= p, and whether k of them are within MaxBits. The law, solved for s, is where
// the search starts.
func smallestSlice(n, k uint64, p float64) (slice uint64, ok bool) {
	root := math.Pow(p, 1/float64(k))
	guess := math.Floor(-1/math.Expm1(math.Log1p(-root)/float64(n))) - 1 // the rounding of the logarithms
	limit := MaxBits / k
	if !(guess <= float64(limit)) {
		return 0, false
	}
	slice = mixture.Smallest(uint64(max(1, guess)), limit, func(s uint64) bool { return FPRPartitioned(k*s, k, n) <= p })
	return slice, slice <= limit
}

// smallest is the rule Exact. The exact rate falls as m grows, for every k, so a
// k that misses p one bit below the best m so far cannot better it: one
// evaluation decides each. The best k is never
// above the classic optimum by more than its rounding: the exact rate punishes
// a large k more.
func smallest(n uint64, p float64) (m, k uint64, err error) {
	classic := uint64(max(1, math.RoundToEven(-math.Log2(p))))
	if classic > MaxK {
		return 0, 0, fmt.Errorf("bloom: rate %v asks for %d probes: at most %d", p, classic, MaxK)
	}
	m = smallestFor(n, classic, p)
	top := min(classic+1, MaxK)
	for k := uint64(1); k <= top; k++ {
		if k != classic && m > 1 && FPRExact(m-1, k, n) <= p {
			m = smallestFor(n, k, p)
		}
	}
	if m > MaxBits {
		return 0, 0, fmt.Errorf("bloom: %d keys at rate %v ask for %d bytes: at most %d bits", n, p, m/8, MaxBits)
	}
	return m, bestK(m, n, top), nil
}

// smallestFor is the smallest m with FPRExact(m, k, n) <= p. The classic rate is
// below the exact one, so the classic formula's m, a constant number of bits
// short, is where the search starts: upwards to a bracket, then bisection.
func smallestFor(n, k uint64, p float64) uint64 {
	keeps := func(m uint64) bool { return FPRExact(m, k, n) <= p }
	root := math.Pow(p, 1/float64(k))
	high := uint64(math.Max(1, math.Ceil(-float64(k)*float64(n)/math.Log1p(-root))))
	low := high - 1 // misses p, or is 0
	for step := uint64(1); !keeps(high); step *= 2 {
		low, high = high, high+step
	}
	for high-low > 1 {
		if mid := low + (high-low)/2; keeps(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// bestK is the k up to top with the least exact rate, the smaller of equals.
func bestK(m, n, top uint64) uint64 {
	best, least := uint64(1), math.Inf(1)
	for k := uint64(1); k <= top; k++ {
		if rate := FPRExact(m, k, n); rate < least {
			best, least = k, rate
		}
	}
	return best
}
