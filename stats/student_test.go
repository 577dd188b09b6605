package stats

import (
	"math"
	"testing"
)

// Of n exponential observations of mean 1, the exact interval for the mean is
// 2n over the quantiles of χ²(2n): Pearson's type III with its own skewness, 2.
// The sample's skewness is chosen so that it is 2 with its standard error added.
func TestSkewedMeanIsExactForExponentials(t *testing.T) {
	const n, alpha = 400, 1e-4
	e := math.Sqrt(6. / n)
	skew := (2 - e) / (1 + e)
	rms := ChiSquareRMS(2*n, 2*n, alpha) // its square is 2n over the quantiles
	exact := Interval{rms.Lo * rms.Lo, rms.Hi * rms.Hi}
	student := StudentMean(n, 1, 1, alpha)

	right := skewedMean(moments{n: n, mean: 1, sd: 1, skew: skew}, alpha)
	if !near(right.Hi, exact.Hi, 1e-12) || right.Lo != student.Lo {
		t.Errorf("%v, want the exact end %g above and Student's %g below", right, exact.Hi, student.Lo)
	}
	left := skewedMean(moments{n: n, mean: -1, sd: 1, skew: -skew}, alpha)
	if left.Lo != -right.Hi || left.Hi != -right.Lo {
		t.Errorf("%v is not the mirror image of %v", left, right)
	}
	if !(exact.Hi > student.Hi && exact.Lo > student.Lo) {
		t.Errorf("exact %v, Student's %v: this test sees nothing", exact, student)
	}
}
