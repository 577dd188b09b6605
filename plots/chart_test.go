package plots

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestQuantized: of more colours than the palette holds, a single pixel of the
// theme stays what it is.
func TestQuantized(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 200, 2))
	for x := range 200 {
		img.SetRGBA(x, 0, color.RGBA{uint8(x), 200, 200, 255})
		img.SetRGBA(x, 1, color.RGBA{uint8(x), 200, 200, 255})
	}
	img.SetRGBA(199, 1, vermilion)
	got := quantized(img)
	if len(got.Palette) != 64 || got.At(199, 1) != vermilion {
		t.Errorf("%d colours, vermilion became %v", len(got.Palette), got.At(199, 1))
	}
	for x := range 200 { // 63 colours for 200 neighbours
		if r := got.At(x, 0).(color.RGBA).R; x < 63 && int(r) != x || x >= 63 && r < 62 {
			t.Errorf("red %d became %d", x, r)
		}
	}
}

// onePoint is a chart with a point of the first series in the middle and two
// at the corners that fix the axes; a line crosses above them.
func onePoint(m mark) *chart {
	return &chart{
		At: Axis{Min: 0.5, Max: 10}, Value: Axis{Min: 0.5, Max: 10},
		Panels: []panel{{
			Points: []point{{At: 5, Value: 5, Lo: 3, Hi: math.Inf(1), Mark: m}},
			Lines:  []line{{Series: sharedSeries, At: []float64{1, 9}, Value: []float64{2, 2}}},
		}},
	}
}

// at is the colour of the page at a position and value.
func at(c *chart, position, value float64) color.RGBA {
	p := newPage(c)
	p.draw()
	d := &pane{page: p, panel: c.Panels[0], frame: p.frame(0), value: p.values[0]}
	spot := d.spot(0, position, d.value.place(value))
	return p.image().RGBAAt(int(spot.X), int(p.height-spot.Y))
}

func TestMarks(t *testing.T) {
	blue := seriesColors[0].(color.RGBA)
	for m, want := range map[mark]color.RGBA{plain: blue, holds: blue, undecided: paper, broken: vermilion} {
		if got := at(onePoint(m), 5, 5); got != want {
			t.Errorf("mark %d is %v inside, want %v", m, got, want)
		}
	}
}

// TestMarksAreExplained: the key names the marks that occur, and none if nothing
// was judged.
func TestMarksAreExplained(t *testing.T) {
	for m, want := range map[mark]string{plain: "", holds: "law holds", undecided: "undecided", broken: "law broken"} {
		got := ""
		for _, e := range markKey(onePoint(m)) {
			got += e.text
		}
		if got != want {
			t.Errorf("mark %d is %q in the key, want %q", m, got, want)
		}
	}
}

// TestInterval: it runs from Lo to the edge that its infinite end is clipped
// to, and no further.
func TestInterval(t *testing.T) {
	c := onePoint(holds)
	blank := func(c color.RGBA) bool { return c == paper || c == gridColor }
	for _, v := range []float64{3.2, 4, 6, 9.8} {
		if got := at(c, 5, v); blank(got) {
			t.Errorf("no interval at %g", v)
		}
	}
	if got := at(c, 5, 2.6); !blank(got) {
		t.Errorf("%v below the interval", got)
	}
}

func TestLawLine(t *testing.T) {
	c := onePoint(holds)
	if got := at(c, 3, 2); got != lawColor {
		t.Errorf("%v on the line, want %v", got, lawColor)
	}
	if got := at(c, 9.7, 2); got == lawColor {
		t.Error("the line runs on beyond its last position")
	}
}

// TestLineOfOnePosition: it is seen on both sides of its point, for 20 pixels.
func TestLineOfOnePosition(t *testing.T) {
	c := onePoint(holds)
	c.Panels[0].Lines[0] = line{Series: sharedSeries, At: []float64{5}, Value: []float64{5}}
	for _, position := range []float64{4.86, 5.14} { // 9.5 positions are some 1100 pixels: 16 from the point
		if got := at(c, position, 5); got != lawColor {
			t.Errorf("%v at %g", got, position)
		}
	}
}

// TestLineBeyondTheAxis: a line that leaves the axis ends at its edge. This one
// is at 10.1 at 1 + 8*8.1/18 = 4.6, on an axis to 10.
func TestLineBeyondTheAxis(t *testing.T) {
	c := onePoint(holds)
	c.Panels[0].Lines[0].Value[1] = 20
	if got := at(c, 4.6, 10.1); got != paper {
		t.Errorf("%v outside the frame", got)
	}
	if got := at(c, 4.5, 9.875); got != lawColor { // 2 + 18*3.5/8
		t.Errorf("%v inside the frame", got)
	}
}

func TestBand(t *testing.T) {
	c := onePoint(holds)
	l := &c.Panels[0].Lines[0]
	l.Banded, l.Lo, l.Hi = true, []float64{1, 1}, []float64{math.Inf(1), math.Inf(1)}
	want := faint(lawColor, bandShade)
	if got := at(c, 7.5, 8.3); got != want {
		t.Errorf("%v inside the band, want %v", got, want)
	}
	if got := at(c, 7.5, 0.8); got == want {
		t.Error("the band reaches below what is allowed")
	}
}

// TestSeriesStandAside: two that would hide each other are moved, as far to the
// left as to the right; two that are far apart stay.
func TestSeriesStandAside(t *testing.T) {
	c := onePoint(plain)
	c.Series = []string{"a", "b"}
	c.Panels[0].Points = append(c.Panels[0].Points, point{Series: 1, At: 5, Value: 5, Lo: 5, Hi: 5}, point{At: 6, Value: 5, Lo: 5, Hi: 5})
	offsets := func() (a, b vg.Length) {
		p := newPage(c)
		d := &pane{page: p, panel: c.Panels[0], ranks: c.Panels[0].present()}
		return d.offset(0), d.offset(1)
	}
	if a, b := offsets(); a >= 0 || a != -b {
		t.Errorf("offsets %g and %g", a, b)
	}
	c.Panels[0].Points[1].Value = 9
	if a, b := offsets(); a != 0 || b != 0 {
		t.Errorf("offsets %g and %g of points that are far apart", a, b)
	}
}

// TestPanelsStandAside: near positions of two panels do not press series
// together. On an axis of three decades, a decade is a third.
func TestPanelsStandAside(t *testing.T) {
	points := func(at ...float64) (p panel) {
		for _, x := range at {
			p.Points = append(p.Points, point{At: x})
		}
		return p
	}
	c := &chart{Panels: []panel{points(1, 100), points(10, 101)}}
	if got := c.gap(scale{lo: 1, hi: 1000, log: true}); math.Abs(got-math.Log10(10.1)/3) > 1e-12 {
		t.Errorf("%g, want the least distance inside a panel, %g", got, math.Log10(10.1)/3)
	}
}

// TestNotJudgedIsSmall: beside judged points, one that is not judged is seen by
// its size: 5 pixels from its middle it has ended, where a judged one has not.
func TestNotJudgedIsSmall(t *testing.T) {
	const aside = 5.0 / 118 // of a position: 9.5 of them are some 1120 pixels
	c := onePoint(plain)
	blue := seriesColors[0].(color.RGBA)
	if got := at(c, 5+aside, 5); got != blue {
		t.Errorf("%v beside the middle of a point where nothing is judged", got)
	}
	c.Panels[0].Points = append(c.Panels[0].Points, point{At: 8, Value: 5, Lo: 5, Hi: 5, Mark: holds})
	if got := at(c, 5+aside, 5); got == blue {
		t.Error("it is no smaller beside judged points")
	}
	if got := at(c, 8+aside, 5); got != blue {
		t.Errorf("%v beside the middle of a judged point", got)
	}
}

// TestPositionsAreNamed: whole positions of a logarithmic axis are its ticks,
// unless one has no room, is no whole number or is large.
func TestPositionsAreNamed(t *testing.T) {
	for _, x := range []struct {
		at   []float64
		want string
	}{
		{[]float64{4, 16, 64, 1000}, "4 16 64 1000"},
		{[]float64{4, 16, 64, 64.5, 1000}, "10 100 1000"},
		{[]float64{4, 16, 64, 65, 1000}, "10 100 1000"},
		{[]float64{4, 16, 2e6}, "10 10^{2} 10^{3} 10^{4} 10^{5} 10^{6}"},
	} {
		c := onePoint(holds)
		c.At, c.Panels = Axis{Key: "x", Log: true}, make([]panel, 1)
		for _, v := range x.at {
			c.Panels[0].Points = append(c.Panels[0].Points, point{At: v, Value: 5, Lo: 5, Hi: 5})
		}
		var labels []string
		for _, tick := range newPage(c).across(0) {
			if tick.label != "" {
				labels = append(labels, tick.label)
			}
		}
		if got := strings.Join(labels, " "); got != x.want {
			t.Errorf("%v: ticks %s, want %s", x.at, got, x.want)
		}
	}
}

// TestLinesAloneHaveTicks: a page without points, as a phase diagram is, has the
// ticks of its axis.
func TestLinesAloneHaveTicks(t *testing.T) {
	c := &chart{
		At: Axis{Log: true, Min: 1, Max: 1000}, Value: Axis{Min: 1, Max: 2}, Series: []string{"s"},
		Panels: []panel{{Lines: []line{{Series: sharedSeries, At: []float64{1, 1000}, Value: []float64{1, 2}}}}},
	}
	if len(newPage(c).across(0)) == 0 {
		t.Error("no ticks")
	}
}

// TestUnboundedIntervalsAreExplained: the sentence stands below a page that has one.
func TestUnboundedIntervalsAreExplained(t *testing.T) {
	c := onePoint(holds) // its upper end is infinite
	const want = "is unbounded there"
	if got := strings.Join(newPage(c).notes, " "); !strings.Contains(got, want) {
		t.Errorf("no %q in %q", want, got)
	}
	c.Panels[0].Points[0].Hi = 6
	if got := strings.Join(newPage(c).notes, " "); strings.Contains(got, want) {
		t.Errorf("%q without an unbounded interval", got)
	}
}

// TestNothingLeavesThePage: panels lie inside the page and apart, whatever
// their number (to the pixel they are rounded to), and the key is as wide as the page at most.
func TestNothingLeavesThePage(t *testing.T) {
	for n := 1; n <= 13; n++ {
		c := onePoint(broken)
		for len(c.Panels) < n {
			c.Panels = append(c.Panels, c.Panels[0])
		}
		for range 12 {
			c.Series = append(c.Series, "a subject of a long name")
		}
		p := newPage(c)
		for i := range n {
			f := p.frame(i)
			if f.Min.X < margin || f.Max.X > pageWidth-margin+1 || f.Min.Y < margin || f.Max.Y > p.height-margin {
				t.Errorf("panel %d of %d is %v", i, n, f)
			}
			if i%p.cols > 0 && p.frame(i-1).Max.X >= f.Min.X || i >= p.cols && p.frame(i-p.cols).Min.Y <= f.Max.Y {
				t.Errorf("panel %d of %d overlaps another", i, n)
			}
		}
		for _, l := range p.key {
			w := vg.Length(-keyGap)
			for _, e := range l {
				w += e.width
			}
			if w > pageWidth-2*margin {
				t.Errorf("a line of the key is %g wide", w)
			}
		}
	}
}

// TestFreePanels: each has its own scale, and otherwise all have one.
func TestFreePanels(t *testing.T) {
	c := onePoint(plain)
	c.Value = Axis{}
	c.Panels = append(c.Panels, panel{Points: []point{{At: 5, Value: 1e6, Lo: 1e6, Hi: 1e6}}})
	if s := c.valueScales(); s[0] != s[1] {
		t.Errorf("scales differ: %v", s)
	}
	c.Free = true
	if s := c.valueScales(); s[0].hi > 20 || s[1].lo < 5e5 {
		t.Errorf("scales are not free: %v", s)
	}
	p := newPage(c)
	if gap := p.frame(1).Min.X - p.frame(0).Max.X; gap < p.labels+11 { // labels end 11 left of the frame
		t.Errorf("%g between panels for labels %g wide", gap, p.labels)
	}
}
