package stats

import (
	"fmt"
	"math"
)

// AsymptoticHalfwidth is the half-width of the asymptotic confidence sequence
// for a mean after t observations of standard deviation sd. rho > 0, fixed in
// advance, says where it is tightest: near t = 2 ln(1/alpha)/rho².
//
// It holds only as the first look moves to infinity. No [Method] uses it: from
// 20 observations on at alpha = 1e-7 it missed normal means at 5e-6, means of
// squares at 7e-3, and means of rare counts at 0.14. With t < 1 it is infinite.
// It panics when rho is not positive or alpha not in (0, 1). Source:
// Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2021, Theorem 2.2.
func AsymptoticHalfwidth(sd float64, t int, rho, alpha float64) float64 {
	mustAlpha(alpha)
	if !(rho > 0) || math.IsInf(rho, 0) {
		panic(fmt.Sprintf("stats: rho %v is not positive and finite", rho))
	}
	if t < 1 {
		return math.Inf(1)
	}
	n := float64(t)
	v := n*rho*rho + 1
	return sd * math.Sqrt(2*v/(n*n*rho*rho)*math.Log(math.Sqrt(v)/alpha))
}
