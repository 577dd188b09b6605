package cuckoo

import "math"

// FPR is the false-positive rate of a filter with tags of f bits, b slots a
// bucket and load a = keys/slots, when the keys are distinct:
// 1 - exp(-2ba/(2^f - 1)).
//
// A query compares its tag with those in two buckets, 2ba on average, and tag 0
// is no tag. The stored keys that share a bucket pair and the tag with it are
// Poisson. Derived; close to Fan et al. 2014, section 5.1, for long tags. It
// needs two distinct buckets and many of them, so it is too high for one bucket.
func FPR(f, b int, load float64) float64 {
	return -math.Expm1(-2 * float64(b) * load / (pow2(f) - 1))
}

// Printed is the form that is usually printed, 1 - (1 - 2^-f)^(2ba): every slot
// is its own trial and 0 is a tag (Fan et al. 2014, section 5.1, has the
// exponent 2b, load 1). It is 2 to 3 % too low at f = 4 and right for long tags.
func Printed(f, b int, load float64) float64 {
	return -math.Expm1(2 * float64(b) * load * math.Log1p(-1/pow2(f)))
}

// Bound is the upper bound 2b/2^f that a tag length is chosen by (Fan et al.
// 2014, equation 6).
func Bound(f, b int) float64 { return 2 * float64(b) / pow2(f) }

// BitsPerKey is f/a, the table's bits for each key held (Fan et al. 2014,
// section 5.1).
func BitsPerKey(f int, load float64) float64 { return float64(f) / load }

// BitsPerKeySemiSorted is (f-1)/a: semi-sorted buckets take one bit less for each
// slot, at the same rate (Fan et al. 2014, section 5.2).
func BitsPerKeySemiSorted(f int, load float64) float64 { return float64(f-1) / load }

// Threshold is the load that is usually quoted as reachable with b slots a
// bucket: 0.50, 0.84, 0.95 and 0.98 for b = 1, 2, 4 and 8 (Fan et al. 2014,
// section 5.1), NaN for other b. It is a floor for long tags and many kicks,
// not a law: what is reached depends on kicks, tag length and size.
func Threshold(b int) float64 {
	switch b {
	case 1:
		return 0.50
	case 2:
		return 0.84
	case 4:
		return 0.95
	case 8:
		return 0.98
	default:
		return math.NaN()
	}
}

// Crowding is the expected number of groups of 2b + 1 keys, among n, that have
// the same tag and the same pair of buckets out of m. Such a group does not fit,
// whatever is moved. It is C(n, 2b+1) (2/((2^f - 1) m))^(2b): after the first
// key of a group each other one has one tag of 2^f - 1 and one of two buckets of
// m (Fan et al. 2014, section 4.2).
func Crowding(n, m float64, f, b int) float64 {
	k := float64(2*b + 1)
	if n < k {
		return 0
	}
	total, _ := math.Lgamma(n + 1)
	chosen, _ := math.Lgamma(k + 1)
	rest, _ := math.Lgamma(n - k + 1)
	return math.Exp(total - chosen - rest + 2*float64(b)*math.Log(2/((pow2(f)-1)*m)))
}

func pow2(f int) float64 { return math.Ldexp(1, f) }
