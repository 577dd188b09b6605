package experiments

import (
	"math"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/countsketch"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	meanMinBias = engine.Metric{
		Name: "row-error/deviation", Method: stats.Mean,
		Law: "cmm.unbiased", Source: "Deng and Rafiei 2007, section 3: c - (N - c)/(w - 1) is f on average",
	}
	meanMinSquare = engine.Metric{
		Name: "row-square/variance", Method: stats.Mean,
		Law: "cmm.variance", Source: "Deng and Rafiei 2007, section 3: its variance is (F2 - f^2)/(w - 1)",
	}
	// The error of an estimate is the mean of |estimate - f| over the keys of the
	// stream, in N/w.
	meanMinGain = engine.Metric{
		Name: "mean-min-error-less-min-error/row-mean", Method: stats.Mean,
		Law: "cmm.gain", Source: "Deng and Rafiei 2007, section 5: more accurate than count-min, most of all on streams of little skew",
	}
	meanMinError = engine.Metric{Name: "mean-min-error/row-mean", Method: stats.Mean}
	minError     = engine.Metric{Name: "min-error/row-mean", Method: stats.Mean}
	signedError  = engine.Metric{Name: "count-sketch-error/row-mean", Method: stats.Mean}
)

var countMinMeanMin = engine.Experiment{
	Name:     "countmin/mean-min",
	Question: "Is count-mean-min right on average, and nearer the truth than count-min?",
	Claims: []engine.Claim{
		{
			Text:   "a row less the mean of its others is right on average",
			Source: "Deng and Rafiei 2007", Metric: meanMinBias.Name, Law: meanMinBias.Law,
		},
		{
			Text:   "its variance is (F2 - f^2)/(w - 1)",
			Source: "derived from Deng and Rafiei 2007", Metric: meanMinSquare.Name, Law: meanMinSquare.Law,
		},
		{
			Text:   "the median of rows less their noise is nearer the truth than the minimum of rows",
			Source: "Deng and Rafiei 2007", Metric: meanMinGain.Name, Law: meanMinGain.Law,
		},
	},
	Method: "Zipf streams of 5000 events over 1000 keys in one table of 5 rows. Moments are those of its first row, over all keys, as in countsketch/variance, told to a tenth. " +
		"Errors are the mean of |estimate - f| over the keys that came, in N/w, the excess of one row; a count sketch of as many counters is beside them. " +
		"Where cmm.gain is broken, the stream is skewed or the table wide: N is then mostly a few heavy keys, which miss most counters. What is taken from those, (N - c)/(w - 1), " +
		"is the mean of a noise that they have not, and the median is too low by about as much for every key, where the minimum is nearly exact. " +
		"To cut the answer off at 0 and at the minimum mends a part of that, and makes no row right on average any more.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, w := range engine.Pick(s, []int{55}, []int{272}, []int{2719}) {
			for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 0.75, 1.25, 1.5}, nil) {
				cells = append(cells, meanMinCell(w, newZipfStream(5000, 1000, exponent)))
			}
		}
		return cells
	},
}

func meanMinCell(w int, stream zipfStream) engine.Cell {
	const depth = 5
	return engine.Cell{
		Labels:  record.L("subject", "countmin", "w", w, "d", depth, "zipf", stream.s),
		Metrics: []engine.Metric{meanMinBias, meanMinSquare, meanMinGain, meanMinError, minError, signedError},
		Trials:  1024, Cost: cost("", 3*stream.events+4*stream.ranks, 16*w*depth),
		Run: func(t *engine.T) error {
			hash := hashing.XX(parts(t.Seed, 1))
			f, err := countmin.New(countmin.Params{Width: w, Depth: depth, Hash: hash})
			if err != nil {
				return err
			}
			signed, err := countsketch.New(countsketch.Params{Width: w, Depth: depth, Hash: hash})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			truth := stream.feed(f, keys, t.Seed)
			f2, first := 0.0, f.Row(0)
			for i, count := range truth {
				signed.Add(keys.at(i), int64(count))
				f2 += float64(count) * float64(count)
			}
			var row moments
			var least, median, both float64
			came := 0
			for i, count := range truth {
				key, f0 := keys.at(i), float64(count)
				c := float64(first[f.Index(0, key)])
				row.add(c-(float64(stream.events)-c)/float64(w-1)-f0, countmin.MeanMinVariance(f2, f0, w))
				if count > 0 {
					came++
					least += float64(f.Count(key)) - f0
					median += math.Abs(f.MeanMin(key) - f0)
					both += math.Abs(float64(signed.Count(key)) - f0)
				}
			}
			row.readMean(t, meanMinBias, stats.Between(0, -0.02, 0.02))
			row.readSquare(t, meanMinSquare, stats.Within(1, 0.1))
			unit := float64(stream.events) / float64(w) * float64(came)
			readRatio(t, meanMinGain, median-least, unit, stats.AtMost(0))
			readRatio(t, meanMinError, median, unit, stats.Band{})
			readRatio(t, minError, least, unit, stats.Band{})
			readRatio(t, signedError, both, unit, stats.Band{})
			return nil
		},
	}
}
