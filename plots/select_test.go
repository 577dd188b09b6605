package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/record"
)

func TestPick(t *testing.T) {
	f := Figure{
		Experiment: "e", Metric: "m", Law: "l", Laws: []string{"l2"}, X: Axis{Key: "k"}, Panels: "c",
		Series: []string{"subject", "mode", "b"}, Where: map[string][]string{"n": {"10", "20"}},
		Names: map[string]string{"a": "Alpha"},
	}
	rows := []record.Summary{
		judged("e/subject=z/mode=fast/b=4000000/c=16/n=10/k=1", "m", "l", 1, 0, 0),
		judged("e/subject=a/mode=slow/c=8/n=20/k=2", "m", "l", 1, 0, 0),
		judged("e/subject=a/mode=slow/c=8/n=20/k=2", "m", "l2", 1, 0, 0),
		judged("e/subject=a/mode=slow/c=8/n=30/k=2", "m", "l", 1, 0, 0),  // another n
		judged("e/subject=a/mode=slow/c=8/n=20", "m", "l", 1, 0, 0),      // no k
		judged("e/subject=a/mode=slow/c=8/n=20/k=2", "m", "l3", 1, 0, 0), // another law
	}
	s, err := f.pick(rows)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"8", "16"}; !slices.Equal(s.panels, want) {
		t.Errorf("panels %q, want %q", s.panels, want)
	}
	if want := []string{"z, fast, b = 4\u00a0000\u00a0000", "Alpha, slow"}; !slices.Equal(s.series, want) {
		t.Errorf("series %q, want %q", s.series, want)
	}
	var got [][4]int
	for _, d := range s.data {
		got = append(got, [4]int{d.law, d.panel, d.series, int(d.at)})
	}
	if want := [][4]int{{0, 1, 0, 1}, {0, 0, 1, 2}, {1, 0, 1, 2}}; !slices.Equal(got, want) {
		t.Errorf("law, panel, series, x: %v, want %v", got, want)
	}
}

// TestSeriesAreSorted: by numbers, and by names in the order of the rows.
func TestSeriesAreSorted(t *testing.T) {
	f := Figure{Experiment: "e", Metric: "m", Law: "l", X: Axis{Key: "k"}, Series: []string{"subject", "b"}}
	var rows []record.Summary
	for i, labels := range []string{"subject=z/b=16", "subject=a/b=4", "subject=z/b=2", "subject=z/b=0.5"} {
		rows = append(rows, judged(fmt.Sprintf("e/%s/k=%d", labels, i), "m", "l", 1, 0, 0))
	}
	s, err := f.pick(rows)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"z, b = 0.5", "z, b = 2", "z, b = 16", "a, b = 4"}; !slices.Equal(s.series, want) {
		t.Errorf("series %q, want %q", s.series, want)
	}
	for i, want := range []int{2, 3, 1, 0} {
		if s.data[i].series != want {
			t.Errorf("row %d is of series %d, want %d", i, s.data[i].series, want)
		}
	}
}

func TestNoLawTakesTheFirstRowOfACell(t *testing.T) {
	f, rows := small()
	f.Law = ""
	second := rows[0]
	second.Law = "another"
	s, err := f.pick(append(rows, second))
	if err != nil || len(s.data) != 3 {
		t.Errorf("%d rows, error %v, want 3", len(s.data), err)
	}
}

func TestSortedCategories(t *testing.T) {
	c, err := bloomBound.chart(boundRows())
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for i, name := range c.Categories {
		at := slices.IndexFunc(c.Panels[0].Points, func(p point) bool { return int(p.At) == i })
		if v := c.Panels[0].Points[at].Value; v > last {
			t.Errorf("%s with %g stands below %g", name, v, last)
		} else {
			last = v
		}
	}
	if want := "counting-bloom"; c.Categories[0] != want { // 4/ln 2, the largest of boundRows
		t.Errorf("first is %s, want %s", c.Categories[0], want)
	}
}

// TestLines: one line if the series' predictions agree, one for each if not.
func TestLines(t *testing.T) {
	f, rows := small()
	for _, r := range rows {
		r.Cell = strings.Replace(r.Cell, "=a", "=b", 1)
		rows = append(rows, r)
	}
	c, err := f.chart(rows)
	if err != nil {
		t.Fatal(err)
	}
	lines := c.Panels[0].Lines
	if len(lines) != 1 || lines[0].Series != sharedSeries || !slices.Equal(lines[0].Value, []float64{0.1, 0.01, 0.001}) {
		t.Errorf("predictions agree, lines are %+v", lines)
	}
	rows[5].Predicted *= 1.01
	if c, err = f.chart(rows); err != nil {
		t.Fatal(err)
	}
	lines = c.Panels[0].Lines
	if len(lines) != 2 || lines[0].Series != 0 || lines[1].Series != 1 || lines[1].Value[2] != 0.001*1.01 {
		t.Errorf("predictions differ, lines are %+v", lines)
	}
}

func TestRelative(t *testing.T) {
	f, rows := small()
	f.Relative = true
	rows[1].Estimate = 0.02 // predicted 0.01
	rows[2].Predicted = 0
	c, err := f.chart(rows)
	if err != nil {
		t.Fatal(err)
	}
	points := c.Panels[0].Points
	if len(points) != 2 || points[1].Value != 2 || c.Panels[0].Lines[0].Value[1] != 1 {
		t.Errorf("points %+v, line %+v", points, c.Panels[0].Lines[0])
	}
	if note := c.Notes[len(c.Notes)-1]; !strings.Contains(note, "Not drawn: 1 ") {
		t.Errorf("the row without a multiple is not counted: %q", c.Notes)
	}
}

func TestNotes(t *testing.T) {
	f, rows := small()
	rows[0].Trials = 12345
	rows[1].Confidence = 0.99
	c, err := f.chart(rows)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(c.Notes, " ")
	want := "Points: estimates from 20 to 12\u00a0345 trials, with intervals of confidence 99 % or more. " +
		"Source: experiment e, metric m, law l."
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
