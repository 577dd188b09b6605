package plots

import (
	"image"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Lengths of the page, in pixels.
const (
	pageWidth  = 1200
	margin     = 28
	lineHeight = 1.4 // of text, relative to its size
	panelGap   = 26
	rowHeight  = 36  // of a category
	plotHeight = 560 // of all panels, up to two rows of them
	thirdRow   = 240 // for every further row
)

// A page is a chart with its layout. Everything is measured before anything is
// drawn, because the height of the page follows from the text.
type page struct {
	c          *chart
	at         scale
	values     []scale // of each panel
	key        []keyLine
	notes      []string
	cols, rows int
	height     vg.Length
	canvas     draw.Canvas
	img        *vgimg.Canvas
	area       vg.Rectangle // of all panels with the labels of their axes
	judged     bool         // some point has a verdict
	labels     vg.Length    // the width of labels left of a panel
	slot       vg.Length    // between neighbouring series at one position
}

func newPage(c *chart) *page {
	p := &page{c: c, at: c.atScale(), values: c.valueScales()}
	marks := c.marks()
	p.judged = marks[holds] || marks[undecided] || marks[broken]
	p.cols, p.rows = grid(len(c.Panels))
	p.key = layKey(c, pageWidth-2*margin)
	notes := c.Notes
	if c.floored(p.values) {
		notes = append(notes, "A point on the edge is 0 or lies beyond the axis.")
	}
	if c.endless() {
		notes = append(notes, "An interval without a bar at its end is unbounded there.")
	}
	if !c.dots() && p.collides() {
		notes = append(notes, "Series stand side by side at each x.")
	}
	p.notes = quietText.wrap(strings.Join(notes, " "), pageWidth-2*margin)

	plot := vg.Length(plotHeight + thirdRow*max(0, p.rows-2))
	if c.dots() {
		plot = vg.Length(p.rows) * (rowHeight*vg.Length(len(c.Categories)) + 70)
	}
	head, foot := p.headHeight(), p.footHeight()
	p.height = vg.Length(math.Ceil(float64(head + plot + foot)))
	p.area = vg.Rectangle{Min: vg.Point{X: margin, Y: foot}, Max: vg.Point{X: pageWidth - margin, Y: foot + plot}}
	p.layAxes()
	return p
}

// grid is the number of columns and rows for so many panels.
func grid(n int) (cols, rows int) {
	switch {
	case n <= 3:
		cols = n
	case n == 4:
		cols = 2
	case n <= 9:
		cols = 3
	default:
		cols = 4
	}
	return cols, (n + cols - 1) / cols
}

func (p *page) headHeight() vg.Length {
	h := vg.Length(margin) + titleSize*lineHeight + 6
	if n := len(p.key); n > 0 {
		h += vg.Length(n)*textSize*lineHeight + 10
	}
	if p.horizontalTitle() != "" {
		h += textSize*lineHeight + 4
	}
	return h
}

func (p *page) footHeight() vg.Length {
	return margin + vg.Length(len(p.notes))*smallSize*lineHeight + 12 + textSize*lineHeight
}

// horizontalTitle is the title of the upward axis, which stands above it, where
// it is read without turning the head.
func (p *page) horizontalTitle() string {
	if p.c.dots() || p.c.Value.Title == "" {
		return ""
	}
	return "↑ " + p.c.Value.Title + logNote(p.c.Value)
}

// acrossTitle is the title of the axis from left to right.
func (p *page) acrossTitle() string {
	a := p.c.At
	if p.c.dots() {
		a = p.c.Value
	}
	if a.Title == "" {
		return ""
	}
	return a.Title + logNote(a) + " →"
}

func logNote(a Axis) string {
	if a.Log {
		return " (logarithmic)"
	}
	return ""
}

// layAxes finds the room for labels, and the distance of series that share a
// position.
func (p *page) layAxes() {
	for i := range p.c.Panels {
		for _, t := range p.up(i) {
			p.labels = max(p.labels, p.upText().width(t.label))
		}
	}
	n := vg.Length(p.c.crowd())
	switch {
	case p.c.dots():
		p.slot = rowHeight * 0.7 / n
	case p.collides():
		room := vg.Length(p.c.gap(p.at)) * p.frame(0).Size().X
		p.slot = min(11, 0.7*room/n)
	}
}

// collides reports whether series at one position of a panel would hide each
// other.
func (p *page) collides() bool {
	const near = 0.03 // of the height of a panel
	for i, panel := range p.c.Panels {
		byAt := map[float64][]float64{}
		for _, x := range panel.Points {
			place := p.values[i].clamped(x.Value)
			for _, other := range byAt[x.At] {
				if math.Abs(place-other) < near {
					return true
				}
			}
			byAt[x.At] = append(byAt[x.At], place)
		}
	}
	return false
}

// frame is the place of a panel's data.
func (p *page) frame(i int) vg.Rectangle {
	left, gap := p.labels+14, vg.Length(panelGap)
	if p.c.Free {
		gap += left
	}
	size := p.area.Size()
	w := (size.X - left - gap*vg.Length(p.cols-1)) / vg.Length(p.cols)
	h := size.Y / vg.Length(p.rows)
	x := p.area.Min.X + left + vg.Length(i%p.cols)*(w+gap)
	y := p.area.Max.Y - vg.Length(i/p.cols+1)*h
	top := vg.Length(8)
	if p.c.Panels[0].Title != "" {
		top = textSize*lineHeight + 4
	}
	return vg.Rectangle{
		Min: vg.Point{X: crisp(x), Y: crisp(y + smallSize*lineHeight + 8)},
		Max: vg.Point{X: crisp(x + w), Y: crisp(y + h - top)},
	}
}

// crisp is the middle of a pixel, where a line one pixel wide has no grey edge.
func crisp(x vg.Length) vg.Length { return vg.Length(math.Floor(float64(x))) + 0.5 }

// up are the ticks of a panel's upward axis.
func (p *page) up(i int) []tick {
	if !p.c.dots() {
		return p.values[i].ticks(int(p.area.Size().Y/vg.Length(p.rows)/50), p.c.Value.Percent)
	}
	var all []tick
	for i, name := range p.c.Categories {
		all = append(all, tick{float64(i), name})
	}
	return all
}

// upText is the writing of their labels.
func (p *page) upText() writing {
	if p.c.dots() {
		return plainText
	}
	return quietText
}

// across are the ticks of a panel's axis from left to right. A few positions
// that were chosen are labelled themselves.
func (p *page) across(i int) []tick {
	width := p.frame(i).Size().X
	switch chosen := p.c.positions(); {
	case p.c.dots():
		return p.values[i].ticks(int(width/110), p.c.Value.Percent)
	case p.c.At.Log:
		if ticks := p.chosenTicks(chosen, width); wholeAndNamed(ticks) {
			return ticks
		}
		return p.at.ticks(int(width/55), p.c.At.Percent)
	case len(chosen) <= 12:
		return p.chosenTicks(chosen, width)
	default:
		return p.at.ticks(int(width/70), p.c.At.Percent)
	}
}

// wholeAndNamed reports whether there are positions, all of them small whole
// numbers that have room for their labels: then they are read more easily than
// powers of ten.
func wholeAndNamed(ticks []tick) bool {
	return len(ticks) > 0 && !slices.ContainsFunc(ticks, func(t tick) bool {
		return t.label == "" || t.value != math.Trunc(t.value) || t.value > 1e6
	})
}

// chosenTicks labels the positions, as far as the labels keep apart.
func (p *page) chosenTicks(chosen []float64, width vg.Length) []tick {
	const between = 7
	var all []tick
	end := vg.Length(-between)
	for _, v := range chosen {
		t := tick{v, label(v, p.c.At.Percent)}
		x, half := vg.Length(p.at.place(v))*width, quietText.width(t.label)/2
		if x-half < end+between {
			t.label = ""
		} else {
			end = x + half
		}
		all = append(all, t)
	}
	return all
}

// draw draws everything.
func (p *page) draw() {
	p.img = vgimg.NewWith(vgimg.UseWH(pageWidth, p.height), vgimg.UseDPI(72)) // a unit is a pixel
	p.canvas = draw.New(p.img)
	y := p.height - margin - titleSize*lineHeight/2
	p.text(titleText, startsAt, margin, y, p.c.Title)
	y -= titleSize*lineHeight/2 + 6 + textSize*lineHeight/2
	for _, l := range p.key {
		p.drawKey(l, y)
		y -= textSize * lineHeight
	}
	if title := p.horizontalTitle(); title != "" {
		p.text(plainText, startsAt, margin, p.area.Max.Y+textSize*lineHeight/2+2, title)
	}
	for i := range p.c.Panels {
		p.drawPanel(i)
	}
	y = p.area.Min.Y - textSize*lineHeight/2
	p.text(plainText, endsAt, pageWidth-margin, y, p.acrossTitle())
	y -= textSize*lineHeight/2 + 12 + smallSize*lineHeight/2
	for _, note := range p.notes {
		p.text(quietText, startsAt, margin, y, note)
		y -= smallSize * lineHeight
	}
}

func (p *page) image() *image.RGBA { return p.img.Image().(*image.RGBA) }
