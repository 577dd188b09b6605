package report

import (
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

func TestNumber(t *testing.T) {
	plain, percent := printer{}, printer{percent: true}
	for _, c := range []struct {
		p    printer
		x    float64
		want string
	}{
		{percent, 0.01, "1.000 %"},
		{percent, 0.000123, "0.01230 %"},
		{percent, 1, "100.0 %"},
		{percent, -0.25, "-25.00 %"},
		{percent, 0.0999999, "10.00 %"}, // rounding adds a digit before the point
		{percent, 1e-5, "0.001000 %"},
		{percent, 3.2e-6, "3.2e-6"},
		{percent, 0, "0"},
		{plain, 0, "0"},
		{plain, 9.585, "9.585"},
		{plain, 1.44269504, "1.443"},
		{plain, 12345.6, "12346"},
		{plain, 10000, "10000"},
		{plain, 1e7, "1e7"},
		{plain, 1.25e10, "1.25e10"},
		{plain, 1e-7, "1e-7"},
		{plain, 3.0004e-6, "3e-6"},
		{plain, math.NaN(), "n/a"},
		{percent, math.Inf(1), "∞"},
		{plain, math.Inf(-1), "-∞"},
	} {
		if got := c.p.number(c.x); got != c.want {
			t.Errorf("%v of %v is %q, want %q", c.p, c.x, got, c.want)
		}
	}
}

func TestMeasuredAndAllowed(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		p                printer
		s                record.Summary
		measured, bounds string
	}{
		{
			printer{percent: true},
			record.Summary{Estimate: 0.01, Lo: 0.0099, Hi: 0.0101, Law: "l", AllowedLo: 0.0098, AllowedHi: 0.0102},
			"1.000 % [0.9900 %, 1.010 %]", "[0.9800 %, 1.020 %]",
		},
		{
			printer{percent: true},
			record.Summary{Estimate: 0, Lo: 0, Hi: 2e-6, Law: "l", AllowedLo: 0, AllowedHi: 0},
			"0 [0, 2e-6]", "only 0",
		},
		{
			printer{unit: "bits"},
			record.Summary{Estimate: 9.6, Lo: -inf, Hi: 9.7, Law: "l", AllowedLo: -inf, AllowedHi: 10},
			"9.600 [-∞, 9.700] bits", "at most 10",
		},
		{printer{}, record.Summary{Estimate: 0.95, Lo: -inf, Hi: inf, Law: "l", AllowedLo: 0.9, AllowedHi: inf}, "0.9500", "at least 0.9000"},
		{printer{}, record.Summary{Estimate: 2, Lo: 1, Hi: 3, Law: "l", AllowedLo: -inf, AllowedHi: inf}, "2 [1, 3]", "anything"},
		{printer{}, record.Summary{Estimate: 2, Lo: 1, Hi: 3}, "2 [1, 3]", ""},
	} {
		if got := c.p.measured(c.s); got != c.measured {
			t.Errorf("measured %q, want %q", got, c.measured)
		}
		if got := c.p.allowed(c.s); got != c.bounds {
			t.Errorf("allowed %q, want %q", got, c.bounds)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		estimate, predicted float64
		want                string
	}{{0.03, 0.01, "3"}, {0.0255, 0.01, "2.550"}, {1, 0, ""}, {0, 1, ""}, {1, math.NaN(), ""}, {-2, -1, ""}, {math.Inf(1), 1, ""}} {
		if got := times(record.Summary{Estimate: c.estimate, Predicted: c.predicted}); got != c.want {
			t.Errorf("%v of %v: %q, want %q", c.estimate, c.predicted, got, c.want)
		}
	}
}

// TestNormalQuantile uses three tails of the table in Abramowitz & Stegun 1964,
// 26.2: 1.9600 at 2.5 %, 3.0902 at 0.1 %, 4.7534 at 10^-6.
func TestNormalQuantile(t *testing.T) {
	for tail, want := range map[float64]float64{0.025: 1.9600, 1e-3: 3.0902, 1e-6: 4.7534} {
		if got := normalQuantile(tail); math.Abs(got-want) > 5e-5 {
			t.Errorf("%g: %v, want %v", tail, got, want)
		}
	}
}

func TestEscape(t *testing.T) {
	for plain, want := range map[string]string{
		"a_b _c_":          `a_b \_c\_`,
		"2*3 ~ $x$":        `2\*3 \~ \$x\$`,
		"[x](y)":           `[x]\(y)`,
		"a < b\n\n# c":     `a \< b # c`,
		"see `a*b` and *c": "see `a*b` and \\*c",
		"a ` b":            "a ' b",
		`back\slash`:       `back\\slash`,
	} {
		if got := text(plain); got != want {
			t.Errorf("text(%q) is %q, want %q", plain, got, want)
		}
	}
	if got, want := cellText("a|`b|c`\nd"), "a\\|`b\\|c` d"; got != want {
		t.Errorf("cellText is %q, want %q", got, want)
	}
	if got, want := anchor("bloom/no-false-negatives é"), "bloomno-false-negatives-é"; got != want {
		t.Errorf("anchor is %q, want %q", got, want)
	}
}

func TestTallyVerdict(t *testing.T) {
	for _, c := range []struct {
		t             tally
		verdict, text string
	}{
		{tally{holds: 2}, "holds", "2 of 2 hold"},
		{tally{holds: 41, broken: 1}, "**broken**", "41 of 42 hold, 1 broken"},
		{tally{holds: 1, undecided: 1}, "undecided", "1 of 2 hold, 1 undecided"},
		{tally{broken: 1, undecided: 1}, "**broken**", "0 of 2 hold, 1 broken, 1 undecided"},
		{tally{}, "not tried", "0 of 0 hold"},
	} {
		if c.t.verdict() != c.verdict || c.t.counts() != c.text {
			t.Errorf("%v: %q, %q", c.t, c.t.verdict(), c.t.counts())
		}
	}
	if got := tallyOf([]record.Summary{{}, {Law: "l", Verdict: stats.Holds}}); got != (tally{holds: 1}) {
		t.Errorf("a plain reading is counted: %v", got)
	}
}
