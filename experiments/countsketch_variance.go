package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countsketch"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	signedBias = engine.Metric{
		Name: "row-error/deviation", Method: stats.Mean,
		Law: "countsketch.unbiased", Source: "Charikar, Chen, Farach-Colton 2002, section 3: the mean of a row is f",
	}
	signedSquare = engine.Metric{
		Name: "row-square/variance", Method: stats.Mean,
		Law: "countsketch.variance", Source: "Charikar, Chen, Farach-Colton 2002, Lemma 1: the variance of a row is (F2 - f^2)/w",
	}
	medianBias = engine.Metric{
		Name: "median-error/deviation", Method: stats.Mean,
		Law: "countsketch.median-unbiased", Source: "the error of a row is symmetric, so that of a median of an odd number is",
	}
	medianFar = engine.Metric{
		Name: "median-beyond-two-deviations/key", Method: stats.Share,
		Law: "countsketch.tail", Source: "Charikar, Chen, Farach-Colton 2002, Lemma 3, by the exact binomial of Chebyshev's 1/4",
	}
	medianSquare = engine.Metric{Name: "median-square/variance", Method: stats.Mean}
)

var countSketchVariance = engine.Experiment{
	Name:     "countsketch/variance",
	Question: "Is a row right on average, with variance (F2 - f^2)/w, and is the median?",
	Claims: []engine.Claim{
		{
			Text:   "a row's estimate is right on average",
			Source: "Charikar, Chen, Farach-Colton 2002", Metric: signedBias.Name, Law: signedBias.Law,
		},
		{
			Text:   "its variance is (F2 - f^2)/w",
			Source: "Charikar, Chen, Farach-Colton 2002", Metric: signedSquare.Name, Law: signedSquare.Law,
		},
		{
			Text:   "so is the median of an odd number of rows right on average",
			Source: "derived from Charikar, Chen, Farach-Colton 2002", Metric: medianBias.Name, Law: medianBias.Law,
		},
		{
			Text:   "the median is off by more than two standard deviations of a row with at most the chance that more than half of d coins of 1/4 fall",
			Source: "derived from Charikar, Chen, Farach-Colton 2002", Metric: medianFar.Name, Law: medianFar.Law,
		},
	},
	Method: "Zipf streams of 5000 events over 1000 keys; all are asked for, and as many that never came. Errors of all keys of a trial are added up, and " +
		"so are the variances that the law gives them for the stream as it came; the mean of the errors is told to a fiftieth of a deviation, that of squares to a tenth. " +
		"The variance of the median is reported beside: near pi/2d of a row's where many light keys meet, and far less where few heavy ones do.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 1.5, 2}, []float64{0.75, 1.25}) {
			for _, table := range engine.Pick(s, []cmsTable{{55, 5}}, []cmsTable{{272, 1}, {272, 5}}, []cmsTable{{2719, 7}}) {
				if exponent == 2 && table.w > 55 {
					continue // the median is nearly always exact: its errors are too rare to tell their mean
				}
				cells = append(cells, countSketchCell(table, newZipfStream(5000, 1000, exponent)))
			}
		}
		return cells
	},
}

func countSketchCell(table cmsTable, stream zipfStream) engine.Cell {
	price := cost("", stream.events+2*stream.ranks*table.d, 8*table.w*table.d)
	return engine.Cell{
		Labels:  record.L("subject", "countsketch", "w", table.w, "d", table.d, "zipf", stream.s),
		Metrics: []engine.Metric{signedBias, signedSquare, medianBias, medianFar, medianSquare},
		Trials:  1024, Cost: price,
		Run: func(t *engine.T) error {
			f, err := countsketch.New(countsketch.Params{Width: table.w, Depth: table.d, Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			ranks, truth := stream.source().stream(draws(t.Seed), stream.events)
			for _, r := range ranks {
				f.Add(keys.at(r), 1)
			}
			f2 := 0.0
			for _, count := range truth {
				f2 += float64(count) * float64(count)
			}
			var row, median moments
			asked := 2 * stream.ranks
			for i := range asked {
				count := 0.0
				if i < stream.ranks {
					count = float64(truth[i])
				}
				variance := countsketch.RowVariance(f2, count, table.w)
				row.add(float64(f.Rows(keys.at(i))[0])-count, variance)
				median.add(float64(f.Count(keys.at(i)))-count, variance)
			}
			row.readMean(t, signedBias, stats.Between(0, -0.02, 0.02))
			row.readSquare(t, signedSquare, stats.Within(1, 0.1))
			median.readMean(t, medianBias, stats.Between(0, -0.02, 0.02))
			median.readSquare(t, medianSquare, stats.Band{})
			t.Read(medianFar, median.far, int64(asked), stats.AtMost(countsketch.Tail(2, table.d)))
			return nil
		},
	}
}

// moments are those of errors whose variances a law gives.
type moments struct {
	n                      int64
	sum, squares, variance float64
	far                    int64 // beyond two deviations
}

func (m *moments) add(off, variance float64) {
	m.n++
	m.sum += off
	m.squares += off * off
	m.variance += variance
	m.far += one(off*off > 4*variance)
}

// readMean reads the mean error over the root of the mean variance.
func (m *moments) readMean(t *engine.T, metric engine.Metric, band stats.Band) {
	readRatio(t, metric, m.sum, math.Sqrt(m.variance*float64(m.n)), band)
}

// readSquare reads the sum of squares over that of variances.
func (m *moments) readSquare(t *engine.T, metric engine.Metric, band stats.Band) {
	readRatio(t, metric, m.squares, m.variance, band)
}

// readRatio reads a ratio of numbers that are not whole, to nine digits.
func readRatio(t *engine.T, metric engine.Metric, num, den float64, band stats.Band) {
	const scale = 1e9
	t.Read(metric, int64(math.Round(scale*num/den)), scale, band)
}
