package experiments

import (
	"bytes"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/stats"
)

// exactLaw is the law of a set that is never wrong.
const exactLaw = "exact"

// falseNegatives is what no filter may have.
var falseNegatives = engine.Metric{
	Name: sketchproof.MetricFalseNeg, Method: stats.Invariant,
	Law: "no-false-negatives", Source: "Bloom 1970: an added key is always found",
}

// never is what a law allows that speaks of no exception.
var never = stats.AtMost(0)

// ratesOf lists the metrics of a filter's rate: the same counts under every law
// of the subject that speaks about them. One wrong answer breaks the law of an
// exact set, so that is no matter of a rate.
func ratesOf(subject adapters.Filter) []engine.Metric {
	var metrics []engine.Metric
	for _, law := range subject.Laws {
		if law.Metric != sketchproof.MetricFPR {
			continue
		}
		method := stats.Rate
		if law.Name == exactLaw {
			method = stats.Invariant
		}
		metrics = append(metrics, engine.Metric{Name: law.Metric, Method: method, Law: law.Name, Source: law.Source})
	}
	return metrics
}

// readRates reports how many of the absent keys the filter found, when it holds
// n keys, under the same laws.
func readRates(t *engine.T, subject adapters.Filter, f sketchproof.Filter, spec sketchproof.FilterSpec, n int, found, absent int64) {
	metrics := ratesOf(subject)
	for _, law := range subject.Laws {
		if law.Metric == sketchproof.MetricFPR {
			t.Read(metrics[0], found, absent, law.Predict(f, spec, n))
			metrics = metrics[1:]
		}
	}
}

// A bytesFilter is a filter that takes byte strings.
type bytesFilter interface {
	sketchproof.Filter
	sketchproof.BytesFilter
}

// holdingBytes makes a filter of the byte strings number 0 to n-1. A string need
// not outlive the next call of key.
func holdingBytes(subject adapters.Filter, spec sketchproof.FilterSpec, n int, key func(i int) []byte) (bytesFilter, error) {
	f, err := subject.Build(spec)
	if err != nil {
		return nil, err
	}
	adder, ok := f.(sketchproof.BytesAdder)
	if !ok {
		for i := range n {
			spec.ByteKeys = append(spec.ByteKeys, bytes.Clone(key(i)))
		}
		f, err = subject.Build(spec)
		if err != nil {
			return nil, err
		}
		return f.(bytesFilter), nil
	}
	for i := range n {
		if err := adder.AddBytes(key(i)); err != nil {
			return nil, err
		}
	}
	return f.(bytesFilter), nil
}

// isExact reports whether a subject promises never to be wrong.
func isExact(subject adapters.Filter) bool {
	law, ok := subject.LawFor(sketchproof.MetricFPR)
	return ok && law.Name == exactLaw
}

// takesBytes reports whether a subject takes byte strings.
func takesBytes(subject adapters.Filter) bool {
	f, err := subject.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: 0.01})
	_, ok := f.(sketchproof.BytesFilter)
	return err == nil && ok
}
