package experiments

import (
	"slices"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/topk"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	otherValue = engine.Metric{
		Name: "other-values/key", Method: stats.Invariant,
		Law: "topk.isomorphism", Source: "Agarwal et al. 2012, Lemma 2: k-1 counters of Misra-Gries are k of Space-Saving less the least",
	}
	otherMerged = engine.Metric{
		Name: "other-values-merged/key", Method: stats.Invariant,
		Law: "topk.isomorphism-merged", Source: "Agarwal et al. 2012, section 3: of merged ones too",
	}
	overMerged = engine.Metric{
		Name: "over-merged-bound/key", Method: stats.Invariant,
		Law: "topk.merged-error", Source: "Agarwal et al. 2012, Theorem 1: merged, an error is at most (N - sum)/(k+1) again",
	}
	loweredOver = engine.Metric{
		Name: "lowered-over-bound/stream", Method: stats.Invariant,
		Law: "topk.lowered", Source: "Misra and Gries 1982: lowering k counters by one takes k+1 of the stream",
	}
)

var topkMisraGries = engine.Experiment{
	Name:     "topk/misra-gries",
	Question: "Do Misra-Gries and Space-Saving know the same, and does merging keep their bounds?",
	Claims: []engine.Claim{
		{
			Text:   "k-1 counters of Misra-Gries hold what k of Space-Saving hold, less its smallest, to the last digit",
			Source: "Agarwal et al. 2012", Metric: otherValue.Name, Law: otherValue.Law,
		},
		{
			Text:   "the same is true of what was merged",
			Source: "Agarwal et al. 2012", Metric: otherMerged.Name, Law: otherMerged.Law,
		},
		{
			Text:   "counters were lowered by (N - sum)/(k+1) at most, sum what they hold",
			Source: "Misra and Gries 1982", Metric: loweredOver.Name, Law: loweredOver.Law,
		},
		{
			Text:   "merging any number of summaries in any order keeps that bound",
			Source: "Agarwal et al. 2012", Metric: overMerged.Name, Law: overMerged.Law,
		},
	},
	Method: "Both take the same stream, whole and dealt to 2 to 8 of each kind that are merged one after the other; every key of the stream is asked " +
		"for, and the smallest counter compared with how much all were lowered. Streams are those of topk/space-saving.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, k := range engine.Pick(s, []int{100}, []int{2, 1000}, nil) {
			for _, exponent := range engine.Pick(s, []float64{1}, []float64{0.5, 1.5, 2}, nil) {
				cells = append(cells, misraGriesCell(k, zipfEvents(20000, 5000, exponent), false))
			}
			for _, exponent := range engine.Pick(s, nil, []float64{1}, []float64{0.5, 2}) {
				cells = append(cells, misraGriesCell(k, zipfEvents(20000, 5000, exponent), true))
			}
		}
		for _, stream := range engine.Pick(s, nil, []eventStream{wordEvents(50000)}, []eventStream{wordEvents(789684), tokenEvents(500000)}) {
			cells = append(cells, misraGriesCell(100, stream, false))
		}
		return cells
	},
}

func misraGriesCell(k int, stream eventStream, weighted bool) engine.Cell {
	labels := append(record.L("subject", "misra-gries"), stream.labels...)
	return engine.Cell{
		Labels: append(labels, record.L("k", k, "weights", map[bool]string{false: "unit", true: "1-100"}[weighted])...),
		Module: adapters.At(""), Metrics: []engine.Metric{otherValue, loweredOver, otherMerged, overMerged},
		Trials: 32, // as many streams; one counterexample is enough
		Cost:   cost("", 12*stream.events, 400*k),
		Run: func(t *engine.T) error {
			events, weight := stream.draw(t.Seed), weighing(weighted, t.Seed)
			if len(events) == 0 {
				return nil // no sources of Go on this machine
			}
			truth, total := truthOf(events, weight)
			shares := 2 + int(parts(t.Seed, 2)%7)
			deal := keys(parts(t.Seed, 5))
			whole, err := newPairOfSummaries(k, t.Seed)
			if err != nil {
				return err
			}
			dealt := make([]pairOfSummaries, shares)
			for i := range dealt {
				if dealt[i], err = newPairOfSummaries(k, t.Seed); err != nil {
					return err
				}
			}
			for i, key := range events {
				whole.add(key, weight(i))
				dealt[deal.at(i)%uint64(shares)].add(key, weight(i))
			}
			t.Read(otherValue, whole.differences(truth), int64(len(truth)), never)
			t.Read(loweredOver, one(whole.errors(truth, total) > 0), 1, never)
			sum := dealt[0]
			for _, other := range slices.Backward(dealt[1:]) {
				if err := sum.merge(other); err != nil {
					return err
				}
			}
			t.Read(otherMerged, sum.differences(truth), int64(len(truth)), never)
			t.Read(overMerged, sum.errors(truth, total), int64(len(truth)), never)
			return nil
		},
	}
}

// A pairOfSummaries is k-1 counters of Misra-Gries and k of Space-Saving.
type pairOfSummaries struct {
	mg *topk.MisraGries
	ss *topk.SpaceSaving
}

func newPairOfSummaries(k int, seed uint64) (p pairOfSummaries, err error) {
	hash := hashing.XX(parts(seed, 1))
	if p.mg, err = topk.NewMisraGries(topk.Params{K: k - 1, Hash: hash}); err != nil {
		return p, err
	}
	p.ss, err = topk.NewSpaceSaving(topk.Params{K: k, Hash: hash})
	return p, err
}

func (p pairOfSummaries) add(key, weight uint64) {
	p.mg.Add(key, weight)
	p.ss.Add(key, weight)
}

func (p pairOfSummaries) merge(other pairOfSummaries) error {
	if err := p.mg.Merge(other.mg); err != nil {
		return err
	}
	return p.ss.Merge(other.ss)
}

// differences counts the keys of which the two say different things.
func (p pairOfSummaries) differences(truth map[uint64]uint64) (n int64) {
	if p.ss.Least() != p.mg.Lowered() {
		n++
	}
	for key := range truth {
		h := p.mg.Count(key)
		n += one(h.Count-h.Over != p.ss.Count(key).Count-p.ss.Least())
	}
	return min(n, int64(len(truth)))
}

// errors counts the keys that weigh other than Misra-Gries allows: its value to
// (N - sum)/(k+1) more.
func (p pairOfSummaries) errors(truth map[uint64]uint64, total uint64) (n int64) {
	sum := uint64(0)
	for _, h := range p.mg.Top(p.mg.K()) {
		sum += h.Count - h.Over
	}
	most := (total - sum) / uint64(p.mg.K()+1)
	for key, f := range truth {
		h := p.mg.Count(key)
		n += one(f < h.Count-h.Over || f > h.Count || f-(h.Count-h.Over) > most || p.mg.Lowered() > most)
	}
	return n
}
