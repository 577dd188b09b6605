package speed

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
)

// A Timing is one line of speed.csv: an operation of a subject at a size.
type Timing struct {
	Subject, Module, Kind, Op string
	Eps                       float64 // the rate that a filter was built for, 0 for a sketch
	Keys                      int
	Rate                      float64   // of a filter's wrong answers, over all rounds
	Rounds                    []float64 // seconds per operation
	Median, Lo, Hi            float64   // seconds per operation
	Confidence                float64   // of the interval
	Err                       string    // why the subject dropped out, if it did
}

// A Weight is one line of memory.csv.
type Weight struct {
	Subject, Module, Kind string
	Eps                   float64
	Keys                  int
	Told, Heap, Stored    int    // bytes; Stored is 0 without a serialized form
	Err                   string // why it could not be weighed
}

// Result is everything that one run measured.
type Result struct {
	Timings []Timing
	Weights []Weight
	Races   []Race
}

// A size is a number of keys and how many rounds it is timed, by all subjects or
// by a few. Six rounds are the least that have a 95 % interval.
type size struct {
	keys, rounds int
	only         []string
}

// sizes fit the first cache, the last cache, and memory.
func sizes(s engine.Scale) []size {
	return engine.Pick(s,
		[]size{{keys: 10_000, rounds: 6}},
		[]size{{keys: 1_000_000, rounds: 6}, {keys: ninety, rounds: 6, only: []string{"quotient", "seiflotfy-cuckoo"}}},
		[]size{{keys: 10_000_000, rounds: 6}, {keys: 100_000_000, rounds: 6}})
}

// Run times and weighs every subject. In each round all subjects take their
// turn, so that what disturbs the machine disturbs them alike. Only one such run
// should be under way on a machine. progress is told what comes next.
func Run(ctx context.Context, scale engine.Scale, progress func(string)) (Result, error) {
	var r Result
	list := contenders()
	for _, sz := range sizes(scale) {
		list := sz.of(list)
		progress(fmt.Sprintf("memory of %d keys", sz.keys))
		if err := r.weighAll(ctx, list, sz.keys); err != nil {
			return r, err
		}
		timings, err := timeAll(ctx, list, sz, progress)
		if err != nil {
			return r, err
		}
		r.Timings = append(r.Timings, timings...)
	}
	r.race()
	return r, nil
}

// of are the contenders that take part.
func (s size) of(list []contender) []contender {
	if s.only == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(c contender) bool { return !slices.Contains(s.only, c.subject) })
}

func (r *Result) weighAll(ctx context.Context, list []contender, n int) error {
	for _, c := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.weigh == nil {
			continue
		}
		weight, fault := guarded(func() (weight, error) { return c.weigh(n, 1) })
		r.Weights = append(r.Weights, Weight{
			Subject: c.subject, Module: adapters.At(c.module), Kind: c.kind, Eps: c.eps, Keys: n,
			Told: weight.told, Heap: weight.heap, Stored: weight.stored, Err: fault,
		})
	}
	return nil
}

// timeAll times all subjects at one size, round by round. One that fails drops
// out with its error; the others go on.
func timeAll(ctx context.Context, list []contender, sz size, progress func(string)) ([]Timing, error) {
	timings := make([][]Timing, len(list))
	for i, c := range list {
		for _, op := range c.ops {
			timings[i] = append(timings[i], Timing{
				Subject: c.subject, Module: adapters.At(c.module), Kind: c.kind, Op: op, Eps: c.eps, Keys: sz.keys,
			})
		}
	}
	for round := range sz.rounds {
		progress(fmt.Sprintf("times at %d keys, round %d of %d", sz.keys, round+1, sz.rounds))
		for i, c := range list {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if timings[i][0].Err != "" {
				continue
			}
			got, fault := guarded(func() (reading, error) { return c.round(sz.keys, c.seed(sz.keys, round)) })
			for j := range timings[i] {
				if timings[i][j].Err = fault; fault == "" {
					timings[i][j].Rounds = append(timings[i][j].Rounds, got.seconds[j])
					timings[i][j].Rate += got.rate / float64(sz.rounds)
				}
			}
		}
	}
	all := slices.Concat(timings...)
	for i := range all {
		all[i] = all[i].summarize()
	}
	return all, nil
}

// guarded calls f and turns an error or a panic into its text.
func guarded[T any](f func() (T, error)) (result T, fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprintf("panic: %v", r)
		}
	}()
	result, err := f()
	if err != nil {
		fault = err.Error()
	}
	return result, fault
}

// summarize takes the median and its order-statistic interval: nothing is
// assumed of how times are distributed.
func (t Timing) summarize() Timing {
	if t.Err != "" {
		t.Rounds, t.Rate, t.Median, t.Lo, t.Hi, t.Confidence = nil, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()
		return t
	}
	sample := benchmath.NewSample(slices.Clone(t.Rounds), &benchmath.DefaultThresholds)
	s := benchmath.AssumeNothing.Summary(sample, 0.95)
	t.Median, t.Lo, t.Hi, t.Confidence = s.Center, s.Lo, s.Hi, s.Confidence
	return t
}

// WriteBenchmarks writes every reading in the Go benchmark format, for
// benchstat.
func (r Result) WriteBenchmarks(w io.Writer, p Provenance) error {
	if _, err := fmt.Fprintf(w, "goos: %s\ngoarch: %s\ncpu: %s\n", p.OS, p.Arch, p.CPU); err != nil {
		return err
	}
	for _, t := range r.Timings {
		for _, sec := range t.Rounds {
			if _, err := fmt.Fprintf(w, "Benchmark%s/op=%s/subject=%s%s/n=%d 1 %.4g ns/op\n", title[t.Kind], t.Op, t.Subject, t.atRate(), t.Keys, sec*1e9); err != nil {
				return err
			}
		}
	}
	return nil
}

// atRate is a part of a benchmark's name, for a filter of another rate than most.
func (t Timing) atRate() string {
	if t.Eps == 0 || t.Eps == rate {
		return ""
	}
	return fmt.Sprintf("/eps=%g", t.Eps)
}

// title is a kind as the first part of a benchmark's name.
var title = map[string]string{
	"filter": "Filter", "cardinality": "Cardinality", "frequency": "Frequency",
	"top-k": "TopK", "similarity": "Similarity", "sampling": "Sampling", "placement": "Placement",
}
