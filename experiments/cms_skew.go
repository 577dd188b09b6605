package experiments

import (
	"cmp"
	"slices"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	relativeExcess = engine.Metric{Name: "excess/count", Method: stats.Mean}
	skewGap        = engine.Metric{
		Name: "error-of-ten-less-tenth-of-all", Method: stats.Mean,
		Law: "cms.skew", Source: "“Probabilistic Structures”: rare items read badly, heavy ones well; here, at least ten times as well",
	}
	evenExcess = engine.Metric{
		Name: "excess-of-ten-less-all/row-mean", Method: stats.Mean,
		Law: "cms.even", Source: "Cormode and Muthukrishnan 2005, proof of Theorem 1: a row is over by (N - f)/w, whatever the key",
	}
)

var cmsSkew = engine.Experiment{
	Name:     "cms/skew",
	Question: "Do rare keys read badly and heavy ones well?",
	Claims: []engine.Claim{
		{
			Text:   "rare items read badly, heavy ones well",
			Source: "Probabilistic Structures",
			Metric: skewGap.Name, Law: skewGap.Law,
		},
		{
			Text:   "heavy keys are over by no more than others are: their error is small beside their count alone",
			Source: "derived from Cormode and Muthukrishnan 2005",
			Metric: evenExcess.Name, Law: evenExcess.Law,
		},
	},
	Method: "Zipf streams of 20 000 events over 5000 keys and 20 000 words of the King James Bible in a row, in a table of 272 x 5. Keys are ranked by their count in the stream; " +
		"the relative error of a rank is its excess over its count, the mean of as many ranks as its number from it on. The heaviest ten are compared with all keys that came: by relative error, which is to be a tenth at most, and by excess, told to a twentieth of N/w: " +
		"a row gives heavy keys as much as others, but for their own weight.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, rank := range engine.Pick(s, []int{1}, []int{4, 16, 64, 256, 1000}, nil) {
			for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 1.5, 2}, []float64{0.75, 1.25}) {
				cells = append(cells, skewCell(rank, zipfEvents(20000, 5000, exponent), exponent <= 1))
			}
			for _, stream := range engine.Pick(s, nil, []eventStream{wordEvents(20000)}, []eventStream{wordEvents(789684), tokenEvents(500000)}) {
				cells = append(cells, skewCell(rank, stream, true))
			}
		}
		return cells
	},
}

// A counted is a key and how often it came.
type counted struct{ key, count uint64 }

// ranked are the keys of a stream, the most frequent first.
func ranked(events []uint64) []counted {
	truth, _ := truthOf(events, weighing(false, 0))
	list := make([]counted, 0, len(truth))
	for key, count := range truth {
		list = append(list, counted{key, count})
	}
	slices.SortFunc(list, func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.key, b.key))
	})
	return list
}

// skewCell tells excess alone where it is not too rare: in streams of little skew.
func skewCell(rank int, stream eventStream, even bool) engine.Cell {
	metrics, trials := []engine.Metric{relativeExcess}, 256
	if rank == 1 {
		metrics, trials = append(metrics, skewGap), 128
	}
	even = even && rank == 1
	if even {
		metrics = append(metrics, evenExcess)
	}
	labels := append(record.L("subject", "countmin", "rank", rank), stream.labels...)
	return engine.Cell{
		Labels: append(labels, record.L("w", 272, "d", 5)...), Metrics: metrics,
		Trials: trials, Cost: cost("", 8*stream.events, 8*272*5),
		Run: func(t *engine.T) error {
			f, err := countmin.New(countmin.Params{Width: 272, Depth: 5, Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			events := stream.draw(t.Seed)
			if len(events) == 0 {
				return nil // no sources of Go on this machine
			}
			f.AddBatch(events, 1)
			list := ranked(events)
			if rank > len(list) {
				return nil // a rank that this stream has not
			}
			relative, _ := excessOf(f, list[rank-1:min(2*rank-1, len(list))])
			readRatio(t, relativeExcess, relative, 1, stats.Band{})
			if rank == 1 {
				heavy, heavyExcess := excessOf(f, list[:10])
				all, allExcess := excessOf(f, list)
				readRatio(t, skewGap, heavy-all/10, 1, stats.AtMost(0))
				if even {
					readRatio(t, evenExcess, heavyExcess-allExcess, float64(len(events))/272, stats.AtMost(0.05))
				}
			}
			return nil
		},
	}
}

// excessOf is the mean of excess over count, and of excess.
func excessOf(f *countmin.Sketch, keys []counted) (relative, excess float64) {
	for _, k := range keys {
		over := float64(f.Count(k.key) - k.count)
		relative += over / float64(k.count)
		excess += over
	}
	n := float64(len(keys))
	return relative / n, excess / n
}
