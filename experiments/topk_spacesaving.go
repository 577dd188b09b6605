package experiments

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/topk"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// What holds of every stream, of every structure and of Space-Saving.
var (
	outOfBounds = engine.Metric{
		Name: "out-of-bounds/listed", Method: stats.Invariant,
		Law: "topk.bounds", Source: "the contract of a listed key: Count - Over <= f <= Count",
	}
	missedTop = engine.Metric{Name: "missed/top-ten", Method: stats.Rate}
	otherSum  = engine.Metric{
		Name: "other-sums/stream", Method: stats.Invariant,
		Law: "topk.sum", Source: "Metwally, Agrawal, El Abbadi 2005, Lemma 3.1: the counters add up to N",
	}
	leastOver = engine.Metric{
		Name: "least-over-share/stream", Method: stats.Invariant,
		Law: "topk.least", Source: "Metwally, Agrawal, El Abbadi 2005, Lemma 3.3: the least counter is at most N/k",
	}
	overLeast = engine.Metric{
		Name: "over-least/key", Method: stats.Invariant,
		Law: "topk.error", Source: "Metwally, Agrawal, El Abbadi 2005, Lemma 3.4: 0 <= count - f <= least counter",
	}
	lostHeavy = engine.Metric{
		Name: "lost-heavy/key", Method: stats.Invariant,
		Law: "topk.kept", Source: "Metwally, Agrawal, El Abbadi 2005, Theorem 3.5: whoever weighs more than the least counter is held",
	}
	leastShare = engine.Metric{Name: "least-counter/bound", Method: stats.Mean}
)

var topkSpaceSaving = engine.Experiment{
	Name:     "topk/space-saving",
	Question: "Do k counters keep every key above N/k, and by how much is a count over?",
	Claims: []engine.Claim{
		{
			Text:   "the counters add up to N",
			Source: "Metwally, Agrawal, El Abbadi 2005", Metric: otherSum.Name, Law: otherSum.Law,
		},
		{
			Text:   "the smallest counter, which bounds every error, is at most N/k",
			Source: "Metwally, Agrawal, El Abbadi 2005", Metric: leastOver.Name, Law: leastOver.Law,
		},
		{
			Text:   "no count is below the truth, and none above it by more than the smallest counter",
			Source: "Metwally, Agrawal, El Abbadi 2005", Metric: overLeast.Name, Law: overLeast.Law,
		},
		{
			Text:   "every key above N/k has a counter",
			Source: "Bloom Filters & Probabilistic Data Structures (its table: error at most N/k)",
			Metric: lostHeavy.Name, Law: lostHeavy.Law,
		},
		{
			Text:   "a listed key weighs from Count - Over to Count",
			Source: "the contract of every structure here", Metric: outOfBounds.Name, Law: outOfBounds.Law,
		},
	},
	Method: "Zipf streams of 20 000 events over 5000 keys, with weights of 1 and of 1 to 100, and 50 000 words of the King James Bible in a row, " +
		"from a place that each trial draws; at full scale also the tokens of the Go library's sources, where they are installed (the cell reads nothing where they are not, " +
		"and other versions of Go have other tokens). A map counts the truth; all keys of the stream are asked for, those " +
		"without a counter too. Beside it, judged by no law: the smallest counter as a share of N/k, and how many of the ten heaviest keys are not among the first ten listed. " +
		"At exponents below 1 the ten heaviest are not much above N/k, and Space-Saving, whose counters there are mostly what it took over, lists others in their place: no bound is broken by that. " +
		"The count-min sketch has four rows of two counters a key, 64 bytes beside the list; it keeps the estimates of keys that it does not list, and finds more of the ten on flat streams, but promises none.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.TopKs {
			for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 0.75, 1.25, 1.5, 2}, nil) {
				cells = append(cells, topkCell(subject, 100, zipfEvents(20000, 5000, exponent), false))
			}
			for _, exponent := range engine.Pick(s, nil, []float64{1}, []float64{0.5, 2}) {
				cells = append(cells, topkCell(subject, 100, zipfEvents(20000, 5000, exponent), true))
			}
			for _, k := range engine.Pick(s, nil, []int{10, 1000}, nil) {
				cells = append(cells, topkCell(subject, k, zipfEvents(20000, 5000, 1), false))
			}
			for _, stream := range engine.Pick(s, nil, []eventStream{wordEvents(50000)}, []eventStream{wordEvents(789684), tokenEvents(500000)}) {
				cells = append(cells, topkCell(subject, 100, stream, false))
			}
		}
		return cells
	},
}

// topkMetrics are those that a subject's structures can be judged by.
func topkMetrics(subject adapters.TopK) []engine.Metric {
	metrics := []engine.Metric{outOfBounds, missedTop}
	if top, err := subject.Build(sketchproof.TopKSpec{K: 1}); err == nil {
		if _, ok := top.(*topk.SpaceSaving); ok {
			metrics = append(metrics, otherSum, leastOver, overLeast, lostHeavy, leastShare)
		}
	}
	return metrics
}

func topkCell(subject adapters.TopK, k int, stream eventStream, weighted bool) engine.Cell {
	labels := append(record.L("subject", subject.Name), stream.labels...)
	return engine.Cell{
		Labels: append(labels, record.L("k", k, "weights", map[bool]string{false: "unit", true: "1-100"}[weighted])...),
		Module: adapters.At(subject.Module), Metrics: topkMetrics(subject),
		Trials: 32, // as many streams; one counterexample is enough
		Cost:   cost(subject.Module, 6*stream.events, 100*k),
		Run: func(t *engine.T) error {
			top, err := subject.Build(sketchproof.TopKSpec{K: k, Seed: parts(t.Seed, 1)})
			if err != nil {
				return err
			}
			events, weight := stream.draw(t.Seed), weighing(weighted, t.Seed)
			if len(events) == 0 {
				return nil // no sources of Go on this machine
			}
			for i, key := range events {
				top.Add(key, weight(i))
			}
			truth, total := truthOf(events, weight)
			readListed(t, top, k, truth)
			if s, ok := top.(*topk.SpaceSaving); ok {
				readSpaceSaving(t, s, truth, total)
			}
			return nil
		},
	}
}

// readListed judges every key that is listed, and looks for the ten heaviest.
func readListed(t *engine.T, top sketchproof.TopK, k int, truth map[uint64]uint64) {
	var out int64
	list := top.Top(k)
	listed := map[uint64]bool{}
	for i, h := range list {
		f := truth[h.Key]
		out += one(f > h.Count || h.Over > h.Count || f < h.Count-h.Over || listed[h.Key])
		if i < 10 {
			listed[h.Key] = true
		}
	}
	t.Read(outOfBounds, out, int64(len(list)), never)
	missed := int64(10)
	for _, key := range heaviest(truth, 10) {
		missed -= one(listed[key])
	}
	t.Read(missedTop, missed, 10, stats.Band{})
}

// heaviest are the n keys of most weight, of equal ones the smaller.
func heaviest(truth map[uint64]uint64, n int) []uint64 {
	all := slices.SortedFunc(maps.Keys(truth), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(truth[b], truth[a]), cmp.Compare(a, b))
	})
	return all[:min(n, len(all))]
}

func readSpaceSaving(t *engine.T, s *topk.SpaceSaving, truth map[uint64]uint64, total uint64) {
	sum, k := uint64(0), uint64(s.K())
	for _, h := range s.Top(s.K()) {
		sum += h.Count
	}
	var over, lost int64
	for key, f := range truth {
		count := s.Count(key).Count
		over += one(count < f || s.Held(key) && count-f > s.Least())
		lost += one(f > total/k && !s.Held(key))
	}
	t.Read(otherSum, one(sum != total || s.Total() != total), 1, never)
	t.Read(leastOver, one(s.Least() > total/k), 1, never)
	t.Read(overLeast, over, int64(len(truth)), never)
	t.Read(lostHeavy, lost, int64(len(truth)), never)
	t.Read(leastShare, int64(s.Least()*k), int64(total), stats.Band{})
}
