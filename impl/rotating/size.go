package rotating

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Size returns parameters with which a filter of rate eps or less remembers about
// the latest n keys or more. Each of its two filters has the fewest bits whose exact
// rate at n keys is 1 - sqrt(1-eps), two of which make eps, and rotates at the
// fill that gives that rate. So the rate is kept by this very filter's bits, and
// the number of keys a period is n on average: one part in a hundred either way
// at 1000 keys. Just after a rotation the last period is all that is remembered, so
// ask for some more where not one of the latest n may be missed. Age and Hash are left to the caller. It returns an error for eps
// outside (0, 1) and where bloom.Size does.
func Size(n uint64, eps float64) (Params, error) {
	if !(eps > 0 && eps < 1) {
		return Params{}, fmt.Errorf("rotating: the rate %v is not inside (0, 1)", eps)
	}
	p := -math.Expm1(math.Log1p(-eps) / 2)
	m, k, err := bloom.Size(n, p, bloom.Exact)
	if err != nil {
		return Params{}, fmt.Errorf("rotating: %w", err)
	}
	return Params{M: m, K: k, Fill: math.Pow(p, 1/float64(k))}, nil
}

// ForRate makes an empty filter that is sized for the latest n keys at the
// false-positive rate eps; see Size for what is allowed.
func ForRate(n uint64, eps float64, hash hashing.Hasher) (*Filter, error) {
	p, err := Size(n, eps)
	if err != nil {
		return nil, err
	}
	p.Hash = hash
	return New(p)
}
