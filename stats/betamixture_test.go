package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// References by bisection with mpmath at 40 digits. The upper end for 0.25 of 32
// and its mirror image show both tails, real x and a weight that is not 1.
func TestBetaMixtureFarTails(t *testing.T) {
	for _, c := range []struct{ x, n, alpha, a, b, lo, hi float64 }{
		{0, 1e10, 1e-7, 1, 1, 0, 3.9143946504386349031e-9},
		{100, 1e10, 1e-9, 1, 1, 3.4708658215320129498e-9, 2.1884704799207641898e-8},
		{1e8, 1e10, 1e-9, 1, 99, 0.009992292936350158922, 0.010007710985567485353},
		{5e9, 1e10, 1e-7, 1, 1, 0.49996298295683860328, 0.50003701704316139672},
		{0.25, 32, 1e-4, 1, 1, 1.757934200684098007e-24, 0.3444628255679260972},
		{31.5, 32, 1e-4, 0.5, 0.5, 0.65584919869709789267, 0.99999999999901053532},
		{12.75, 128, 1e-7, 0.5, 0.5, 0.0096607110732378665742, 0.32988260222899599954},
	} {
		iv := BetaMixture(c.x, c.n, c.alpha, c.a, c.b)
		if !near(iv.Lo, c.lo, 1e-12) || !near(iv.Hi, c.hi, 1e-12) {
			t.Errorf("%+v: [%.17g, %.17g]", c, iv.Lo, iv.Hi)
		}
	}
	if iv := BetaMixture(0, 0, 0.05, 1, 1); iv != (Interval{0, 1}) {
		t.Errorf("nothing seen gives %v, want [0, 1]", iv)
	}
}

// Looking after every try and stopping at the first miss is the worst stopping
// rule there is. The sum of bounded observations, and zeros among them, are the
// cases that a binomial bound is not made for.
func TestBetaMixtureCoversAtEveryTry(t *testing.T) {
	const alpha, runs, tries = 0.01, 1000, 150
	for name, data := range map[string]struct {
		mean float64
		draw func(*rand.Rand) float64
	}{
		"coin":     {0.1, func(r *rand.Rand) float64 { return event(r, 0.1) }},
		"uniform":  {0.5, func(r *rand.Rand) float64 { return r.Float64() }},
		"bursts":   {0.05, func(r *rand.Rand) float64 { return event(r, 0.1) * r.Float64() }},
		"one step": {0.03, func(r *rand.Rand) float64 { return 0.3 * event(r, 0.1) }},
	} {
		r := rand.New(rand.NewPCG(11, 12))
		missed := 0
		for range runs {
			sum := 0.0
			for n := 1.0; n <= tries; n++ {
				sum += data.draw(r)
				if int(n)%5 != 0 && n > 20 { // every try to 20, then every fifth: to save time
					continue
				}
				if iv := BetaMixture(sum, n, alpha, 1, 1); data.mean < iv.Lo || data.mean > iv.Hi {
					missed++
					break
				}
			}
		}
		if limit := missLimit(runs, alpha); missed > limit {
			t.Errorf("%s: %d of %d runs missed, more than %d", name, missed, runs, limit)
		}
	}
}

// The interval is a level set: at its ends the mixture is exactly 1/alpha times
// as likely. Here by plain ln Γ, good for small n.
func TestBetaMixtureEndsSolveTheirEquation(t *testing.T) {
	logBetaFunction := func(a, b float64) float64 {
		la, _ := math.Lgamma(a)
		lb, _ := math.Lgamma(b)
		lab, _ := math.Lgamma(a + b)
		return la + lb - lab
	}
	x, n, alpha, a, b := 7.5, 40.0, 1e-6, 2.0, 3.0
	iv := BetaMixture(x, n, alpha, a, b)
	for _, p := range []float64{iv.Lo, iv.Hi} {
		ratio := logBetaFunction(a+x, b+n-x) - logBetaFunction(a, b) - x*math.Log(p) - (n-x)*math.Log1p(-p)
		if !near(ratio, -math.Log(alpha), 1e-12) {
			t.Errorf("at %g the log ratio is %g, want %g", p, ratio, -math.Log(alpha))
		}
	}
}
