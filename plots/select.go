package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sketchproof/sketchproof/record"
)

// A datum is a row that a figure draws, and where.
type datum struct {
	record.Summary
	law           int // 0 is the main law, then those of Figure.Laws
	panel, series int
	at            float64
}

// drawable reports whether the row has a number to draw.
func (d datum) drawable() bool { return !math.IsNaN(d.Estimate) && !math.IsInf(d.Estimate, 0) }

// A selection is what a figure found in the rows.
type selection struct {
	data                       []datum
	panels, series, categories []string   // the names, by index
	labels                     [][]string // of each series, the values of its labels
}

// pick finds the rows of the figure.
func (f Figure) pick(rows []record.Summary) (*selection, error) {
	s := &selection{}
	seen := map[string]bool{}
	units := f.units(rows)
	numbers := 0
	for _, row := range rows {
		experiment, labels := record.ParseCell(row.Cell)
		law := f.lawIndex(row, seen)
		if experiment != f.Experiment || row.Metric != f.Metric || law < 0 || !f.keeps(labels) {
			continue
		}
		seen[row.Cell] = true
		d := datum{
			Summary: row, law: law,
			panel:  index(&s.panels, labels.Value(f.Panels)),
			series: index(&s.series, f.seriesName(labels)),
		}
		if d.series == len(s.labels) {
			s.labels = append(s.labels, f.seriesLabels(labels))
		}
		var err error
		if d.at, err = f.position(s, labels.Value(f.X.Key)); err != nil {
			return nil, fmt.Errorf("cell %s: %w", row.Cell, err)
		}
		if d.law == 0 && d.drawable() {
			numbers++
		}
		if f.Relative {
			d.Summary = relative(d.Summary, units[row.Cell])
		}
		s.data = append(s.data, d)
	}
	if numbers == 0 {
		return nil, ErrNoRows
	}
	s.sortPanels()
	s.sortSeries()
	if f.Sorted {
		s.sortCategories()
	}
	return s, nil
}

// lawIndex is the number of the row's law in the figure, -1 if it has none.
func (f Figure) lawIndex(row record.Summary, seen map[string]bool) int {
	if i := slices.Index(f.Laws, row.Law); i >= 0 {
		return i + 1
	}
	if row.Law == f.Law || f.Law == "" && !seen[row.Cell] {
		return 0
	}
	return -1
}

func (f Figure) keeps(labels record.Labels) bool {
	for key, values := range f.Where {
		if !slices.Contains(values, labels.Value(key)) {
			return false
		}
	}
	return labels.Value(f.X.Key) != ""
}

func (f Figure) position(s *selection, value string) (float64, error) {
	if f.Kind == Dots {
		return float64(index(&s.categories, f.name(value))), nil
	}
	x, err := strconv.ParseFloat(value, 64)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = strconv.ErrRange
	}
	return x, err
}

// seriesLabels are the values of the series' labels.
func (f Figure) seriesLabels(labels record.Labels) []string {
	values := make([]string, len(f.Series))
	for i, key := range f.Series {
		values[i] = labels.Value(key)
	}
	return values
}

// seriesName is the values of the series' labels; a number is told by its key.
func (f Figure) seriesName(labels record.Labels) string {
	var parts []string
	for _, key := range f.Series {
		value := labels.Value(key)
		x, err := strconv.ParseFloat(value, 64)
		_, named := f.Names[value]
		switch {
		case value == "":
		case named || err != nil:
			parts = append(parts, f.name(value))
		default:
			parts = append(parts, key+" = "+grouped(x))
		}
	}
	return strings.Join(parts, ", ")
}

// index is the place of a name in a list that grows by every new one.
func index(names *[]string, name string) int {
	if i := slices.Index(*names, name); i >= 0 {
		return i
	}
	*names = append(*names, name)
	return len(*names) - 1
}

// sortPanels puts panels of numbers in the order of the numbers.
func (s *selection) sortPanels() {
	value := make(map[string]float64, len(s.panels))
	for _, name := range s.panels {
		x, err := strconv.ParseFloat(name, 64)
		if err != nil {
			return
		}
		value[name] = x
	}
	old := slices.Clone(s.panels)
	slices.SortStableFunc(s.panels, func(a, b string) int { return cmp.Compare(value[a], value[b]) })
	for i := range s.data {
		s.data[i].panel = slices.Index(s.panels, old[s.data[i].panel])
	}
}

// sortSeries puts series that differ in a number in the order of the numbers;
// names stay in the order in which they first appear.
func (s *selection) sortSeries() {
	var first []string // every value, in the order of the rows
	for _, values := range s.labels {
		for _, v := range values {
			index(&first, v)
		}
	}
	compare := func(a, b string) int {
		x, errX := strconv.ParseFloat(a, 64)
		y, errY := strconv.ParseFloat(b, 64)
		if errX == nil && errY == nil {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(slices.Index(first, a), slices.Index(first, b))
	}
	order := make([]int, len(s.series))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.CompareFunc(s.labels[a], s.labels[b], compare) })
	names, labels := slices.Clone(s.series), slices.Clone(s.labels)
	for to, from := range order {
		s.series[to], s.labels[to] = names[from], labels[from]
	}
	for i := range s.data {
		s.data[i].series = slices.Index(order, s.data[i].series)
	}
}

// sortCategories puts the category with the largest estimate first.
func (s *selection) sortCategories() {
	largest := map[string]float64{}
	for _, d := range s.data {
		name := s.categories[int(d.at)]
		if x, ok := largest[name]; d.drawable() && (!ok || d.Estimate > x) {
			largest[name] = d.Estimate
		}
	}
	old := slices.Clone(s.categories)
	slices.SortStableFunc(s.categories, func(a, b string) int { return cmp.Compare(largest[b], largest[a]) })
	for i := range s.data {
		s.data[i].at = float64(slices.Index(s.categories, old[int(s.data[i].at)]))
	}
}

// units are what the main law predicts for each cell that it judges.
func (f Figure) units(rows []record.Summary) map[string]float64 {
	units := map[string]float64{}
	for _, row := range rows {
		if _, known := units[row.Cell]; !known && row.Metric == f.Metric && row.Judged() && (row.Law == f.Law || f.Law == "") {
			units[row.Cell] = row.Predicted
		}
	}
	return units
}

// relative is the row as a multiple of what the main law predicts; without a
// prediction above 0 it is no number.
func relative(s record.Summary, unit float64) record.Summary {
	if !(unit > 0) {
		unit = math.NaN()
	}
	for _, x := range []*float64{&s.Estimate, &s.Lo, &s.Hi, &s.Predicted, &s.AllowedLo, &s.AllowedHi} {
		*x /= unit
	}
	return s
}
