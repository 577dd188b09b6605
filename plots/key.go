package plots

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	sampleWidth = 34
	keyGap      = 30
)

// A keyEntry explains one thing that is drawn.
type keyEntry struct {
	text   string
	width  vg.Length
	sample func(p *page, x, y vg.Length) // x is the middle of the sample
}

// A keyLine is a line of entries.
type keyLine []keyEntry

// layKey breaks the key into lines of at most a width: series first, then what
// is true of all of them.
func layKey(c *chart, width vg.Length) []keyLine {
	var lines []keyLine
	for _, group := range [][]keyEntry{seriesKey(c), slices.Concat(lawKey(c), markKey(c))} {
		var current keyLine
		used := vg.Length(0)
		for _, e := range group {
			e.width = sampleWidth + 6 + plainText.width(e.text) + keyGap
			if len(current) > 0 && used+e.width-keyGap > width {
				lines = append(lines, current)
				current, used = nil, 0
			}
			current = append(current, e)
			used += e.width
		}
		if len(current) > 0 {
			lines = append(lines, current)
		}
	}
	return lines
}

func seriesKey(c *chart) []keyEntry {
	var all []keyEntry
	for i, name := range c.Series {
		all = append(all, keyEntry{text: name, sample: func(p *page, x, y vg.Length) {
			p.canvas.StrokeLine2(draw.LineStyle{Color: seriesColor(i), Width: 1.6}, x-13, y, x+13, y)
			p.glyph(vg.Point{X: x, Y: y}, i, holds)
		}})
	}
	return all
}

func lawKey(c *chart) []keyEntry {
	var all []keyEntry
	for _, l := range c.Lines {
		style := draw.LineStyle{Color: lawColor, Width: lineWidth, Dashes: dashes[l.Style%len(dashes)]}
		all = append(all, keyEntry{text: l.Text, sample: func(p *page, x, y vg.Length) {
			if c.dots() {
				style.Width = 4
				p.canvas.StrokeLine2(style, x, y-10, x, y+10)
				return
			}
			p.canvas.StrokeLine2(style, x-17, y, x+17, y)
		}})
	}
	if c.BandName != "" {
		all = append(all, keyEntry{text: c.BandName, sample: func(p *page, x, y vg.Length) {
			p.canvas.FillPolygon(faint(lawColor, bandShade), []vg.Point{
				{X: x - 17, Y: y - 9}, {X: x + 17, Y: y - 9}, {X: x + 17, Y: y + 9}, {X: x - 17, Y: y + 9},
			})
		}})
	}
	return all
}

// markKey explains the marks, if anything was judged.
func markKey(c *chart) []keyEntry {
	found := c.marks()
	if len(found) == 1 && found[plain] {
		return nil
	}
	var all []keyEntry
	for _, m := range []struct {
		mark mark
		text string
	}{{holds, "law holds"}, {undecided, "undecided"}, {broken, "law broken"}, {plain, "not judged"}} {
		if found[m.mark] {
			all = append(all, keyEntry{text: m.text, sample: func(p *page, x, y vg.Length) {
				p.glyph(vg.Point{X: x, Y: y}, sharedSeries, m.mark)
			}})
		}
	}
	return all
}

func (p *page) drawKey(l keyLine, y vg.Length) {
	x := vg.Length(margin)
	for _, e := range l {
		e.sample(p, x+sampleWidth/2, y)
		p.text(plainText, startsAt, x+sampleWidth+6, y, e.text)
		x += e.width
	}
}
