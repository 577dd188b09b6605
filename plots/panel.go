package plots

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	lineWidth = 2.2
	capWidth  = 4 // half of the bar that ends an interval
)

// A pane is a panel on its page.
type pane struct {
	*page
	panel
	frame vg.Rectangle
	clip  draw.Canvas
	ranks map[int]int // of the series that are present
	value scale
}

func (p *page) drawPanel(i int) {
	d := &pane{page: p, panel: p.c.Panels[i], frame: p.frame(i), value: p.values[i]}
	d.clip = draw.Canvas{Canvas: p.canvas.Canvas, Rectangle: d.frame}
	d.ranks = d.present()
	d.drawGrid(i)
	for _, l := range d.Lines {
		if l.Banded {
			d.drawBand(l)
		}
	}
	for _, l := range d.Lines {
		d.drawLine(l)
	}
	for _, x := range d.Points {
		d.drawInterval(x)
	}
	slices.SortStableFunc(d.Points, func(a, b point) int { return cmp.Compare(a.Mark, b.Mark) })
	for _, x := range d.Points { // last, what is broken on top
		p.glyph(d.spot(d.offset(x.Series), x.At, d.value.clamped(x.Value)), x.Series, x.Mark)
	}
}

// spot is the point of the page for a position, moved aside by an offset, and
// a place on the value axis.
func (d *pane) spot(offset vg.Length, at, value float64) vg.Point {
	size := d.frame.Size()
	if d.c.dots() {
		return vg.Point{
			X: d.frame.Min.X + vg.Length(value)*size.X,
			Y: d.frame.Max.Y - vg.Length(d.at.place(at))*size.Y - offset,
		}
	}
	return vg.Point{
		X: d.frame.Min.X + vg.Length(d.at.clamped(at))*size.X + offset,
		Y: d.frame.Min.Y + vg.Length(value)*size.Y,
	}
}

// offset moves the series of one position apart.
func (d *pane) offset(series int) vg.Length {
	if series == sharedSeries || len(d.ranks) < 2 {
		return 0
	}
	return d.slot * (vg.Length(d.ranks[series]) - vg.Length(len(d.ranks)-1)/2)
}

// level is how far a line is level on both sides of a position, so that every
// point that stands aside has its prediction beneath it, and that a line of one
// position is seen.
func (d *pane) level(l line) vg.Length {
	const stub = 20 // shows on both sides of points
	shared := l.Series == sharedSeries
	switch {
	case d.c.dots() && shared && len(sortedUnique(slices.Clone(l.Value))) == 1:
		return d.frame.Size().Y/vg.Length(2*len(d.c.Categories)) + 0.5 // one line from top to bottom
	case d.c.dots() && shared:
		return rowHeight * 0.36
	case d.c.dots():
		return d.slot / 2
	case len(l.At) == 1:
		return d.slot*vg.Length(len(d.ranks)-1)/2 + stub
	case shared && len(d.ranks) > 1:
		return d.slot * vg.Length(len(d.ranks)-1) / 2
	default:
		return 0
	}
}

func (d *pane) drawGrid(i int) {
	p := d.page
	grid := draw.LineStyle{Color: gridColor, Width: 1}
	axis := draw.LineStyle{Color: quiet, Width: 1}
	f := d.frame
	across := d.at
	if p.c.dots() {
		across = d.value
	}
	bottom := i+p.cols >= len(p.c.Panels)
	for _, t := range p.across(i) {
		x := crisp(f.Min.X + vg.Length(across.place(t.value))*f.Size().X)
		if t.label == "" {
			d.clip.StrokeLine2(axis, x, f.Min.Y, x, f.Min.Y-4)
			continue
		}
		d.clip.StrokeLine2(grid, x, f.Min.Y, x, f.Max.Y)
		d.clip.StrokeLine2(axis, x, f.Min.Y, x, f.Min.Y-7)
		if bottom {
			p.text(quietText, centred, x, f.Min.Y-11-smallSize/2, t.label)
		}
	}
	for _, t := range p.up(i) {
		d.drawUpTick(t, i%p.cols == 0 || p.c.Free)
	}
	d.clip.StrokeLine2(axis, f.Min.X, f.Min.Y, f.Max.X, f.Min.Y)
	d.clip.StrokeLine2(axis, f.Min.X, f.Min.Y, f.Min.X, f.Max.Y)
	p.text(plainText, startsAt, f.Min.X, f.Max.Y+textSize*lineHeight/2+5, d.Title) // clear of a cross on the edge
}

func (d *pane) drawUpTick(t tick, labelled bool) {
	f := d.frame
	y := f.Min.Y + vg.Length(d.value.place(t.value))*f.Size().Y
	if d.c.dots() {
		y = d.spot(0, t.value, 0).Y
	}
	y = crisp(y)
	axis := draw.LineStyle{Color: quiet, Width: 1}
	if t.label == "" {
		d.clip.StrokeLine2(axis, f.Min.X-4, y, f.Min.X, y)
		return
	}
	d.clip.StrokeLine2(draw.LineStyle{Color: gridColor, Width: 1}, f.Min.X, y, f.Max.X, y)
	d.clip.StrokeLine2(axis, f.Min.X-7, y, f.Min.X, y)
	if labelled {
		d.text(d.upText(), endsAt, f.Min.X-11, y, t.label)
	}
}

func (d *pane) drawInterval(x point) {
	style := draw.LineStyle{Color: seriesColor(x.Series), Width: 1.6}
	offset := d.offset(x.Series)
	lo, hi := d.spot(offset, x.At, d.value.clamped(x.Lo)), d.spot(offset, x.At, d.value.clamped(x.Hi))
	d.clip.StrokeLine2(style, lo.X, lo.Y, hi.X, hi.Y)
	for _, v := range []float64{x.Lo, x.Hi} {
		if at := d.value.place(v); at < 0 || at > 1 {
			continue // no end to be seen
		}
		a := d.spot(offset-capWidth, x.At, d.value.place(v))
		b := d.spot(offset+capWidth, x.At, d.value.place(v))
		d.clip.StrokeLine2(style, a.X, a.Y, b.X, b.Y)
	}
}

// drawLine draws the line inside the frame; with categories, its level pieces.
func (d *pane) drawLine(l line) {
	style := draw.LineStyle{Color: seriesColor(l.Series), Width: lineWidth, Dashes: dashes[l.Style%len(dashes)]}
	level, offset := d.level(l), d.offset(l.Series)
	var whole []vg.Point
	for i, at := range l.At {
		v := d.value.place(l.Value[i])
		piece := []vg.Point{d.spot(offset-level, at, v), d.spot(offset+level, at, v)}
		if d.c.dots() {
			style.Width = 4
			d.clip.StrokeLines(style, d.clip.ClipLinesXY(piece)...)
		}
		whole = append(whole, piece...)
	}
	if !d.c.dots() {
		d.clip.StrokeLines(style, d.clip.ClipLinesXY(whole)...)
	}
}

// drawBand fills what a law allows; with categories, a piece for each.
func (d *pane) drawBand(l line) {
	fill := faint(seriesColor(l.Series), bandShade)
	level, offset := d.level(l), d.offset(l.Series)
	var there, back []vg.Point
	for i, at := range l.At {
		lo, hi := d.value.clamped(l.Lo[i]), d.value.clamped(l.Hi[i])
		there = append(there, d.spot(offset-level, at, lo), d.spot(offset+level, at, lo))
		back = append(back, d.spot(offset-level, at, hi), d.spot(offset+level, at, hi))
		if d.c.dots() {
			d.fill(fill, there, back)
			there, back = nil, nil
		}
	}
	d.fill(fill, there, back)
}

func (d *pane) fill(c color.Color, there, back []vg.Point) {
	for i := len(back) - 1; i >= 0; i-- {
		there = append(there, back[i])
	}
	if len(there) > 0 {
		d.clip.FillPolygon(c, there)
	}
}
