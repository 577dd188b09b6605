package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// glyph draws a point: filled where the law holds or nothing is judged, small
// where others are, hollow where it is undecided, hollow under a cross where it
// is broken.
func (p *page) glyph(at vg.Point, series int, m mark) {
	c, radius := seriesColor(series), p.radius()
	s := seriesShape(series)
	if m == plain && p.judged {
		radius *= 0.7
	}
	switch m {
	case undecided:
		p.polygon(at, s, radius, paper, c)
	case broken:
		p.polygon(at, s, radius, paper, c)
		p.cross(at, radius+2)
	default:
		p.polygon(at, s, radius, c, paper)
	}
}

// radius is that of a point: smaller where panels are.
func (p *page) radius() vg.Length {
	if p.cols > 1 {
		return 5.2
	}
	return 6.5
}

// polygon draws a shape, filled and outlined.
func (p *page) polygon(at vg.Point, s shape, r vg.Length, fill, outline color.Color) {
	corners := make([]vg.Point, s.corners+1)
	for i := range corners {
		sin, cos := math.Sincos(s.rotation + 2*math.Pi*float64(i)/float64(s.corners))
		corners[i] = vg.Point{
			X: at.X + r*vg.Length(s.size*sin),
			Y: at.Y + r*vg.Length(s.size*cos),
		}
	}
	width := vg.Length(2)
	if outline == color.Color(paper) {
		width = 1 // a rim that parts neighbours
	}
	p.canvas.FillPolygon(fill, corners)
	p.canvas.StrokeLines(draw.LineStyle{Color: outline, Width: width}, append(corners, corners[1]))
}

func (p *page) cross(at vg.Point, arm vg.Length) {
	style := draw.LineStyle{Color: vermilion, Width: 2.4}
	p.canvas.StrokeLine2(style, at.X-arm, at.Y-arm, at.X+arm, at.Y+arm)
	p.canvas.StrokeLine2(style, at.X-arm, at.Y+arm, at.X+arm, at.Y-arm)
}
