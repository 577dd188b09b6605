package plots

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// small is a figure of one panel, and three rows of one series on its law.
func small() (Figure, []record.Summary) {
	f := Figure{
		Name: "small", Experiment: "e", Metric: "m", Law: "l",
		X: Axis{Key: "k", Title: "k"}, Y: Axis{Title: "y", Log: true}, Series: []string{"subject"},
	}
	return f, []record.Summary{
		judged("e/subject=a/k=1", "m", "l", 0.1, 0, 0.01),
		judged("e/subject=a/k=2", "m", "l", 0.01, 0, 0.01),
		judged("e/subject=a/k=3", "m", "l", 0.001, 0, 0.01),
	}
}

func drawn(t *testing.T, f Figure, rows []record.Summary) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Draw(rows, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decoded(t *testing.T, file []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestAll draws every figure. A figure that is added without synthetic rows of
// its own draws from rows that are made for it.
func TestAll(t *testing.T) {
	rows := allRows()
	names := map[string]bool{}
	for _, f := range All {
		if names[f.Name] || f.Name == "" || strings.ContainsAny(f.Name, "/. ") {
			t.Errorf("the name %q is empty, not unique or no file name", f.Name)
		}
		names[f.Name] = true
		if f.Title == "" || f.Metric == "" || f.X.Key == "" || f.Y.Title == "" {
			t.Errorf("%s lacks a title, metric, key of x or title of y", f.Name)
		}
		if _, err := f.pick(rows); errors.Is(err, ErrNoRows) {
			rows = append(rows, rowsFor(f)...)
		}
		file := drawn(t, f, rows)
		// A README loads several; 60 KB each is a second on a slow line.
		if len(file) > 60_000 {
			t.Errorf("%s is %d bytes", f.Name, len(file))
		}
		if w := decoded(t, file).Bounds().Dx(); w != 1200 {
			t.Errorf("%s is %d wide", f.Name, w)
		}
	}
}

// rowsFor makes two rows that the figure draws.
func rowsFor(f Figure) []record.Summary {
	var rows []record.Summary
	for _, x := range []int{10, 20} {
		labels := record.L("subject", "a")
		for _, key := range append([]string{f.X.Key, f.Panels}, f.Series...) {
			if key != "" && labels.Value(key) == "" {
				labels = append(labels, record.L(key, x)...)
			}
		}
		for key, values := range f.Where {
			for i := range labels {
				if labels[i].Key == key {
					labels[i].Value = values[0]
				}
			}
			if labels.Value(key) == "" {
				labels = append(labels, record.Label{Key: key, Value: values[0]})
			}
		}
		rows = append(rows, judged(record.CellName(f.Experiment, labels), f.Metric, f.Law, 0.5, 0, 0.1))
	}
	return rows
}

func TestSameRowsSameBytes(t *testing.T) {
	rows := bloomRows()
	if !bytes.Equal(drawn(t, bloomRate, rows), drawn(t, bloomRate, rows)) {
		t.Error("two drawings of the same rows differ")
	}
}

// TestBrokenIsSeen counts vermilion, which nothing else has: the second broken
// point adds to it, so the points have it and not the key alone.
func TestBrokenIsSeen(t *testing.T) {
	f, rows := small()
	var red [3]int
	for n := range red {
		if n > 0 {
			rows[n].Verdict = stats.Broken
		}
		img := decoded(t, drawn(t, f, rows)).(*image.Paletted)
		if i := slices.Index(img.Palette, color.Color(vermilion)); i >= 0 {
			red[n] = bytes.Count(img.Pix, []byte{byte(i)})
		}
	}
	if red[0] != 0 || red[1] == 0 || red[2] <= red[1] {
		t.Errorf("vermilion pixels with 0, 1, 2 broken points: %v", red)
	}
}

func TestNoRows(t *testing.T) {
	f, rows := small()
	other, elsewhere, none := rows[0], rows[1], rows[2]
	other.Metric = "other"
	elsewhere.Cell = "e2/subject=a/k=1"
	none.Estimate = math.NaN()
	lawless := rows[0]
	lawless.Law = ""
	for _, rows := range [][]record.Summary{nil, {other, elsewhere}, {none}, {lawless}} {
		if err := f.Draw(rows, io.Discard); !errors.Is(err, ErrNoRows) {
			t.Errorf("%v: got error %v", rows, err)
		}
	}
}

func TestPositionMustBeANumber(t *testing.T) {
	f, rows := small()
	for _, k := range []string{"many", "NaN", "Inf"} {
		rows[1].Cell = "e/subject=a/k=" + k
		if err := f.Draw(rows, io.Discard); err == nil || !strings.Contains(err.Error(), rows[1].Cell) {
			t.Errorf("got error %v, want one that names the cell", err)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestWriteError(t *testing.T) {
	f, rows := small()
	if err := f.Draw(rows, brokenPipe{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got error %v", err)
	}
}

// TestOddNumbers puts numbers that are none, or huge, into every column.
func TestOddNumbers(t *testing.T) {
	inf := math.Inf(1)
	odd := []float64{math.NaN(), inf, -inf, 0, -1, math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64}
	f, rows := small()
	f.Band = true
	for i, x := range odd {
		for column := range 6 {
			s := judged("e/subject=a/k="+[]string{"0", "-1", "1e300", "5"}[i%4], "m", "l", 0.1, 0, 0.01)
			*[]*float64{&s.Estimate, &s.Lo, &s.Hi, &s.Predicted, &s.AllowedLo, &s.AllowedHi}[column] = x
			rows = append(rows, s)
		}
	}
	draw := func(rows []record.Summary) {
		c, err := f.chart(rows)
		if err != nil && !errors.Is(err, ErrNoRows) {
			t.Fatal(err)
		}
		if err == nil {
			newPage(c).draw()
		}
	}
	for _, log := range []bool{true, false} {
		f.X.Log, f.Y.Log = log, log
		draw(rows)
	}
	for i := range rows { // the axes of each alone
		if c, err := f.chart(rows[i : i+1]); err == nil {
			p := newPage(c)
			p.up(0)
			p.across(0)
		}
	}
	f.Relative = true
	draw(rows)
	f.Kind, f.Relative, f.Sorted = Dots, false, true
	draw(rows)
}
