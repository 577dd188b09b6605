package plots

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// A writing is the size and colour of text. Text may raise a part: 10^{−7}. The
// typeface has superscripts for few digits only, so they are drawn.
type writing struct {
	size  vg.Length
	color color.Color
}

var (
	titleText = writing{titleSize, ink}
	plainText = writing{textSize, ink}
	quietText = writing{smallSize, quiet}
)

// Alignments: the part of a text's width that lies before its point.
const (
	startsAt = 0
	centred  = 0.5
	endsAt   = 1
)

// face is the typeface of a plain or raised part.
func (t writing) face(raised bool) font.Face {
	size := t.size
	if raised {
		size *= 0.72
	}
	return fonts().Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

// width is that of the text in pixels.
func (t writing) width(s string) (w vg.Length) {
	for part, raised := range parts(s) {
		face := t.face(raised)
		w += face.Width(part)
	}
	return w
}

// text writes along the page; y is the middle of a capital.
func (p *page) text(t writing, alignment, x, y vg.Length, s string) {
	const capital, raise = 0.72, 0.38 // of the size
	if s == "" {
		return
	}
	x -= alignment * t.width(s)
	y -= t.size * capital / 2
	p.canvas.SetColor(t.color)
	for part, raised := range parts(s) {
		face := t.face(raised)
		at := vg.Point{X: x, Y: y}
		if raised {
			at.Y += t.size * raise
		}
		p.canvas.FillString(face, at, part)
		x += face.Width(part)
	}
}

// PlainText is a text as it stands where nothing can be raised: 10^19.
func PlainText(s string) string {
	var b strings.Builder
	for part, raised := range parts(s) {
		if raised {
			b.WriteString("^")
		}
		b.WriteString(part)
	}
	return b.String()
}

// parts yields the plain and raised parts of a text.
func parts(s string) func(yield func(part string, raised bool) bool) {
	return func(yield func(string, bool) bool) {
		for s != "" {
			before, rest, _ := strings.Cut(s, "^{")
			if before != "" && !yield(before, false) {
				return
			}
			raised, after, _ := strings.Cut(rest, "}")
			if raised != "" && !yield(raised, true) {
				return
			}
			s = after
		}
	}
}

// wrap breaks a text into lines of at most a width.
func (t writing) wrap(s string, width vg.Length) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(s) {
		longer := strings.TrimSpace(current + " " + word)
		if current != "" && t.width(longer) > width {
			lines = append(lines, current)
			longer = word
		}
		current = longer
	}
	if current != "" {
		lines = append(lines, current)
	}
	return lines
}
