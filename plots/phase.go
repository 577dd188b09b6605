package plots

import (
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// A Phase is a figure of what is best where: a panel for each kind of workload, in
// which every cell has the colour of its winner, the paler the closer the second
// comes. It is data; Draw makes the picture.
type Phase struct {
	Title  string
	X, Y   Axis
	Note   string
	Empty  string // what a cell without a winner means
	Panels []PhasePanel
}

// A PhasePanel is a grid of cells. X and Y are the middles of its columns and rows,
// both rising; Cells[y][x] lies at them.
type PhasePanel struct {
	Title string
	X, Y  []float64
	Cells [][]PhaseCell
}

// A PhaseCell is one workload. Winner is "" where there is none.
type PhaseCell struct {
	Winner string
	Margin float64 // what the second costs more than the winner, as a share
	Text   string  // stands in the cell; "" for none
}

// phaseShades say how pale a cell is whose margin is below the limit.
var phaseShades = []struct{ below, paper float64 }{{0.05, 0.75}, {0.15, 0.5}, {0.5, 0.25}}

const phaseOthers = "others"

// emptyColor is that of cells without a winner.
var emptyColor = gridColor

// Draw writes the figure as PNG. Winners get colours in the order of how many cells
// they win; those beyond the colours share one.
func (p Phase) Draw(w io.Writer) error {
	winners := p.winners()
	if len(winners) == 0 {
		return ErrNoRows
	}
	c := &chart{
		Title: p.Title, At: p.X, Value: p.Y, Series: winners,
		Notes: []string{p.Note, "The palest cells are won by less than 5 %, the next by less than 15 %, then 50 %, the darkest by more."},
	}
	if p.empty() {
		c.Series = append(slices.Clone(winners), p.Empty)
	}
	for _, x := range p.Panels {
		// A line that is hidden below the cells spans the axes.
		frame := line{Series: sharedSeries, At: edges(x.X, p.X.Log), Value: edges(x.Y, p.Y.Log)}
		frame.At, frame.Value = ends(frame.At), ends(frame.Value)
		if c.At.Max == 0 { // the cells reach the edges
			c.At.Min, c.At.Max = frame.At[0], frame.At[1]
			c.Value.Min, c.Value.Max = frame.Value[0], frame.Value[1]
		}
		c.Panels = append(c.Panels, panel{Title: x.Title, Lines: []line{frame}})
	}
	pg := newPage(c)
	for _, l := range pg.key {
		for i := range l {
			fill := winnerColor(slices.Index(winners, l[i].text))
			if l[i].text == p.Empty {
				fill = emptyColor
			}
			l[i].sample = func(on *page, x, y vg.Length) {
				on.canvas.FillPolygon(fill, rectangle(x-17, y-9, x+17, y+9))
			}
		}
	}
	pg.draw()
	for i, x := range p.Panels {
		pg.drawCells(i, x, winners, p.X.Log, p.Y.Log)
	}
	return encode(w, pg.image())
}

// empty reports whether a cell has no winner.
func (p Phase) empty() bool {
	return slices.ContainsFunc(p.Panels, func(x PhasePanel) bool {
		return slices.ContainsFunc(slices.Concat(x.Cells...), func(c PhaseCell) bool { return c.Winner == "" })
	})
}

func ends(all []float64) []float64 { return []float64{all[0], all[len(all)-1]} }

// winners are named in the order of how many cells they win, the last of them for
// all that are left when colours run out.
func (p Phase) winners() []string {
	counts := map[string]int{}
	var names []string
	for _, panel := range p.Panels {
		for _, row := range panel.Cells {
			for _, c := range row {
				if c.Winner == "" {
					continue
				}
				if counts[c.Winner] == 0 {
					names = append(names, c.Winner)
				}
				counts[c.Winner]++
			}
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	if len(names) > len(seriesColors) {
		names = append(names[:len(seriesColors)-1], phaseOthers)
	}
	return names
}

func winnerColor(i int) color.Color {
	if i < 0 {
		i = len(seriesColors) - 1
	}
	return seriesColors[i]
}

func (p *page) drawCells(i int, x PhasePanel, winners []string, logX, logY bool) {
	f := p.frame(i)
	left, up := edges(x.X, logX), edges(x.Y, logY)
	place := func(s scale, v float64, from, to vg.Length) vg.Length {
		return vg.Length(math.Round(float64(from + vg.Length(s.clamped(v))*(to-from)))) // no seams
	}
	p.canvas.FillPolygon(paper, rectangle(f.Min.X+1, f.Min.Y+1, f.Max.X, f.Max.Y))
	for row := range x.Cells {
		for column, c := range x.Cells[row] {
			fill := c.color(winners)
			x0, x1 := place(p.at, left[column], f.Min.X, f.Max.X), place(p.at, left[column+1], f.Min.X, f.Max.X)
			y0, y1 := place(p.values[i], up[row], f.Min.Y, f.Max.Y), place(p.values[i], up[row+1], f.Min.Y, f.Max.Y)
			p.canvas.FillPolygon(fill, rectangle(x0, y0, x1, y1))
			p.text(writing{smallSize, legible(fill)}, centred, (x0+x1)/2, (y0+y1)/2, c.Text)
		}
	}
}

// color is the winner's, the paler the less it wins by.
func (c PhaseCell) color(winners []string) color.Color {
	if c.Winner == "" {
		return emptyColor
	}
	full := winnerColor(slices.Index(winners, c.Winner))
	for _, shade := range phaseShades {
		if c.Margin < shade.below {
			return faint(full, shade.paper)
		}
	}
	return full
}

// legible is paper on what is dark and ink on what is not.
func legible(fill color.Color) color.Color {
	if color.GrayModel.Convert(fill).(color.Gray).Y < 128 {
		return paper
	}
	return ink
}

func rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// edges are the ends of the cells whose middles are given: half way between
// neighbours, and as far beyond the first and the last.
func edges(middles []float64, log bool) []float64 {
	s := scale{log: log}
	units := make([]float64, len(middles))
	for i, m := range middles {
		units[i] = s.unit(m)
	}
	var all []float64
	for i := 0; i <= len(units); i++ {
		switch {
		case len(units) < 2:
			all = append(all, s.back(units[0]-0.5+float64(i)))
		case i == 0:
			all = append(all, s.back(units[0]-(units[1]-units[0])/2))
		case i == len(units):
			all = append(all, s.back(units[i-1]+(units[i-1]-units[i-2])/2))
		default:
			all = append(all, s.back((units[i-1]+units[i])/2))
		}
	}
	return all
}

// back is the value at a place of even spacing.
func (s scale) back(unit float64) float64 {
	if s.log {
		return math.Pow(10, unit)
	}
	return unit
}
