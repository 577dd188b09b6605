package plots

import (
	"image/color"
	"math"
	"sync"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// The colours are those of Okabe and Ito (2008), which colour-blind readers
// can tell apart. Vermilion is kept for what is broken, yellow is too pale for
// points on white.
var (
	seriesColors = []color.Color{
		color.RGBA{0, 114, 178, 255},   // blue
		color.RGBA{230, 159, 0, 255},   // orange
		color.RGBA{0, 158, 115, 255},   // bluish green
		color.RGBA{204, 121, 167, 255}, // reddish purple
		color.RGBA{86, 180, 233, 255},  // sky blue
		color.RGBA{0, 0, 0, 255},       // black
	}
	vermilion = color.RGBA{213, 94, 0, 255}
	ink       = color.RGBA{34, 34, 34, 255}    // text
	lawColor  = color.RGBA{85, 85, 85, 255}    // lines that belong to all
	quiet     = color.RGBA{102, 102, 102, 255} // axes and notes
	gridColor = color.RGBA{228, 228, 228, 255}
	paper     = color.RGBA{255, 255, 255, 255}
	bandShade = 0.85 // of a band: how much of its colour is replaced by paper
)

// shape is a regular polygon.
type shape struct {
	corners  int
	rotation float64 // of the first corner, from straight up
	size     float64 // radius relative to a circle of the same weight
}

var shapes = []shape{
	{24, 0, 1},             // circle
	{4, math.Pi / 4, 1.25}, // square
	{3, 0, 1.35},           // triangle
	{4, 0, 1.3},            // diamond
	{3, math.Pi, 1.35},     // triangle on its tip
	{5, 0, 1.15},           // pentagon
}

// dashes of the line styles; the first is solid.
var dashes = [][]vg.Length{nil, {9, 5}, {2, 4}, {12, 4, 2, 4}}

// seriesColor and seriesShape differ together for the first six series, and as
// pairs for 36.
func seriesColor(i int) color.Color {
	if i == sharedSeries {
		return lawColor
	}
	return seriesColors[i%len(seriesColors)]
}

func seriesShape(i int) shape {
	if i == sharedSeries {
		return shapes[0]
	}
	return shapes[(i+i/len(seriesColors))%len(shapes)]
}

// faint mixes a colour with paper.
func faint(c color.Color, share float64) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(x uint32) uint8 { return uint8(math.Round(float64(x>>8)*(1-share) + 255*share)) }
	return color.RGBA{mix(r), mix(g), mix(b), 255}
}

// Sizes in pixels of a page 1200 wide. A README shows it 800 wide: 18 is 12.
const (
	titleSize = 27
	textSize  = 20
	smallSize = 18
)

// fonts parses the typefaces once, and only if something is drawn.
var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })
