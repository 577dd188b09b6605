package experiments

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/rotating"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// missedInSwap is what no reader may see.
var missedInSwap = engine.Metric{
	Name: "missed/look-up", Method: stats.Invariant,
	Law: "rotating.no-miss", Source: "a key is found until the second rotation after it was added",
}

var bloomHotSwap = engine.Experiment{
	Name:     "bloom/hot-swap",
	Question: "Do concurrent readers miss a key while the filter under them is swapped?",
	Claims: []engine.Claim{{
		Text:   "filters that rotate at a fill of 0.5 by an atomic swap of pointers, double-buffered, serve live readers without a lock",
		Source: "Bloom Filters & Counting Filters",
		Metric: missedInSwap.Name, Law: missedInSwap.Law,
	}},
	Method: "Writers add keys to a rotating filter, and publish each once its addition has returned; readers look up published keys all the " +
		"while. All meet at the end of every round, so that no key which is looked up is more than a period old: a period takes at least " +
		"m/(2k) keys, and rounds are of a third. The number of look-ups is fixed; which of them meets a swap is left to the scheduler, and " +
		"the tests of the package run the same under the race detector. A trial in which nothing was swapped is a fault.",
	Plan: func(s engine.Scale) []engine.Cell {
		type point struct{ writers, readers, rounds int }
		var cells []engine.Cell
		for _, p := range engine.Pick(s, []point{{1, 2, 20}}, []point{{1, 4, 100}, {4, 4, 100}}, []point{{2, 8, 1000}}) {
			cells = append(cells, hotSwapCell(p.writers, p.readers, p.rounds))
		}
		return cells
	},
}

func hotSwapCell(writers, readers, rounds int) engine.Cell {
	const m, k, lookups = 1 << 13, 4, 1000 // a reader's look-ups a round
	const round = m / (2 * k) / 3          // keys
	return engine.Cell{
		Labels:  record.L("subject", "rotating", "writers", writers, "readers", readers, "rounds", rounds),
		Metrics: []engine.Metric{missedInSwap}, Trials: 32,
		Cost: cost("", 3*rounds*(round+readers*lookups), m/4),
		Run: func(t *engine.T) error {
			f, err := rotating.New(rotating.Params{M: m, K: k, Hash: hashing.XX(parts(t.Seed, 1))})
			if err != nil {
				return err
			}
			keys, share := keys(parts(t.Seed, 0)), round/writers
			size := share * writers
			if err := keys.addTo(f, 0, size); err != nil { // round 0: readers have something to find
				return err
			}
			var missed atomic.Int64
			for r := 1; r < rounds; r++ {
				swapRound(f, keys, r*size, share, writers, readers, lookups, parts(t.Seed, r), &missed)
			}
			if f.SizeBytes() < 2*m/8 {
				return fmt.Errorf("%d keys did not rotate a filter of %d bits", rounds*size, m)
			}
			t.Read(missedInSwap, missed.Load(), int64((rounds-1)*readers*lookups), never)
			return nil
		},
	}
}

// swapRound has each writer add its share of the keys from number first on, while
// each reader looks up so many of those added, or of the round before.
func swapRound(f *rotating.Filter, keys keys, first, share, writers, readers, lookups int, seed uint64, missed *atomic.Int64) {
	var group sync.WaitGroup
	published := make([]atomic.Int64, writers)
	for w := range writers {
		group.Go(func() {
			for i := range share {
				_ = f.Add(keys.at(first + w*share + i)) // never an error
				published[w].Store(int64(i + 1))
				if i%8 == 0 {
					runtime.Gosched() // let readers in, on one processor too
				}
			}
		})
	}
	for reader := range readers {
		group.Go(func() {
			for i := range lookups {
				draw := hashing.Mix(seed + uint64(reader*lookups+i)*hashing.Gamma)
				w := int(hashing.Reduce(draw, uint64(writers)))
				at := first + w*share - share*writers // of the round before
				if n := published[w].Load(); n > 0 && i%4 > 0 {
					at = first + w*share + int(draw%uint64(n))
				}
				missed.Add(one(!f.Contains(keys.at(at))))
				if i%32 == 0 {
					runtime.Gosched()
				}
			}
		})
	}
	group.Wait()
}
