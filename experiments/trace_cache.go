package experiments

import (
	"sync"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/tinylfu"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	exactHits  = engine.Metric{Name: "hits-by-exact-counts/request", Method: stats.Mean}
	lruWrites  = engine.Metric{Name: "lru-writes/request", Method: stats.Mean}
	seenWrites = engine.Metric{Name: "writes/request", Method: stats.Mean}
	seenEntry  = engine.Metric{
		Name: "one-hit-keys-cached/one-hit-key", Method: stats.Rate,
		Law: "one-hit.kept-out", Source: "Maggs and Sitaraman 2015, section 2; Bloom 1970: a key that comes once gets in by a false positive alone",
	}
	seenSaving = engine.Metric{
		Name: "writes-less-lru-writes/request", Method: stats.Mean,
		Law: "one-hit.writes", Source: "Maggs and Sitaraman 2015, section 2: caching on the second request saves writes",
	}
	seenGain = engine.Metric{
		Name: "misses-less-lru-misses/request", Method: stats.Mean,
		Law: "one-hit.hits", Source: "Maggs and Sitaraman 2015, section 2: and raises the hit rate",
	}
)

func (t trace) cache() engine.Experiment {
	return engine.Experiment{
		Name:     "trace/cache",
		Question: "What do TinyLFU's counters and doorkeeper gain on a trace of real requests?",
		Claims:   tinyLFUBloom.Claims,
		Method: "As tinylfu/bloom, on the requests of the trace: an LRU cache, alone and with admission by TinyLFU, whose sample is ten times the cache; the first tenth of the requests is not counted. " +
			"Memory is bits for each place of the cache: all in counters of 4 bits, or a half of it in a doorkeeper of three probes. " +
			"Admission by exact counts, halved when TinyLFU's are, is what its counters stand for. The trace is the same in every trial, the hash is not. " +
			"Requests that come in bursts break the law of admission, as words do: LRU has a key at its second request, TinyLFU once its count is above that of a key which is held.",
		Plan: func(s engine.Scale) []engine.Cell {
			type point struct{ places, bits int }
			var cells []engine.Cell
			for _, p := range engine.Pick(s, []point{{1000, 16}}, []point{{1000, 4}, {1000, 64}, {5000, 4}, {5000, 16}, {5000, 64}},
				[]point{{1000, 8}, {1000, 32}, {2000, 16}, {5000, 8}, {5000, 32}, {10000, 16}, {20000, 16}}) {
				for _, door := range []bool{false, true} {
					cells = append(cells, t.cacheCell(p.places, p.bits, door, p.bits == 16))
				}
			}
			return cells
		},
	}
}

// cacheCell reads hits, which no hash changes much. Laws take more trials: Mean tells
// no skewness from a few.
func (t trace) cacheCell(places, bits int, door, judged bool) engine.Cell {
	subject, metrics, runs, trials := "tinylfu", []engine.Metric{lfuHits, lruHits, exactHits}, 1, 8
	if door {
		subject = "tinylfu-doorkeeper"
	}
	if judged {
		metrics, trials = append(metrics, lfuGain), 128
	}
	beside := judged && door // the same counters without the doorkeeper
	if beside {
		metrics, runs = append(metrics, doorGain), 2
	}
	alone := sync.OnceValue(func() [2]cacheRun { // what no hash changes
		r, _ := t.requests() // an error is a trial's
		return [2]cacheRun{r.cached(places, all{}), r.cached(places, newExactCounts(len(r.Keys), places))}
	})
	return engine.Cell{
		Labels: t.labels(subject, "places", places, "bits", bits), Metrics: metrics,
		Trials: trials, Cost: t.cost("", 4*runs, 20*places),
		Run: t.run(func(et *engine.T, r *Requests) error {
			hash := hashing.XX(parts(et.Seed, 1))
			sketched := func(door bool) (cacheRun, error) {
				sketch, err := tinylfu.New(lfuParams(places, bits, door, hash))
				if err != nil {
					return cacheRun{}, err
				}
				return r.cached(places, lfuCounts{sketch, r.Keys}), nil
			}
			run, err := sketched(door)
			if err != nil {
				return err
			}
			if beside {
				plain, err := sketched(false)
				if err != nil {
					return err
				}
				et.Read(doorGain, plain.hits-run.hits, run.counted, stats.AtMost(0.005))
			}
			lru, exact := alone()[0], alone()[1]
			et.Read(lfuHits, run.hits, run.counted, stats.Band{})
			et.Read(lruHits, lru.hits, lru.counted, stats.Band{})
			et.Read(exactHits, exact.hits, exact.counted, stats.Band{})
			if judged {
				et.Read(lfuGain, lru.hits-run.hits, run.counted, stats.AtMost(0))
			}
			return nil
		}),
	}
}

func (t trace) oneHitWonders() engine.Experiment {
	return engine.Experiment{
		Name:     "bloom/one-hit-wonders",
		Question: "What does a cache save that takes a key on its second request, by a Bloom filter?",
		Claims: []engine.Claim{
			{
				Text:   "cached on the second request only, a key that comes once never enters: but for a share of false positives",
				Source: "all five documents; Maggs and Sitaraman 2015",
				Metric: seenEntry.Name, Law: seenEntry.Law,
			},
			{Text: "writes to the cache are saved", Source: "Maggs and Sitaraman 2015", Metric: seenSaving.Name, Law: seenSaving.Law},
			{Text: "the hit rate rises", Source: "Maggs and Sitaraman 2015", Metric: seenGain.Name, Law: seenGain.Law},
		},
		Method: "An LRU cache on the requests of the trace takes in a key only if a Bloom filter has seen it before. The filter is sized for the trace's distinct keys and never cleared. " +
			"A key that comes once and yet is cached met a false positive: no more often than in the full filter. Hits and writes are counted after the first tenth of the requests; " +
			"keys that come back soon lose their second request by it, which breaks the law of hits where few keys come but once.",
		Plan: func(s engine.Scale) []engine.Cell {
			type point struct {
				places int
				eps    float64
			}
			var cells []engine.Cell
			for _, p := range engine.Pick(s, []point{{1000, 0.01}}, []point{{5000, 0.01}}, []point{{20000, 0.01}, {5000, 0.1}, {5000, 0.001}, {100000, 0.01}}) {
				cells = append(cells, t.oneHitCell(p.places, p.eps))
			}
			return cells
		},
	}
}

func (t trace) oneHitCell(places int, eps float64) engine.Cell {
	type truth struct {
		lru  cacheRun
		once int64 // keys that come once
		rate func(f *bloom.Filter) float64
	}
	known := sync.OnceValue(func() truth {
		r, _ := t.requests() // an error is a trial's
		var once int64
		for _, c := range r.counts() {
			once += one(c == 1)
		}
		var full float64
		var first sync.Once
		return truth{r.cached(places, all{}), once, func(f *bloom.Filter) float64 {
			first.Do(func() { full = bloom.FPRFinite(f.M(), f.K(), uint64(len(r.Keys))) })
			return full
		}}
	})
	return engine.Cell{
		Labels:  t.labels("bloom", "places", places, "eps", eps),
		Metrics: []engine.Metric{lfuHits, lruHits, seenWrites, lruWrites, seenEntry, seenSaving, seenGain},
		Trials:  128, Cost: t.cost("", 3, 20*places),
		Run: t.run(func(et *engine.T, r *Requests) error {
			filter, err := bloom.ForRate(uint64(len(r.Keys)), eps, bloom.Ceil, hashing.XX(parts(et.Seed, 1)))
			if err != nil {
				return err
			}
			k := known()
			second := &seenBefore{filter: filter, requests: r}
			run := r.cached(places, second)
			et.Read(lfuHits, run.hits, run.counted, stats.Band{})
			et.Read(lruHits, k.lru.hits, k.lru.counted, stats.Band{})
			et.Read(seenWrites, run.writes, run.counted, stats.Band{})
			et.Read(lruWrites, k.lru.writes, k.lru.counted, stats.Band{})
			et.Read(seenEntry, second.once, k.once, stats.AtMost(k.rate(filter)))
			et.Read(seenSaving, run.writes-k.lru.writes, run.counted, stats.AtMost(0))
			et.Read(seenGain, k.lru.hits-run.hits, run.counted, stats.AtMost(0))
			return nil
		}),
	}
}
