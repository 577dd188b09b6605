package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

// Requests is a stream of requests that somebody recorded.
type Requests struct {
	// About is the file it was read from.
	About record.Trace
	// Keys are the distinct keys, in the order of their first requests.
	Keys []uint64
	// Order is the stream: each request as an index into Keys.
	Order []uint32

	counts func() []uint64
	ranked func() []uint32
}

// newRequests are the requests of a file.
func newRequests(about record.Trace, keys []uint64, order []uint32) *Requests {
	r := &Requests{About: about, Keys: keys, Order: order}
	r.counts = sync.OnceValue(func() []uint64 {
		counts := make([]uint64, len(keys))
		for _, i := range order {
			counts[i]++
		}
		return counts
	})
	r.ranked = sync.OnceValue(func() []uint32 {
		list := make([]uint32, len(keys))
		for i := range list {
			list[i] = uint32(i)
		}
		counts := r.counts()
		slices.SortFunc(list, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
		})
		return list
	})
	return r
}

// WithTrace is All, and the experiments on a trace of requests. They are planned
// from what is known about it; its requests are read when the first trial asks for
// them. Cells bear the trace's digest, so those of two traces are never confused.
func WithTrace(about record.Trace, read func() (*Requests, error)) []engine.Experiment {
	t := trace{about, sync.OnceValues(func() (*Requests, error) {
		r, err := read()
		if err == nil && r.About != about {
			return nil, fmt.Errorf("the trace is %+v by now; planned was %+v", r.About, about)
		}
		return r, err
	})}
	return append(slices.Clip(All), t.cache(), t.oneHitWonders(), t.heavy(), t.counts(), t.distinct())
}

// A trace is what its experiments share.
type trace struct {
	about    record.Trace
	requests func() (*Requests, error)
}

// digits of the trace's digest tell one trace from another in a cell's name.
const digits = 12

// labels are a subject's on the trace, with more of its own.
func (t trace) labels(subject string, more ...any) record.Labels {
	labels := record.L("subject", subject, "trace", t.about.SHA256[:min(digits, len(t.about.SHA256))])
	return append(labels, record.L(more...)...)
}

// cost is that of a trial which spends so many operations on each request, and
// holds so many bytes beside the trace.
func (t trace) cost(module string, operations, bytes int) engine.Cost {
	return cost(module, operations*t.about.Requests, 12*t.about.Requests+bytes)
}

// run is a cell's Run on the requests.
func (t trace) run(trial func(t *engine.T, r *Requests) error) func(*engine.T) error {
	return func(et *engine.T) error {
		r, err := t.requests()
		if err != nil {
			return err
		}
		return trial(et, r)
	}
}
