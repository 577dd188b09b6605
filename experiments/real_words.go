package experiments

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// The two promises of a count-min sketch.
var (
	wordUnder = engine.Metric{
		Name: "under/word", Method: stats.Invariant,
		Law: "countmin.never-under", Source: "Cormode & Muthukrishnan 2005, Theorem 1",
	}
	wordOver = engine.Metric{
		Name: "over-bound/word", Method: stats.Share,
		Law: "countmin.bound", Source: "Cormode & Muthukrishnan 2005, Theorem 1: over by more than (e/w)N with probability at most e^-d",
	}
)

var realWords = engine.Experiment{
	Name:     "real/words",
	Question: "Do count-min and HyperLogLog keep their promises on the words of a book?",
	Claims: []engine.Claim{
		{
			Text:   "a count is never too low",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures",
			Metric: wordUnder.Name, Law: wordUnder.Law,
		},
		{
			Text:   "a count is too high by more than eps N for a share delta at most",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures",
			Metric: wordOver.Name, Law: wordOver.Law,
		},
		{
			Text:   "the relative error of a distinct count is 1.04 over the root of m",
			Source: "Bloom Filters & Probabilistic Data Structures; Probabilistic Structures; Bloom Filters and HyperLogLog in Practice",
			Metric: sketchproof.MetricSpread,
		},
		{
			Text:   "a distinct count is not biased",
			Source: "Flajolet, Fusy, Gandouet, Meunier 2007",
			Metric: sketchproof.MetricBias,
		},
	},
	Method: "The stream is the King James Bible, word by word, or its beginning; a map counts the truth. Every word begins with eight " +
		"bytes that belong to the trial: they take the place of a seed, which not every hash has. Distinct counts get a random half of the " +
		"12 762 distinct words: repeats change nothing.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		type table struct{ words, w, d, trials int }
		// No share below 20/trials can be shown: e^-3 takes 512 trials, e^-2 takes 256.
		for _, p := range engine.Pick(s, []table{{10000, 272, 3, 512}}, []table{{100000, 272, 2, 256}, {789684, 2719, 5, 4}}, []table{{789684, 272, 2, 256}}) {
			for _, subject := range adapters.Frequencies {
				if takesTexts(subject) {
					cells = append(cells, wordsCountCell(subject, p.words, p.w, p.d, p.trials))
				}
			}
		}
		for _, p := range engine.Pick(s, nil, []int{7}, []int{8}) {
			for _, c := range hyperLogLogs() {
				cells = append(cells, wordsDistinctCell(c.subject, p))
			}
		}
		return cells
	},
}

// takesTexts reports whether a frequency subject takes byte strings.
func takesTexts(subject adapters.Frequency) bool {
	f, err := subject.Build(sketchproof.FrequencySpec{Width: 1, Depth: 1})
	_, ok := f.(sketchproof.BytesFrequency)
	return err == nil && ok
}

// wordsCountCell counts the first words of the book. Too few trials to show a
// share of e^-d leave that law out.
func wordsCountCell(subject adapters.Frequency, words, w, d, trials int) engine.Cell {
	metrics := []engine.Metric{wordUnder}
	if delta := countmin.Delta(d); 20/float64(trials) < delta {
		metrics = append(metrics, wordOver)
	}
	truth := sync.OnceValue(func() map[string]uint64 { return countWords(words) })
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "words", words, "w", w, "d", d),
		Module:  adapters.At(subject.Module),
		Metrics: metrics,
		Trials:  trials,
		Cost:    cost(subject.Module, words, 8*w*d),
		Run: func(t *engine.T) error {
			f, err := subject.Build(sketchproof.FrequencySpec{Width: w, Depth: d})
			if err != nil {
				return err
			}
			counts, key := f.(sketchproof.BytesFrequency), newSalt(parts(t.Seed, 2))
			stream := data.KJVWords()[:words]
			for _, word := range stream {
				counts.AddBytes(key.of(word), 1)
			}
			var under, over, asked int64
			bound := uint64(countmin.Epsilon(w) * float64(len(stream)))
			for word, occurs := range truth() {
				count := counts.CountBytes(key.of(word))
				switch {
				case count < occurs:
					under++
				case count-occurs > bound:
					over++
				}
				asked++
			}
			t.Read(wordUnder, under, asked, never)
			if len(metrics) > 1 {
				t.Read(wordOver, over, asked, stats.AtMost(countmin.Delta(d)))
			}
			return nil
		},
	}
}

// countWords counts the first words of the book.
func countWords(words int) map[string]uint64 {
	counts := map[string]uint64{}
	for _, word := range data.KJVWords()[:words] {
		counts[word]++
	}
	return counts
}

// distinctWords lists every word of the book once, in the order of the book.
var distinctWords = sync.OnceValue(func() []string {
	var list []string
	seen := map[string]bool{}
	for _, word := range data.KJVWords() {
		if !seen[word] {
			seen[word] = true
			list = append(list, strings.Clone(word)) // side by side, not all over the book
		}
	}
	return list
})

func wordsDistinctCell(subject adapters.Cardinality, p int) engine.Cell {
	var metrics []engine.Metric
	for _, law := range subject.Laws {
		metric := engine.Metric{Name: law.Metric, Method: stats.Mean, Law: law.Name, Source: law.Source}
		if law.Metric == sketchproof.MetricSpread {
			metric.Method = stats.Spread
		}
		metrics = append(metrics, metric)
	}
	return engine.Cell{
		Labels:  record.L("subject", subject.Name, "p", p, "words", "half-of-12762"),
		Module:  adapters.At(subject.Module),
		Metrics: metrics,
		// A spread to 5 % takes z^2/(2 * 0.05^2) = 7000 trials at z = 6.
		Trials: 16384,
		Cost:   cost(subject.Module, 6381, 1<<p),
		Run: func(t *engine.T) error {
			spec := sketchproof.CardinalitySpec{Precision: p}
			c, err := subject.Build(spec)
			if err != nil {
				return err
			}
			texts, ok := c.(sketchproof.BytesCardinality)
			if !ok {
				return fmt.Errorf("%s takes no byte strings", subject.Name)
			}
			seed, key, n := parts(t.Seed, 0), newSalt(parts(t.Seed, 2)), 0
			for i, word := range distinctWords() {
				if drawn(seed, i, 2) {
					texts.AddBytes(key.of(word))
					n++
				}
			}
			const scale = 1e6 // readings are whole numbers
			off := int64(math.Round(scale * (c.Estimate() - float64(n))))
			for i, law := range subject.Laws {
				t.Read(metrics[i], off, scale*int64(n), law.Predict(c, spec, n))
			}
			return nil
		},
	}
}
