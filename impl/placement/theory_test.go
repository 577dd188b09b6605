package placement

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-14*math.Abs(want) }

func TestTheory(t *testing.T) {
	a, b := ShareBeta(4, 100)
	c, d := MovedBeta(4, 100)
	if a != 100 || b != 300 || c != 100 || d != 400 {
		t.Errorf("Beta(%v, %v) and Beta(%v, %v), want (100, 300) and (100, 400)", a, b, c, d)
	}
	// Standard deviation over mean of a Beta(a, b): sqrt(b / (a (a+b+1))).
	if got, want := ShareCV(4, 100), math.Sqrt(b/(a*(a+b+1))); !near(got, want) {
		t.Errorf("share cv %v, want %v", got, want)
	}
	if !near(MovedMean(4), c/(c+d)) || MovedMean(4) != 0.2 {
		t.Errorf("moved mean %v, want 1/5", MovedMean(4))
	}
	if got := ShareCV(1, 10); got != 0 {
		t.Errorf("one node has a share cv of %v", got)
	}
	// Of the remainders modulo 20, all but 0 to 3 differ modulo 4 and 5.
	moved := 0.0
	for x := range 20 {
		if x%4 != x%5 {
			moved++
		}
	}
	if got := ModuloMoved(4); !near(got, moved/20) {
		t.Errorf("modulo moves %v, want %v", got, moved/20)
	}
	if got := MaxOverMean(4); !near(got, 25./12) { // 1 + 1/2 + 1/3 + 1/4
		t.Errorf("max over mean %v, want 25/12", got)
	}
}

// At S = 2 and v = 1 a share is uniform, Beta(1, 1), and a count of K keys is
// uniform on 0..K: its variance is K(K+2)/12, its mean K/2.
func TestSampledShareCV(t *testing.T) {
	const k = 10
	if got, want := SampledShareCV(2, 1, k), math.Sqrt(k*(k+2)/12.)/(k/2.); !near(got, want) {
		t.Errorf("sampled share cv %v, want %v", got, want)
	}
}

// Over many rings the squared deviation of a share from 1/S, times S squared,
// has the mean ShareCV squared; a fourth moment bounds its error.
func TestShareLawHolds(t *testing.T) {
	const trials, s, v = 4000, 3, 4
	nodes := []string{"A", "B", "C"}
	var sum, squares, moved, largest float64
	for trial := range uint64(trials) {
		h := hashing.XX(hashing.Mix(trial))
		share := shares(mustNew(t, v, h, nodes...))
		x := (share["A"]*s - 1) * (share["A"]*s - 1)
		sum += x
		squares += x * x
		moved += shares(mustNew(t, v, h, "A", "B", "C", "D"))["D"]
		single := shares(mustNew(t, 1, h, nodes...))
		largest += max(single["A"], single["B"], single["C"]) * s
	}
	within := func(what string, got, want, sd float64) {
		t.Helper()
		if se := sd / math.Sqrt(trials); math.Abs(got-want) > 6*se {
			t.Errorf("%s: %v, want %v within six standard errors of %v", what, got, want, se)
		}
	}
	cv := ShareCV(s, v)
	within("squared cv", sum/trials, cv*cv, math.Sqrt(squares/trials-sum/trials*sum/trials))
	within("moved", moved/trials, MovedMean(s), ShareCV(s+1, v)*MovedMean(s))
	// The largest share lies between 1 and s times the mean: its standard
	// deviation is below half that range.
	within("max over mean", largest/trials, MaxOverMean(s), (s-1)/2.)
}

// shares measures the arcs that end in a node's points.
func shares(r *Ring) map[string]float64 {
	share := map[string]float64{}
	points := r.Points()
	last := points[len(points)-1].Place
	for _, p := range points {
		share[p.Node] += float64(p.Place-last) / (1 << 64) // wraps around at 0
		last = p.Place
	}
	return share
}
