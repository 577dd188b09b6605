package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// sameLine is the relative difference of two predictions below which they are
// one line: a tenth of a line's width on any axis here.
const sameLine = 1e-3

// chart is the figure as plain data.
func (f Figure) chart(rows []record.Summary) (*chart, error) {
	s, err := f.pick(rows)
	if err != nil {
		return nil, err
	}
	c := &chart{
		Title: f.Title, At: f.X, Value: f.Y,
		Series: s.series, Categories: s.categories, Free: f.Free,
		Panels: make([]panel, len(s.panels)),
	}
	if len(f.Series) == 0 {
		c.Series = nil
	}
	if f.Panels != "" {
		for i, value := range s.panels {
			c.Panels[i].Title = f.panelTitle(value)
		}
	}
	for _, d := range s.data {
		if d.law == 0 && d.drawable() {
			p := &c.Panels[d.panel]
			p.Points = append(p.Points, point{
				Series: d.series, At: d.at, Value: d.Estimate, Lo: d.Lo, Hi: d.Hi, Mark: markOf(d.Summary),
			})
		}
	}
	for law := range len(f.Laws) + 1 {
		f.addLaw(c, s, law)
	}
	c.Notes = f.notes(s)
	return c, nil
}

func (f Figure) panelTitle(value string) string {
	title := f.name(value)
	if x, err := strconv.ParseFloat(title, 64); err == nil {
		title = grouped(x)
	}
	if f.PanelTitle == "" {
		return f.Panels + " = " + title
	}
	return fmt.Sprintf(f.PanelTitle, title)
}

// markOf is the form of a row's point.
func markOf(s record.Summary) mark {
	switch {
	case !s.Judged():
		return plain
	case s.Verdict == stats.Broken:
		return broken
	case s.Verdict == stats.Undecided:
		return undecided
	default:
		return holds
	}
}

// addLaw adds the lines of one law: one for all series if they agree.
func (f Figure) addLaw(c *chart, s *selection, law int) {
	var rows []datum
	var names []string
	for _, d := range s.data {
		if d.law == law && d.Judged() && !math.IsNaN(d.Predicted) && !math.IsInf(d.Predicted, 0) {
			rows = append(rows, d)
			index(&names, f.name(d.Law))
		}
	}
	if len(rows) == 0 {
		return
	}
	slices.SortStableFunc(rows, func(a, b datum) int { return cmp.Compare(a.at, b.at) })
	shared := agree(rows)
	banded := f.Band && law == 0
	for _, d := range rows {
		series := d.series
		if shared {
			series = sharedSeries
		}
		c.Panels[d.panel].extend(series, law, d, banded)
	}
	c.Lines = append(c.Lines, lineName{Style: law, Text: strings.Join(names, ", ")})
	if banded {
		c.BandName = "what the law allows"
	}
}

// agree reports whether all series of a panel have one prediction at an x.
func agree(rows []datum) bool {
	type place struct {
		panel int
		at    float64
	}
	first := map[place]float64{}
	for _, d := range rows {
		at := place{d.panel, d.at}
		x, ok := first[at]
		if ok && math.Abs(d.Predicted-x) > sameLine*math.Abs(x) {
			return false
		}
		if !ok {
			first[at] = d.Predicted
		}
	}
	return true
}

// extend appends a row's prediction to the line of its series, once for an x
// if the line is shared.
func (p *panel) extend(series, style int, d datum, banded bool) {
	i := slices.IndexFunc(p.Lines, func(l line) bool { return l.Series == series && l.Style == style })
	if i < 0 {
		p.Lines = append(p.Lines, line{Series: series, Style: style, Banded: banded})
		i = len(p.Lines) - 1
	}
	l := &p.Lines[i]
	if n := len(l.At); series == sharedSeries && n > 0 && l.At[n-1] == d.at {
		return
	}
	l.At = append(l.At, d.at)
	l.Value = append(l.Value, d.Predicted)
	l.Lo = append(l.Lo, d.AllowedLo)
	l.Hi = append(l.Hi, d.AllowedHi)
}
