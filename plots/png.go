package plots

import (
	"cmp"
	"image"
	"image/color"
	"image/png"
	"io"
	"iter"
	"math"
	"slices"
)

// encode writes an image as PNG with the colours it uses most, which are few:
// text and lines on white, and the shades of their edges.
func encode(w io.Writer, img *image.RGBA) error {
	e := png.Encoder{CompressionLevel: png.BestCompression}
	return e.Encode(w, quantized(img))
}

// quantized is the image in at most 64 colours: those of the theme, the most
// frequent others, and for every other pixel the nearest of them.
func quantized(img *image.RGBA) *image.Paletted {
	const colors = 64
	counts := map[color.RGBA]int{}
	b := img.Bounds()
	for run, n := range runs(img) {
		counts[run] += n
	}
	for _, c := range slices.Concat(seriesColors, []color.Color{vermilion}) {
		if c := c.(color.RGBA); counts[c] > 0 {
			counts[c] = math.MaxInt // a small mark must keep its colour
		}
	}
	order := make([]color.RGBA, 0, len(counts))
	for c := range counts {
		order = append(order, c)
	}
	slices.SortFunc(order, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(key(a), key(b)))
	})
	palette := make(color.Palette, min(colors, len(order)))
	for i := range palette {
		palette[i] = order[i]
	}
	nearest := make(map[color.RGBA]uint8, len(order))
	for _, c := range order {
		nearest[c] = uint8(palette.Index(c))
	}
	out := image.NewPaletted(b, palette)
	at := 0
	for run, n := range runs(img) {
		i := nearest[run]
		for range n {
			out.Pix[at] = i
			at++
		}
	}
	return out
}

// runs yields the pixels in order, as colours and how often each repeats. The
// image must be a whole one, not a part of another.
func runs(img *image.RGBA) iter.Seq2[color.RGBA, int] {
	return func(yield func(color.RGBA, int) bool) {
		var current color.RGBA
		n := 0
		for p := range slices.Chunk(img.Pix, 4) {
			c := color.RGBA{p[0], p[1], p[2], p[3]}
			if c != current && n > 0 {
				if !yield(current, n) {
					return
				}
				n = 0
			}
			current = c
			n++
		}
		yield(current, n)
	}
}

// key orders colours.
func key(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}
