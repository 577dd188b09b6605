package plots

import (
	"bytes"
	"errors"
	"image/color"
	"io"
	"math"
	"testing"
)

func pareto() Pareto {
	return Pareto{
		Title: "Memory against time", Memory: "bits of memory per key", Cost: "nanoseconds", Note: "Synthetic.",
		Points: []ParetoPoint{
			{Name: "small", Memory: 7, Cost: 30, Lo: 25, Hi: 40, Front: true},
			{Name: "fast", Memory: 11, Cost: 7, Lo: 6, Hi: 9, Front: true},
			{Name: "neither", Memory: 12, Cost: 20, Lo: math.NaN(), Hi: math.NaN()},
			{Name: "liar", Memory: 12.5, Cost: 15, Lo: 14, Hi: 16, Broken: true},
		},
	}
}

func TestParetoDrawsEveryPoint(t *testing.T) {
	var b bytes.Buffer
	if err := pareto().Draw(&b); err != nil {
		t.Fatal(err)
	}
	found := map[color.RGBA]int{}
	img := decoded(t, b.Bytes())
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, a := img.At(x, y).RGBA()
			found[color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), uint8(a >> 8)}]++
		}
	}
	// Two on the front, the others in the third colour, and what is broken in its own.
	for i, c := range []color.Color{seriesColors[0], seriesColors[1], seriesColors[2], vermilion} {
		if found[c.(color.RGBA)] < 20 {
			t.Errorf("colour %d covers %d pixels", i, found[c.(color.RGBA)])
		}
	}
	if n := found[seriesColors[3].(color.RGBA)]; n > 0 {
		t.Errorf("a fourth series covers %d pixels", n)
	}
}

// What was judged is not drawn as if nobody had.
func TestParetoMarksVerdicts(t *testing.T) {
	for x, want := range map[ParetoPoint]mark{{}: plain, {Held: true}: holds, {Broken: true}: broken, {Broken: true, Held: true}: broken} {
		if got := x.point(0).Mark; got != want {
			t.Errorf("%+v: mark %d, want %d", x, got, want)
		}
	}
}

func TestParetoOfNothing(t *testing.T) {
	if err := (Pareto{}).Draw(io.Discard); !errors.Is(err, ErrNoRows) {
		t.Error(err)
	}
}
