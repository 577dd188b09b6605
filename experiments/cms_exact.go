package experiments

import (
	"bytes"
	"math/rand/v2"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What holds of every single answer.
var (
	notTotal = engine.Metric{
		Name: "other-than-total/key", Method: stats.Invariant,
		Law: "cms.width-one", Source: "definition: with one column every event is in every key's counter",
	}
	outOfOrder = engine.Metric{
		Name: "out-of-order/key", Method: stats.Invariant,
		Law: "cms.conservative", Source: "Estan and Varghese 2002: truth <= conservative <= plain",
	}
	conservativeExcess = engine.Metric{Name: "conservative-excess/plain-excess", Method: stats.Mean}
	otherTable         = engine.Metric{
		Name: "other-tables/merge", Method: stats.Invariant,
		Law: "cms.merge", Source: "Cormode and Muthukrishnan 2005, section 3: the sketch is linear",
	}
	changedTable = engine.Metric{
		Name: "changed-sources/merge", Method: stats.Invariant,
		Law: "cms.merge-source", Source: "a merge reads its source",
	}
)

var cmsWidthOne = engine.Experiment{
	Name:     "cms/width-one",
	Question: "Does a table of one column answer N for every key?",
	Claims: []engine.Claim{{
		Text: "with one cell everything collides and every estimate is the whole stream", Source: "Probabilistic Structures",
		Metric: notTotal.Name, Law: notTotal.Law,
	}},
	Method: "Keys that came and keys that did not, with plain and conservative update.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Frequencies {
			if subject.Name == "exact-counter" {
				continue // it has no width
			}
			for _, d := range engine.Pick(s, []int{1}, []int{5}, nil) {
				cells = append(cells, widthOneCell(subject, d, newZipfStream(1000, 100, 1)))
			}
		}
		return cells
	},
}

func widthOneCell(subject adapters.Frequency, d int, stream zipfStream) engine.Cell {
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "w", 1, "d", d), Module: adapters.At(subject.Module),
		Metrics: []engine.Metric{notTotal},
		Trials:  32, // one counterexample is enough
		Cost:    cost(subject.Module, 2*stream.events, 8*d),
		Run: func(t *engine.T) error {
			f, err := subject.Build(sketchproof.FrequencySpec{Width: 1, Depth: d, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			stream.feed(f, keys, t.Seed)
			asked := 2 * stream.ranks // the second half never came
			var other int64
			for i := range asked {
				other += one(f.Count(keys.at(i)) != uint64(stream.events))
			}
			t.Read(notTotal, other, int64(asked), never)
			return nil
		},
	}
}

var cmsConservative = engine.Experiment{
	Name:     "cms/conservative",
	Question: "Does conservative update lie between the truth and the plain sketch, key by key?",
	Claims: []engine.Claim{{
		Text: "truth <= conservative update <= count-min, always", Source: "Estan and Varghese 2002",
		Metric: outOfOrder.Name, Law: outOfOrder.Law,
	}},
	Method: "Two tables with the same hash function take the same stream; every key is compared, those that never came too. " +
		"What is left of the plain sketch's excess is reported beside it.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 1.5, 2}, nil) {
			for _, table := range engine.Pick(s, []cmsTable{{55, 5}}, []cmsTable{{272, 5}, {16, 2}}, nil) {
				cells = append(cells, conservativeCell(table, newZipfStream(20000, 2000, exponent)))
			}
		}
		return cells
	},
}

func conservativeCell(table cmsTable, stream zipfStream) engine.Cell {
	return engine.Cell{
		Labels:  record.L("subject", "countmin-conservative", "w", table.w, "d", table.d, "zipf", stream.s),
		Metrics: []engine.Metric{outOfOrder, conservativeExcess},
		Trials:  32, // 64 000 keys in all; one counterexample is enough
		Cost:    cost("", 6*stream.events, 16*table.w*table.d),
		Run: func(t *engine.T) error {
			params := countmin.Params{Width: table.w, Depth: table.d, Hash: hashing.XX(parts(t.Seed, 1))}
			plain, err := countmin.New(params)
			if err != nil {
				return err
			}
			params.Conservative = true
			careful, err := countmin.New(params)
			if err != nil {
				return err
			}
			keys := keys(parts(t.Seed, 0))
			truth := stream.feed(plain, keys, t.Seed)
			stream.feed(careful, keys, t.Seed)
			var bad, less, more int64
			for i, count := range truth {
				low, high := careful.Count(keys.at(i)), plain.Count(keys.at(i))
				bad += one(low < count || high < low)
				less += int64(low - count)
				more += int64(high - count)
			}
			t.Read(outOfOrder, bad, int64(len(truth)), never)
			t.Read(conservativeExcess, less, max(more, 1), stats.Band{})
			return nil
		},
	}
}

var cmsMerge = engine.Experiment{
	Name:     "cms/merge",
	Question: "Is the sum of two tables the sketch of the joined stream?",
	Claims: []engine.Claim{
		{Text: "adding tables is the sketch of the joined streams, to the byte", Source: "Cormode and Muthukrishnan 2005", Metric: otherTable.Name, Law: otherTable.Law},
		{Text: "a merge leaves its source as it was", Source: "the contract of every structure here", Metric: changedTable.Name, Law: changedTable.Law},
	},
	Method: "Events are dealt to 1 to 8 sketches at random; these are added in random order and compared with one sketch that saw the stream, " +
		"by their encoded bytes. Conservative update depends on the order of events and cannot be merged: it is not tried.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Frequencies {
			if subject.Merge == nil || subject.Encode == nil {
				continue
			}
			for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 2}, nil) {
				for _, table := range engine.Pick(s, []cmsTable{{55, 5}}, []cmsTable{{1, 1}, {2719, 7}}, nil) {
					cells = append(cells, cmsMergeCell(subject, table, newZipfStream(10000, 2000, exponent)))
				}
			}
		}
		return cells
	},
}

func cmsMergeCell(subject adapters.Frequency, table cmsTable, stream zipfStream) engine.Cell {
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "w", table.w, "d", table.d, "zipf", stream.s), Module: adapters.At(subject.Module),
		Metrics: []engine.Metric{otherTable, changedTable},
		Trials:  32, // each another partition; one counterexample is enough
		Cost:    cost(subject.Module, 3*stream.events, 10*8*table.w*table.d),
		Run: func(t *engine.T) error {
			r := rand.New(rand.NewPCG(parts(t.Seed, 2), 0))
			sketches := make([]sketchproof.Frequency, 3+r.IntN(8)) // the whole, the sum, the parts
			for i := range sketches {
				var err error
				spec := sketchproof.FrequencySpec{Width: table.w, Depth: table.d, Seed: parts(t.Seed, 1)}
				if sketches[i], err = subject.Build(spec); err != nil {
					return err
				}
			}
			whole, sum, dealt := sketches[0], sketches[1], sketches[2:]
			keys := keys(parts(t.Seed, 0))
			ranks, _ := stream.source().stream(draws(t.Seed), stream.events)
			for _, rank := range ranks {
				whole.Add(keys.at(rank), 1)
				dealt[r.IntN(len(dealt))].Add(keys.at(rank), 1)
			}
			return readTableMerge(t, subject, whole, sum, dealt, r.Perm(len(dealt)))
		},
	}
}

// readTableMerge adds the parts to the sum, in an order, and compares with the
// whole.
func readTableMerge(t *engine.T, subject adapters.Frequency, whole, sum sketchproof.Frequency, dealt []sketchproof.Frequency, order []int) error {
	var changed int64
	for _, i := range order {
		before, err := subject.Encode(dealt[i])
		if err != nil {
			return err
		}
		if err := subject.Merge(sum, dealt[i]); err != nil {
			return err
		}
		after, err := subject.Encode(dealt[i])
		if err != nil {
			return err
		}
		changed += one(!bytes.Equal(before, after))
	}
	want, err := subject.Encode(whole)
	if err != nil {
		return err
	}
	got, err := subject.Encode(sum)
	if err != nil {
		return err
	}
	t.Read(otherTable, one(!bytes.Equal(want, got)), 1, never)
	t.Read(changedTable, changed, int64(len(dealt)), never)
	return nil
}
