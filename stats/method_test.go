package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func repeat(n int, cs ...Count) []Count {
	trials := make([]Count, n)
	for i := range trials {
		trials[i] = cs[i%len(cs)]
	}
	return trials
}

func TestMethodNames(t *testing.T) {
	if got := Rate.String(); got != "rate" {
		t.Errorf("Rate is %q", got)
	}
	if got := Method(9).String(); got != "Method(9)" {
		t.Errorf("Method(9) is %q", got)
	}
}

func TestLooks(t *testing.T) {
	for look, want := range map[int]int{1: 32, 2: 64, 3: 128, 12: 65536, 100: math.MaxInt} {
		if got := Looks(look); got != want {
			t.Errorf("look %d: %d trials, want %d", look, got, want)
		}
	}
	last := 0
	for look := 1; look < 70; look++ {
		if Looks(look) < last {
			t.Fatalf("look %d: %d trials, fewer than before", look, Looks(look))
		}
		last = Looks(look)
	}
	if !panics(func() { Looks(0) }) {
		t.Error("look 0: no panic")
	}
}

func TestInvariant(t *testing.T) {
	// The band is not asked: even one that allows everything does not save it.
	band := Between(0, -1, 2)
	for _, c := range []struct {
		trials []Count
		want   Verdict
	}{
		{repeat(32, Count{0, 1000}), Holds},
		{repeat(1, Count{0, 1}), Holds},
		{append(repeat(31, Count{0, 1000}), Count{1, 1000}), Broken},
		{repeat(32, Count{0, 0}), Undecided}, // nothing was tried
		{nil, Undecided},
	} {
		j := Invariant.Assess(c.trials, 1, 0.01, band)
		if j.Verdict != c.want || j.Confidence != 0.99 || j.Trials != len(c.trials) {
			t.Errorf("%d trials: %+v, want %v", len(c.trials), j, c.want)
		}
	}
	j := Invariant.Assess(repeat(32, Count{0, 1000}), 1, 0.01, band)
	if want := ClopperPearsonAlpha(0, 32_000, 0.01); j.Interval != want || j.Estimate != 0 {
		t.Errorf("%+v, want the interval %v of 0 in 32000", j, want)
	}
}

// Counts whose variance is the binomial one: Student and Clopper-Pearson agree
// within the rules, and the hull holds both.
func TestRateIsTheWiderOfBoth(t *testing.T) {
	const alpha, look = 1e-3, 2
	spent := alpha / 4
	alike := repeat(64, Count{20, 1000}) // no spread at all: the exact one is wider
	if got, want := Rate.Assess(alike, look, alpha, AtMost(1)).Interval, ClopperPearsonAlpha(1280, 64_000, spent); got != want {
		t.Errorf("no spread: %v, want Clopper-Pearson's %v", got, want)
	}
	// Shares of 1 and 3 % by turns: standard deviation √(64/63) %, far over the
	// binomial 0.4 %.
	spread := repeat(64, Count{10, 1000}, Count{30, 1000})
	got := Rate.Assess(spread, look, alpha, AtMost(1))
	student := StudentMean(64, 0.02, 0.01*math.Sqrt(64./63), spent)
	const rounding = 1e-15 // the mean and sd here are not from exact sums
	if !(got.Interval.Lo <= student.Lo+rounding && student.Hi <= got.Interval.Hi+rounding) {
		t.Errorf("%v does not contain Student's %v", got.Interval, student)
	}
	// Student's half-width is 3.9 · 0.00126; the hull is wider for skewness only.
	if width := got.Interval.Hi - got.Interval.Lo; width > 1.2*(student.Hi-student.Lo) {
		t.Errorf("%v is much wider than Student's %v", got.Interval, student)
	}
	if got.Estimate != 0.02 || got.Confidence != 1-spent || got.Trials != 64 {
		t.Errorf("%+v, want estimate 0.02, confidence %g", got, 1-spent)
	}
}

func TestRateNeedsEvents(t *testing.T) {
	// 384 and 416 events: the band is as wide as one likes. A bound from above
	// only may hold with few events, or none.
	for _, c := range []struct {
		num  int64
		band Band
		want Verdict
	}{
		{12, Between(1e-6, 1e-9, 1), Undecided},
		{13, Between(1e-6, 1e-9, 1), Holds},
		{12, AtLeast(1e-9), Undecided},
		{12, Between(1e-6, 0, 1), Holds},
		{12, AtMost(1), Holds},
		{0, AtMost(1e-3), Holds},
		{12, Between(1e-3, 1e-3, 2e-3), Broken}, // the true rate is 1.2e-5
		{12, AtMost(1e-7), Broken},
	} {
		by := min(c.num, 1) // a little spread where there is any event
		trials := repeat(32, Count{c.num - by, 1_000_000}, Count{c.num + by, 1_000_000})
		if j := Rate.Assess(trials, 1, 1e-7, c.band); j.Verdict != c.want {
			t.Errorf("%d events a trial, band %v: %+v, want %v", c.num, c.band, j, c.want)
		}
	}
	// No event in 32·10^6 tries: the bound is that of 32·10^6 over 1 + 2√(2/32)
	// = 1.5 independent tries.
	j := Rate.Assess(repeat(32, Count{0, 1_000_000}), 1, 1e-7, AtMost(1))
	want := -math.Expm1(math.Log(1e-7/4) / (32e6 / 1.5))
	if j.Estimate != 0 || j.Interval.Lo != 0 || !near(j.Interval.Hi, want, 1e-12) {
		t.Errorf("no event: %+v, want an upper end of %g", j, want)
	}
}

// 96 events, 0 and 6 a trial by turns: variance 9·32/31 a trial, where 3 is that
// of independent events; the exact interval is that for 96 over this design
// effect and over 1 + 2√(2/32) = 1.5. Student's is wider below.
func TestRateOfFewClusteredEvents(t *testing.T) {
	const alpha = 0.02
	j := Rate.Assess(repeat(32, Count{0, 1_000_000}, Count{6, 1_000_000}), 1, alpha, AtMost(1))
	effect := 9. * 32 / 31 / (3 * (1 - 3e-6)) * 1.5
	exact := clopperPearson(96/effect, 32e6/effect, alpha/2)
	student := StudentMean(32, 3e-6, 3e-6*math.Sqrt(32./31), alpha/2)
	if !near(j.Interval.Hi, exact.Hi, 1e-12) || exact.Hi <= student.Hi {
		t.Errorf("%v, want the upper end of %v, beyond Student's %v", j.Interval, exact, student)
	}
	if !near(j.Interval.Lo, student.Lo, 1e-12) || exact.Lo <= student.Lo {
		t.Errorf("%v, want the lower end of %v, before the exact %v", j.Interval, student, exact)
	}
	// A rate is not negative, even where Student says so.
	if j := Rate.Assess(repeat(32, Count{0, 1_000_000}, Count{6, 1_000_000}), 1, 1e-7, AtMost(1)); j.Interval.Lo != 0 {
		t.Errorf("lower end %g, want 0", j.Interval.Lo)
	}
}

// Where trials differ in tries, the pooled ratio counts: 32 trials of 10 in
// 1000 and 32 of 60 in 3000 give 2240/128000, not the mean share 0.015.
func TestRateOfUnequalTrials(t *testing.T) {
	trials := repeat(64, Count{10, 1000}, Count{60, 3000})
	j := Rate.Assess(trials, 2, 1e-3, AtMost(1))
	if j.Estimate != 0.0175 {
		t.Errorf("estimate %g, want 0.0175", j.Estimate)
	}
	// Residuals 10 - 17.5 and 60 - 52.5: standard deviation 7.5·√(64/63) over
	// the mean 2000.
	m := ratioMoments(trials)
	if want := 7.5 / 2000 * math.Sqrt(64./63); !near(m.sd, want, 1e-12) {
		t.Errorf("residual standard deviation %g, want %g", m.sd, want)
	}
	empty := append(repeat(32, Count{10, 1000}), repeat(32, Count{0, 0})...)
	if j := Rate.Assess(empty, 2, 1e-3, AtMost(1)); j.Estimate != 0.01 || math.IsInf(j.Interval.Hi, 1) {
		t.Errorf("trials without tries: %+v, want 0.01 and an interval", j)
	}
}

func TestMeanOfNormalReadings(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	trials := make([]Count, 1024)
	for i := range trials {
		trials[i] = Count{int64(1e9 * r.NormFloat64()), 1e9}
	}
	j := Mean.Assess(trials, 6, 1e-7, Between(0, -0.3, 0.3))
	m := momentsOf(trials)
	student := StudentMean(1024, m.mean, m.sd, 1e-7/64)
	width, least := j.Interval.Hi-j.Interval.Lo, student.Hi-student.Lo
	// The widening for skewness is near z·0.1/(6·32): below 1 %.
	if width < least || width > 1.01*least {
		t.Errorf("width %g, want that of Student's interval, %g, and at most 1 %% more", width, least)
	}
	if j.Verdict != Holds {
		t.Errorf("%+v, want holds", j)
	}
	if j := Mean.Assess(trials, 6, 1e-7, Between(1, 0.5, 2)); j.Verdict != Broken {
		t.Errorf("%+v, want broken", j)
	}
}

// Readings that are all alike: what may still come is bounded by
// 1 - (alpha/4)^(1/32), 31 % at 2.5e-6, of a step 1/Den.
func TestEqualReadings(t *testing.T) {
	p := -math.Expm1(math.Log(1e-5/4) / 32)
	for _, c := range []struct {
		method Method
		count  Count
		band   Band
		want   Verdict
		iv     Interval
	}{
		// No count yet is no proof that the mean count is below 0.1 ...
		{Mean, Count{0, 1}, Between(0, -0.1, 0.1), Undecided, Interval{-p, p}},
		{Mean, Count{1, 1}, Within(1, 0.1), Undecided, Interval{1 - p, 1 + p}},
		// ... but 9585059 bits for each of 10^6 keys are within 1 % of 9.585.
		{Mean, Count{9585059, 1e6}, Within(9.585, 0.01), Holds, Interval{9.585059 - p/1e6, 9.585059 + p/1e6}},
		{Mean, Count{9585059, 1e6}, Within(9.5, 0.001), Broken, Interval{9.585059 - p/1e6, 9.585059 + p/1e6}},
		{Spread, Count{0, 1}, Between(0, 0, 0.1), Undecided, Interval{0, math.Sqrt(p)}},
	} {
		j := c.method.Assess(repeat(32, c.count), 1, 1e-5, c.band)
		if j.Verdict != c.want || !near(j.Interval.Lo, c.iv.Lo, 1e-12) || !near(j.Interval.Hi, c.iv.Hi, 1e-12) {
			t.Errorf("%v of %v: %+v, want %v in %v", c.method, c.count, j, c.want, c.iv)
		}
	}
}

// One reading in 32 far off: of such a mean nothing is known, and skewness says so.
func TestMeanClaimsNothingOfRareJumps(t *testing.T) {
	trials := repeat(32, Count{0, 1000})
	trials[7].Num = 500_000
	if j := Mean.Assess(trials, 1, 1e-3, AtMost(1e6)); j.Verdict != Undecided || !math.IsInf(j.Interval.Hi, 1) {
		t.Errorf("%+v, want everything", j)
	}
}

// Errors of +3 and -4 by turns: root mean square √12.5 exactly, excess kurtosis
// 337/2/12.5² - 3 < 0, which is not believed: at n = 64 one standard error
// √(24/64) above it is still below 0, and the pivot has all 64 degrees.
func TestSpread(t *testing.T) {
	trials := repeat(64, Count{3, 1}, Count{-4, 1})
	j := Spread.Assess(trials, 2, 1e-3, AtMost(10))
	if want := ChiSquareRMS(32*25, 64, 1e-3/4); j.Estimate != math.Sqrt(12.5) || !near(j.Interval.Lo, want.Lo, 1e-12) || !near(j.Interval.Hi, want.Hi, 1e-12) {
		t.Errorf("%+v, want %g in %v", j, math.Sqrt(12.5), want)
	}
	if j.Verdict != Holds {
		t.Errorf("%v, want holds", j.Verdict)
	}
	// Errors with a heavy tail are worth fewer: 16 of 64 off by 1, the others 0,
	// have excess kurtosis 4 - 3, and 64/(1 + (1 + √(24/64))/2) degrees.
	heavy := Spread.Assess(repeat(64, Count{1, 1}, Count{0, 1}, Count{0, 1}, Count{0, 1}), 2, 1e-3, AtMost(10))
	want := chiSquareRMS(0.25, 64/(1+(1+math.Sqrt(24./64))/2), 1e-3/4)
	if !near(heavy.Interval.Lo, want.Lo, 1e-12) || !near(heavy.Interval.Hi, want.Hi, 1e-12) {
		t.Errorf("%+v, want %v", heavy, want)
	}
}

func TestShare(t *testing.T) {
	trials := repeat(64, Count{1, 4}, Count{0, 3})
	j := Share.Assess(trials, 2, 1e-3, AtMost(0.5))
	want := BetaMixture(8, 64, 1e-3, 0.5, 0.5)
	if !near(j.Estimate, 0.125, 1e-15) || !near(j.Interval.Lo, want.Lo, 1e-12) || !near(j.Interval.Hi, want.Hi, 1e-12) {
		t.Errorf("%+v, want 0.125 in %v", j, want)
	}
	if j.Confidence != 1-1e-3 || j.Verdict != Holds {
		t.Errorf("%+v, want holds at 0.999", j)
	}
	// Zero events in n trials: (1-p)^n > alpha·B(1/2, n+1/2)/π, so p is near
	// (ln(1/alpha) + ln(nπ)/2)/n: 1.1 % at n = 1024 and 1e-3.
	none := Share.Assess(repeat(1024, Count{0, 5}), 6, 1e-3, AtMost(0.02))
	about := (math.Log(1e3) + math.Log(1024*math.Pi)/2) / 1024
	if none.Verdict != Holds || none.Interval.Lo != 0 || !near(none.Interval.Hi, about, 0.01) {
		t.Errorf("%+v, want holds with an upper end near %g", none, about)
	}
	if all := Share.Assess(repeat(1024, Count{5, 5}), 6, 1e-3, AtLeast(0.98)); all.Verdict != Holds || all.Interval.Hi != 1 {
		t.Errorf("%+v, want holds to 1", all)
	}
}

// The interval never contains NaN, and nothing is decided, when there is too
// little or what cannot be.
func TestTooLittleOrImpossible(t *testing.T) {
	anything := Between(0, math.Inf(-1), 1e300)
	for m := Invariant; m <= Share; m++ {
		impossible := [][]Count{nil, {{1, -1}}, {{5, 10}, {1, -1}}}
		if m != Mean && m != Spread {
			impossible = append(impossible, []Count{{-1, 10}}, []Count{{11, 10}})
		}
		if m == Mean || m == Spread || m == Share {
			impossible = append(impossible, []Count{{0, 0}})
		}
		for _, trials := range impossible {
			j := m.Assess(trials, 1, 0.01, anything)
			if j.Verdict != Undecided || j.Interval != everything() || !math.IsNaN(j.Estimate) {
				t.Errorf("%v of %v: %+v", m, trials, j)
			}
		}
	}
	for _, m := range []Method{Rate, Mean} {
		if j := m.Assess([]Count{{1, 2}}, 1, 0.01, anything); j.Verdict != Undecided || j.Interval != everything() || j.Estimate != 0.5 {
			t.Errorf("%v of one trial: %+v", m, j)
		}
	}
	if j := Spread.Assess([]Count{{-1, 2}}, 1, 0.01, anything); j.Verdict != Undecided || j.Interval != (Interval{0, math.Inf(1)}) || j.Estimate != 0.5 {
		t.Errorf("spread of one trial: %+v", j)
	}
	r := rand.New(rand.NewPCG(61, 62))
	for range 300 { // small and wild
		trials := make([]Count, 1+r.IntN(6))
		for i := range trials {
			den := int64(1) + r.Int64N(1<<r.IntN(60)+1)
			trials[i] = Count{r.Int64N(den + 1), den}
		}
		for m := Invariant; m <= Share; m++ {
			j := m.Assess(trials, 1+r.IntN(20), 1e-7, anything)
			if math.IsNaN(j.Interval.Lo) || math.IsNaN(j.Interval.Hi) || !(j.Interval.Lo <= j.Estimate && j.Estimate <= j.Interval.Hi) {
				t.Errorf("%v of %v: %+v", m, trials, j)
			}
		}
	}
	for name, f := range map[string]func(){
		"look 0":    func() { Mean.Assess(nil, 0, 0.1, Band{}) },
		"alpha 1":   func() { Mean.Assess(nil, 1, 1, Band{}) },
		"no method": func() { Method(9).Assess(repeat(2, Count{1, 2}), 1, 0.1, Band{}) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}
