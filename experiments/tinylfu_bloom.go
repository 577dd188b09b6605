package experiments

import (
	"container/list"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/tinylfu"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var (
	lfuHits = engine.Metric{Name: "hits/request", Method: stats.Mean}
	lruHits = engine.Metric{Name: "lru-hits/request", Method: stats.Mean}
	lfuGain = engine.Metric{
		Name: "misses-less-lru-misses/request", Method: stats.Mean,
		Law: "tinylfu.admission", Source: "Einziger, Friedman, Manes 2017, section 5: admission by frequency lowers the misses of a cache",
	}
	doorGain = engine.Metric{
		Name: "misses-less-those-without-doorkeeper/request", Method: stats.Mean,
		Law: "tinylfu.doorkeeper", Source: "Einziger, Friedman, Manes 2017, section 3.4: a doorkeeper saves memory at equal hits",
	}
)

// lfuPlaces is the size of the caches, and lfuSample that of the sample beside it.
const (
	lfuPlaces = 100
	lfuSample = 10
)

var tinyLFUBloom = engine.Experiment{
	Name:     "tinylfu/bloom",
	Question: "What does a Bloom filter in front of TinyLFU's counters gain at equal memory?",
	Claims: []engine.Claim{
		{
			Text:   "a cache that admits by TinyLFU misses no more than plain LRU",
			Source: "Einziger, Friedman, Manes 2017",
			Metric: lfuGain.Name, Law: lfuGain.Law,
		},
		{
			Text:   "TinyLFU and a Bloom filter can be joined in a principled way (asked there, not claimed): with a doorkeeper in a part of the memory, misses are no more than with all of it in counters, give or take half a request in a hundred",
			Source: "Bloom Filter vs. Cuckoo Filter, section 11; Einziger, Friedman, Manes 2017",
			Metric: doorGain.Name, Law: doorGain.Law,
		},
	},
	Method: "An LRU cache of 100 places, alone and with admission by TinyLFU, on streams of 10 000 requests: Zipf over 10 000 keys, and words of the King James Bible in a row. " +
		"The sample is ten times the cache. Memory is bits for each place of the cache: all in counters of 4 bits, or a half of it in a doorkeeper of three probes. " +
		"The first tenth of the requests is not counted. A new key that is not admitted is not cached. A trace of real requests is tried where one is given: `run --trace`. " +
		"Words break the law of admission: those of a passage come in bursts, and are gone before their counts are above those of the words that were there before; LRU has them at once " +
		"(what the authors' window of admission is for). The doorkeeper gains where counters are crowded, for keys that come once then spend none; in the largest tables it takes half of the memory for a bit that counters had room for.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		add := func(stream eventStream, bits []int) {
			for _, b := range bits {
				cells = append(cells, lfuCell(b, false, stream), lfuCell(b, true, stream))
			}
		}
		add(zipfEvents(10000, 10000, 0.9), engine.Pick(s, nil, []int{4, 16, 32}, []int{2, 8, 64}))
		add(wordEvents(10000), engine.Pick(s, nil, []int{4, 16}, []int{2, 8, 32, 64}))
		for _, exponent := range engine.Pick(s, nil, nil, []float64{0.7, 1.1}) {
			add(zipfEvents(10000, 10000, exponent), []int{4, 16, 32})
		}
		return cells
	},
}

// lfuParams lays out so many bits for each place of the cache.
func lfuParams(places, bits int, door bool, hash hashing.Hasher) tinylfu.Params {
	p := tinylfu.Params{Sample: uint64(lfuSample * places), Hash: hash}
	memory := bits * places
	if door {
		p.DoorBits, p.DoorProbes = uint64(memory/2), 3
		memory -= memory / 2
	}
	p.Width = max(1, memory/(4*tinylfu.Depth))
	return p
}

func lfuCell(bits int, door bool, stream eventStream) engine.Cell {
	subject, metrics := "tinylfu", []engine.Metric{lfuHits, lruHits, lfuGain}
	if door {
		subject, metrics = "tinylfu-doorkeeper", append(metrics, doorGain)
	}
	labels := append(record.L("subject", subject, "bits", bits), stream.labels...)
	return engine.Cell{
		Labels: labels, Metrics: metrics,
		Trials: 512, Cost: cost("", 20*stream.events, 200*lfuPlaces),
		Run: func(t *engine.T) error {
			events, hash := stream.draw(t.Seed), hashing.XX(parts(t.Seed, 1))
			plain, err := tinylfu.New(lfuParams(lfuPlaces, bits, false, hash))
			if err != nil {
				return err
			}
			lru, counted := cacheHits(events, nil)
			hits, _ := cacheHits(events, plain)
			if door {
				guarded, err := tinylfu.New(lfuParams(lfuPlaces, bits, true, hash))
				if err != nil {
					return err
				}
				without := hits
				hits, _ = cacheHits(events, guarded)
				t.Read(doorGain, without-hits, counted, stats.AtMost(0.005))
			}
			t.Read(lfuHits, hits, counted, stats.Band{})
			t.Read(lruHits, lru, counted, stats.Band{})
			t.Read(lfuGain, lru-hits, counted, stats.AtMost(0))
			return nil
		},
	}
}

// cacheHits counts the requests that an LRU cache answers, after the first tenth.
// With a sketch, a full cache takes a new key only if it came more often lately
// than the key that has not been asked for the longest.
func cacheHits(events []uint64, admission *tinylfu.Sketch) (hits, counted int64) {
	places, order := map[uint64]*list.Element{}, list.New()
	for i, key := range events {
		if admission != nil {
			admission.Add(key)
		}
		at, hit := places[key]
		if i >= len(events)/10 {
			counted++
			hits += one(hit)
		}
		switch {
		case hit:
			order.MoveToFront(at)
		case order.Len() < lfuPlaces:
			places[key] = order.PushFront(key)
		default:
			last := order.Back()
			victim := last.Value.(uint64)
			if admission == nil || admission.Admit(key, victim) {
				delete(places, victim)
				order.Remove(last)
				places[key] = order.PushFront(key)
			}
		}
	}
	return hits, counted
}
