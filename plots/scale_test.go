package plots

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestPlace(t *testing.T) {
	linear, log := scale{lo: 10, hi: 20}, scale{lo: 1e-6, hi: 1, log: true}
	for _, x := range []struct {
		s       scale
		v, want float64
	}{
		{linear, 15, 0.5},
		{linear, 10, 0},
		{log, 1e-3, 0.5},
		{log, 1, 1}, // half of six decades
		{log, 0, -10},
		{log, -1, -10},
		{log, math.Inf(1), 11},
		{linear, math.Inf(-1), -10},
		{linear, math.NaN(), -10},
	} {
		if got := x.s.place(x.v); math.Abs(got-x.want) > 1e-12 {
			t.Errorf("%g on %v lies at %g, want %g", x.v, x.s, got, x.want)
		}
	}
}

// TestScaleOfData: intervals widen a logarithmic axis by a decade at most, so
// that one that reaches to 0 leaves room for the rest.
func TestScaleOfData(t *testing.T) {
	core := span{log: true}
	core.add(1e-2, 1e-4, 0, math.Inf(1), math.NaN())
	ends := span{log: true}
	ends.add(1e-12, 2e-2)
	got := core.stretched(ends)
	if got.lo != 1e-4/10 || got.hi != 2e-2 {
		t.Errorf("span %g to %g", got.lo, got.hi)
	}
	// Linear: 0.9 to 1.2 takes intervals up to 1.2 away, its distance from zero.
	near := span{lo: 0.9, hi: 1.2, some: true}
	if got := near.stretched(span{lo: 0.5, hi: 9, some: true}); got.lo != 0.5 || got.hi != 2.4 {
		t.Errorf("span %g to %g", got.lo, got.hi)
	}
	if s := (span{lo: 3, hi: 7, some: true}).scale(Axis{Zero: true}, 0.05); s.lo != 0 || s.hi <= 7 {
		t.Errorf("an axis from zero runs from %g to %g", s.lo, s.hi)
	}
	if s := (span{lo: 3, hi: 7, some: true}).scale(Axis{Min: 2, Max: 6}, 0.05); s.lo != 2 || s.hi != 6 {
		t.Errorf("a fixed axis runs from %g to %g", s.lo, s.hi)
	}
}

func TestTicks(t *testing.T) {
	for _, x := range []struct {
		s       scale
		room    int
		percent bool
		want    string // the labels
	}{
		{scale{lo: 0, hi: 10}, 5, false, "0 2 4 6 8 10"},
		{scale{lo: 0, hi: 0.41}, 5, true, "0~% 10~% 20~% 30~% 40~%"},
		{scale{lo: 0, hi: 2.1e6}, 4, false, "0 1~M 2~M"},
		{scale{lo: 0, hi: 41000}, 4, false, "0 20~000 40~000"},
		{scale{lo: 1e-6, hi: 0.2, log: true}, 8, true, "0.0001~% 0.001~% 0.01~% 0.1~% 1~% 10~%"},
		{scale{lo: 1e-10, hi: 1e-7, log: true}, 8, true, "10^{−10} 10^{−9} 10^{−8} 10^{−7}"},
		{scale{lo: 50, hi: 2e7, log: true}, 3, false, "10^{2} 10^{4} 10^{6}"},
		{scale{lo: 8, hi: 2000, log: true}, 5, false, "10 100 1000"},
		{scale{lo: 9, hi: 110, log: true}, 5, false, "10 20 50 100"},
		{scale{lo: 0.006, hi: 0.035, log: true}, 5, true, "0.7~% 1~% 2~% 3~%"},
		{scale{lo: 10, hi: 15, log: true}, 5, false, "10 12 14"},
	} {
		var labels []string
		for _, tick := range x.s.ticks(x.room, x.percent) {
			if tick.label != "" {
				labels = append(labels, tick.label)
			}
		}
		if got := strings.ReplaceAll(strings.Join(labels, " "), "\u00a0", "~"); got != x.want {
			t.Errorf("%v: got %s, want %s", x.s, got, x.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		scientific(1e-7, 0):          "10^{−7}",
		scientific(4.2e-8, 0):        "4×10^{−8}",
		scientific(2.5e9, -1):        "2.5×10^{9}",
		grouped(-1234567.5):          "−1\u00a0234\u00a0567.5",
		grouped(9999):                "9999",
		magnitude(2.5e6):             "2.5\u00a0M",
		magnitude(3e9):               "3×10^{9}",
		label(0.1+0.2, true):         "30\u00a0%", // not 30.000000000000004
		confidenceText(1 - 1e-7):     "1 − 10^{−7}",
		confidenceText(1 - 1.2e-8):   "1 − 1.2×10^{−8}",
		confidenceText(0.999):        "1 − 10^{−3}",
		confidenceText(0.95):         "95 %",
		trials(1, 1):                 "1 trial",
		strings.Join(pieces(""), ""): "",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// pieces are the parts of a text, raised ones in brackets.
func pieces(s string) (all []string) {
	for part, raised := range parts(s) {
		if raised {
			part = "[" + part + "]"
		}
		all = append(all, part)
	}
	return all
}

func TestRaisedText(t *testing.T) {
	if got, want := pieces("(1 − e^{−kn/m})^{k} x"), []string{"(1 − e", "[−kn/m]", ")", "[k]", " x"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := pieces("open^{2"), []string{"open", "[2]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := PlainText("to 10^{19} keys"), "to 10^19 keys"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if plain, raised := plainText.width("10"+"7"), plainText.width("10^{7}"); raised >= plain {
		t.Errorf("raised text is %g wide, plain %g", raised, plain)
	}
}

func TestWrap(t *testing.T) {
	const text = "one two three four five six seven"
	lines := plainText.wrap(text, 120)
	if len(lines) < 2 || strings.Join(lines, " ") != text {
		t.Errorf("wrapped to %q", lines)
	}
	for _, l := range lines {
		if w := plainText.width(l); w > 120 {
			t.Errorf("%q is %g wide", l, w)
		}
	}
}

// TestSeriesDiffer: each of 36 series has its own pair of colour and shape, and
// no two of six share either.
func TestSeriesDiffer(t *testing.T) {
	type look struct {
		c any
		s shape
	}
	seen := map[look]bool{}
	colors, forms := map[any]bool{}, map[shape]bool{}
	for i := range 36 {
		seen[look{seriesColor(i), seriesShape(i)}] = true
		if i < 6 {
			colors[seriesColor(i)], forms[seriesShape(i)] = true, true
		}
	}
	if len(seen) != 36 || len(colors) != 6 || len(forms) != 6 {
		t.Errorf("%d pairs, %d colours and %d shapes", len(seen), len(colors), len(forms))
	}
	if colors[vermilion] {
		t.Error("vermilion is kept for what is broken")
	}
}
