package plots

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"math"
	"os"
	"slices"
	"testing"
)

// diagram has a winner on either side of a diagonal, ever further ahead to the
// right, and nothing that pays at the bottom.
func diagram() Phase {
	var p PhasePanel
	const n = 24
	for i := range n {
		p.X = append(p.X, math.Pow(10, 3+4*float64(i)/(n-1)))
		p.Y = append(p.Y, math.Pow(10, -8+5*float64(i)/(n-1)))
	}
	for y := range n {
		var row []PhaseCell
		for x := range n {
			c := PhaseCell{Winner: "upper", Margin: float64(x) / n}
			if x > y {
				c.Winner = "lower"
			}
			if y < 4 {
				c.Winner = ""
			}
			row = append(row, c)
		}
		p.Cells = append(p.Cells, row)
	}
	still, moving := p, p
	still.Title, moving.Title = "keys stay", "keys change"
	return Phase{
		Title: "What is best where", X: Axis{Title: "keys", Log: true}, Y: Axis{Title: "seconds of work that a true negative saves", Log: true},
		Panels: []PhasePanel{still, moving},
	}
}

func TestPhaseColoursItsCells(t *testing.T) {
	var b bytes.Buffer
	if err := diagram().Draw(&b); err != nil {
		t.Fatal(err)
	}
	if to := os.Getenv("KEEP_FIGURES"); to != "" {
		if err := os.WriteFile(to+"/phase.png", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			counts[color.RGBAModel.Convert(img.At(x, y))]++
		}
	}
	// Of the cells that pay "upper" wins 290 and "lower" 190, those from the sixth
	// column on: there the margin is 5/24 at least.
	for i, shades := range [][]float64{{0, 0.25, 0.5, 0.75}, {0, 0.25}} {
		for _, shade := range []float64{0, 0.25, 0.5, 0.75} {
			c := color.RGBAModel.Convert(faint(seriesColors[i], shade))
			if want := slices.Contains(shades, shade); (counts[c] > 500) != want {
				t.Errorf("%d pixels of series %d, %.0f %% paper; want many: %v", counts[c], i, 100*shade, want)
			}
		}
	}
}

// Cells without a winner are grey, explained in the key, and what is written in cells
// is to be read on dark colours and pale ones.
func TestPhaseSaysWhatCellsMean(t *testing.T) {
	pixels := func(p Phase, want color.Color) (n int) {
		var b bytes.Buffer
		if err := p.Draw(&b); err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				if color.RGBAModel.Convert(img.At(x, y)) == color.RGBAModel.Convert(want) {
					n++
				}
			}
		}
		return n
	}
	nameless, named := diagram(), diagram()
	named.Empty = "nothing"
	if a, b := pixels(nameless, ink), pixels(named, ink); b <= a {
		t.Errorf("%d pixels of ink with a name in the key, %d without", b, a)
	}
	if n := pixels(named, emptyColor); n < 20_000 {
		t.Errorf("%d pixels of empty cells", n)
	}
	written := diagram()
	for _, panel := range written.Panels {
		for _, row := range panel.Cells {
			for x := range row {
				row[x].Text = "8"
			}
		}
	}
	for name, c := range map[string]color.Color{"ink": ink, "paper": paper} {
		if a, b := pixels(diagram(), c), pixels(written, c); b <= a {
			t.Errorf("%d pixels of %s with text in the cells, %d without", b, name, a)
		}
	}
}

func TestPhaseOfNothing(t *testing.T) {
	p := diagram()
	for i := range p.Panels {
		p.Panels[i].Cells = nil
	}
	if err := p.Draw(new(bytes.Buffer)); !errors.Is(err, ErrNoRows) {
		t.Errorf("%v, want %v", err, ErrNoRows)
	}
}
