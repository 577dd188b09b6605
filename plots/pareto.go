package plots

import (
	"cmp"
	"io"
	"math"
	"slices"
)

// A Pareto is a figure of what can be had: memory from left to right, cost
// upwards, a point for each structure, and a line through those that no other beats
// in both. It is data; Draw makes the picture.
type Pareto struct {
	Title  string
	Memory string // what is from left to right, with its unit
	Cost   string // what is upwards, with its unit
	Note   string
	Points []ParetoPoint
}

// A ParetoPoint is one structure.
type ParetoPoint struct {
	Name         string
	Memory       float64
	Cost, Lo, Hi float64 // with its interval
	Front        bool    // no other is both smaller and cheaper
	Broken       bool    // it breaks a promise
	Held         bool    // it was judged, and none was found broken or undecided
}

// Draw writes the figure as PNG. A structure on the front is a series with its own
// form and colour, the others are one series, so that those that matter can be told
// apart.
func (p Pareto) Draw(w io.Writer) error {
	if len(p.Points) == 0 {
		return ErrNoRows
	}
	c := &chart{
		Title: p.Title, Notes: []string{p.Note},
		At:    Axis{Title: p.Memory, Log: true},
		Value: Axis{Title: p.Cost, Log: true},
		Lines: []lineName{{0, "nothing is both smaller and cheaper"}},
	}
	points := slices.Clone(p.Points)
	slices.SortStableFunc(points, func(a, b ParetoPoint) int { return cmp.Compare(a.Memory, b.Memory) })
	front := line{Series: sharedSeries}
	var pane panel
	others := slices.ContainsFunc(points, func(x ParetoPoint) bool { return !x.Front })
	for _, x := range points {
		if x.Front {
			front.At, front.Value = append(front.At, x.Memory), append(front.Value, x.Cost)
			c.Series = append(c.Series, x.Name)
			pane.Points = append(pane.Points, x.point(len(c.Series)-1))
		}
	}
	if others {
		c.Series = append(c.Series, "others")
		for _, x := range points {
			if !x.Front {
				pane.Points = append(pane.Points, x.point(len(c.Series)-1))
			}
		}
	}
	pane.Lines = []line{front}
	c.Panels = []panel{pane}
	return c.write(w)
}

func (x ParetoPoint) point(series int) point {
	p := point{Series: series, At: x.Memory, Value: x.Cost, Lo: x.Lo, Hi: x.Hi, Mark: plain}
	if math.IsNaN(p.Lo) || math.IsNaN(p.Hi) {
		p.Lo, p.Hi = p.Value, p.Value
	}
	switch {
	case x.Broken:
		p.Mark = broken
	case x.Held:
		p.Mark = holds
	}
	return p
}
