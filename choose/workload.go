package choose

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// The kinds of questions, as record.Calibration calls them.
const (
	KindFilter      = "filter"
	KindCardinality = "cardinality"
	KindFrequency   = "frequency"
	KindTopK        = "topk"
	KindSampler     = "sampler"
	KindPlacer      = "placer"
	KindSignature   = "signature"
)

// What is to be least.
const (
	ByCost   = "cost"   // seconds per look-up, with the work that false positives cause
	ByTime   = "time"   // seconds per look-up
	ByMemory = "memory" // bytes
	ByRate   = "rate"   // wrong answers
)

// A Workload is what a structure is wanted for. A number that is 0 was not given.
type Workload struct {
	Kind   string  `json:"kind"`
	Keys   int     `json:"keys,omitempty"`
	Rate   float64 `json:"rate,omitempty"`   // the most that may be wrong, of what the question asks about
	Memory int64   `json:"memory,omitempty"` // bytes, at most
	Work   float64 `json:"work,omitempty"`   // seconds that a true negative saves
	// Present is the share of look-ups of keys that are held.
	Present float64 `json:"present"`
	// LookupsPerKey is how often a key is looked up before the structure is built
	// anew; 0 leaves the build out of the cost.
	LookupsPerKey float64  `json:"lookups-per-key,omitempty"`
	KeyBytes      int      `json:"key-bytes,omitempty"` // 0 for numbers and hashes
	Needs         []string `json:"needs,omitempty"`     // names of Needs
	By            string   `json:"by"`                  // what is to be least
}

// WithDefaults fills in what is to be least: the cost where the work is known, else
// the rate where memory is all that is limited, else the time.
func (w Workload) WithDefaults() Workload {
	switch {
	case w.By != "":
	case w.Kind != KindFilter:
		w.By = ByMemory
	case w.Work > 0:
		w.By = ByCost
	case w.Rate == 0 && w.Memory > 0:
		w.By = ByRate
	default:
		w.By = ByTime
	}
	return w
}

// Check refuses a workload that no structure can serve, whatever it is made of.
func (w Workload) Check() error {
	if w.Keys < 1 {
		return errors.New("the number of keys is missing: --keys 50M")
	}
	if !slices.Contains([]string{ByCost, ByTime, ByMemory, ByRate}, w.By) {
		return fmt.Errorf("%q cannot be made least; known: cost, time, memory, rate", w.By)
	}
	if w.Kind == KindFilter {
		if err := w.checkFilter(); err != nil {
			return err
		}
	}
	return w.checkNeeds()
}

func (w Workload) checkFilter() error {
	switch {
	case w.Rate == 0 && w.Memory == 0 && w.Work == 0:
		return errors.New("nothing limits the choice: give a rate (--rate 0.1%), a memory (--memory 64MiB) or the work that a true negative saves (--cost 100us)")
	case w.By == ByCost && w.Work == 0:
		return errors.New("the least cost needs the work that a true negative saves: --cost 100us")
	case w.Rate < 0 || w.Rate >= 1 || math.IsNaN(w.Rate):
		return fmt.Errorf("a rate of %v: it is the share of absent keys that are found, above 0 and below 1, as 0.1%% or 1/1000", w.Rate)
	case w.Present < 0 || w.Present > 1 || math.IsNaN(w.Present):
		return fmt.Errorf("%v of the look-ups find their key: a share is 0 to 1, as 20%%", w.Present)
	case w.Present == 1 && w.Work > 0:
		return errors.New("every key that is looked up is there: no filter ever saves the work")
	case !(w.LookupsPerKey >= 0) || math.IsInf(w.LookupsPerKey, 0):
		return fmt.Errorf("%v look-ups per key: it is how often a key is looked up before the filter is built anew, as 10, or 0 to leave the build out", w.LookupsPerKey)
	case w.KeyBytes < 0:
		return fmt.Errorf("keys of %d bytes", w.KeyBytes)
	}
	if bound := Bound(w.Keys, w.Rate); w.Rate > 0 && w.Memory > 0 && float64(w.Memory) < bound {
		return fmt.Errorf("%s is below what any filter needs for %s keys at a rate of %s: n log2(1/rate) bits are %s (Carter et al. 1978); %s allow a rate of %s at best",
			Bytes(w.Memory), Count(w.Keys), Share(w.Rate), Bytes(int64(math.Ceil(bound))),
			Bytes(w.Memory), Share(math.Exp2(-8*float64(w.Memory)/float64(w.Keys))))
	}
	return nil
}

func (w Workload) checkNeeds() error {
	for _, name := range w.Needs {
		if !slices.ContainsFunc(Needs, func(n Need) bool { return n.Name == name }) {
			return fmt.Errorf("%q is no need", name)
		}
	}
	for _, change := range []string{NeedDelete, NeedGrow, NeedCountDuplicates, NeedConcurrent} {
		if w.needs(NeedStatic) && w.needs(change) {
			return fmt.Errorf("--static says that the keys stay what they are, --%s that they do not", change)
		}
	}
	return nil
}

// Bound is the memory in bytes that no filter of n keys at a rate gets below,
// whatever it is made of: n log2(1/rate) bits (Carter, Floyd, Gill, Markowsky,
// Wegman 1978).
func Bound(n int, rate float64) float64 { return float64(n) * -math.Log2(rate) / 8 }
