package plots

import (
	"io"
	"math"
)

// A chart is plain data: points, lines and bands in panels that share their
// axes. It knows no rows and no laws, so figures of any source can be one.
//
// At is what was chosen, Value what was measured. At runs from left to right
// and Value upwards; with categories, At is an index of them, running downwards,
// and Value runs from left to right.
type chart struct {
	Title      string
	Notes      []string // sentences below
	At, Value  Axis
	Categories []string
	Series     []string   // their names; nil if there is only one to see
	Lines      []lineName // what line styles mean
	BandName   string     // what bands mean, "" without bands
	Panels     []panel
	Free       bool // each panel has its own value axis
}

// A lineName is a line of the key.
type lineName struct {
	Style int
	Text  string
}

// A panel is one of the small pictures.
type panel struct {
	Title  string
	Lines  []line
	Points []point
}

// A point is an estimate with its interval, which may be infinite.
type point struct {
	Series            int
	At, Value, Lo, Hi float64
	Mark              mark
}

// sharedSeries is the series of a line that belongs to all.
const sharedSeries = -1

// A line joins values in the order of At. With categories it is a short bar at
// each. Style 0 is solid. If it is banded, what lies from Lo to Hi, which may
// be infinite, is filled.
type line struct {
	Series, Style int
	At, Value     []float64
	Banded        bool
	Lo, Hi        []float64
}

// A mark is the form of a point.
type mark int

const (
	plain mark = iota // nothing judged it
	holds
	undecided
	broken
)

// dots reports whether At is a category.
func (c *chart) dots() bool { return c.Categories != nil }

// write draws the chart as PNG.
func (c *chart) write(w io.Writer) error {
	p := newPage(c)
	p.draw()
	return encode(w, p.image())
}

// marks are the forms that the chart has.
func (c *chart) marks() map[mark]bool {
	found := map[mark]bool{}
	for _, p := range c.Panels {
		for _, x := range p.Points {
			found[x.Mark] = true
		}
	}
	return found
}

// atScale spans all positions.
func (c *chart) atScale() scale {
	if c.dots() {
		return scale{lo: -0.5, hi: float64(len(c.Categories)) - 0.5}
	}
	var r span
	r.log = c.At.Log
	for _, p := range c.Panels {
		for _, x := range p.Points {
			r.add(x.At)
		}
		for _, l := range p.Lines {
			r.add(l.At...)
		}
	}
	return r.scale(c.At, 0.08)
}

// valueScales are those of the panels: all the same, unless they are free.
func (c *chart) valueScales() []scale {
	scales := make([]scale, len(c.Panels))
	for i := range scales {
		if c.Free {
			scales[i] = c.valueScale(c.Panels[i : i+1])
		} else {
			scales[i] = c.valueScale(c.Panels)
		}
	}
	return scales
}

// valueScale spans all values and lines, and intervals as far as they do not
// press the rest together.
func (c *chart) valueScale(panels []panel) scale {
	var core, ends span
	core.log, ends.log = c.Value.Log, c.Value.Log
	for _, p := range panels {
		for _, x := range p.Points {
			core.add(x.Value)
			ends.add(x.Lo, x.Hi)
			if c.Value.Log && x.Value <= 0 {
				core.add(x.Hi) // all that is known of a zero
			}
		}
		for _, l := range p.Lines {
			core.add(l.Value...)
			if l.Banded {
				ends.add(l.Lo...)
				ends.add(l.Hi...)
			}
		}
	}
	return core.stretched(ends).scale(c.Value, 0.05)
}

// floored reports whether a point lies beyond the value axis.
func (c *chart) floored(scales []scale) bool {
	for i, p := range c.Panels {
		for _, x := range p.Points {
			if at := scales[i].place(x.Value); at < 0 || at > 1 {
				return true
			}
		}
	}
	return false
}

// crowd is the largest number of series with points in one panel.
func (c *chart) crowd() int {
	most := 1
	for _, p := range c.Panels {
		most = max(most, len(p.present()))
	}
	return most
}

// present is the rank of each series among those with points in the panel.
func (p *panel) present() map[int]int {
	var order []int
	for _, x := range p.Points {
		order = append(order, x.Series)
	}
	ranks := map[int]int{}
	for _, series := range sortedUnique(order) {
		ranks[series] = len(ranks)
	}
	return ranks
}

// positions are the distinct ones of the points, in order.
func (c *chart) positions() []float64 {
	var all []float64
	for _, p := range c.Panels {
		all = append(all, p.positions()...)
	}
	return sortedUnique(all)
}

// positions are the distinct ones of the panel's points, in order.
func (p *panel) positions() []float64 {
	all := make([]float64, len(p.Points))
	for i, x := range p.Points {
		all[i] = x.At
	}
	return sortedUnique(all)
}

// endless reports whether an interval has an end that no trial could tell.
func (c *chart) endless() bool {
	for _, p := range c.Panels {
		for _, x := range p.Points {
			if math.IsInf(x.Lo, 0) || math.IsInf(x.Hi, 0) {
				return true
			}
		}
	}
	return false
}

// gap is the smallest distance of two positions of one panel on an axis of
// length 1.
func (c *chart) gap(s scale) float64 {
	least := math.Inf(1)
	for _, p := range c.Panels {
		at := p.positions()
		for i := 1; i < len(at); i++ {
			least = math.Min(least, s.place(at[i])-s.place(at[i-1]))
		}
	}
	return least
}
