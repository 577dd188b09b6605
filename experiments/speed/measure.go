package speed

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strconv"

	"golang.org/x/perf/benchmath"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

// A Point is one subject at one size, for which every operation is timed.
type Point struct {
	Kind, Subject string
	Epsilon       float64  // a filter's
	Keys          int      // held
	KeyBytes      int      // length of byte strings, at least 8; 0 leaves them out
	Present       float64  // share of present keys in mixed look-ups
	Ops           []string // those alone; nil for all
}

func (p Point) wants(op string) bool { return p.Ops == nil || slices.Contains(p.Ops, op) }

// name is unlike that of any other point, and says what its seed follows from.
func (p Point) name() string {
	return fmt.Sprintf("measure/%s/subject=%s/eps=%g/keys=%d/bytes=%d", p.Kind, p.Subject, p.Epsilon, p.Keys, p.KeyBytes)
}

// A Measurement is what one operation took at a point. Of a filter it says too
// how many of the absent keys asked for were found, by all operations together.
type Measurement struct {
	record.Calibration
	Found, Absent int
}

// readings are the times of operations, in the order in which they first came.
type readings struct {
	ops           []string
	seconds       map[string][]float64
	found, absent int
}

func (r *readings) add(op string, sec float64) {
	if r.seconds == nil {
		r.seconds = map[string][]float64{}
	}
	if r.seconds[op] == nil {
		r.ops = append(r.ops, op)
	}
	r.seconds[op] = append(r.seconds[op], sec)
}

// measurements are the rows of a point. sizes tells the bytes of the structure
// under an operation, and the length of its keys.
func (r *readings) measurements(p Point, module string, sizes func(op string) (bytes int64, keyBytes int)) []Measurement {
	var rows []Measurement
	for _, op := range r.ops {
		m := Measurement{p.row(module), r.found, r.absent}
		m.Op, m.Rounds = op, len(r.seconds[op])
		m.Bytes, m.KeyBytes = sizes(op)
		m.Seconds, m.Lo, m.Hi, m.Confidence = interval(r.seconds[op])
		rows = append(rows, m)
	}
	return rows
}

func (p Point) row(module string) record.Calibration {
	return record.Calibration{Kind: p.Kind, Subject: p.Subject, Module: adapters.At(module), Epsilon: p.Epsilon, Keys: p.Keys}
}

// interval is the lower quartile of readings, and the order statistics that hold
// their median with the confidence: of fewer than six readings less than 95 %, of
// one nothing. What disturbs a machine only lengthens times, and lasts for longer
// than a point: the median of six rounds goes with it, the second least hardly does.
func interval(seconds []float64) (quartile, lo, hi, confidence float64) {
	if len(seconds) == 1 {
		return seconds[0], math.Inf(-1), math.Inf(1), 1
	}
	sorted := slices.Sorted(slices.Values(seconds))
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(seconds), &benchmath.DefaultThresholds), 0.95)
	quartile = sorted[(len(sorted)-1)/4]
	return quartile, math.Min(s.Lo, quartile), s.Hi, s.Confidence
}

// Options say how points are measured.
type Options struct {
	Rounds int
	Root   uint64 // every seed follows from it
	// Memory is how many bytes of structures may be held at a time, beyond the one
	// under construction: so many points take their rounds together.
	Memory int64
	// Now is told of the point that is at work next.
	Now func(Point)
}

// Measure times points round by round: in each round every one of a group takes
// its turn, in an order that rotates, so that what disturbs the machine disturbs
// them alike. done is given the rows of a group, for each of its points. A point
// that fails has one row that says why. Nothing is collected as garbage while a
// clock runs.
func Measure(ctx context.Context, points []Point, o Options, done func([][]Measurement) error) error {
	runtime.LockOSThread() // its clock is read
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	settle()
	for len(points) > 0 {
		var group []*turn
		var held int64
		for len(points) > 0 && held < o.Memory {
			t := &turn{point: points[0]}
			points = points[1:]
			if err := t.take(ctx, o, 0); err != nil {
				return err
			}
			if t.station != nil {
				held += t.station.holds()
			}
			group = append(group, t)
		}
		for round := 1; round < o.Rounds; round++ {
			first := round * len(group) / o.Rounds
			for i := range group {
				if err := group[(first+i)%len(group)].take(ctx, o, round); err != nil {
					return err
				}
			}
		}
		rows := make([][]Measurement, len(group))
		for i, t := range group {
			rows[i] = t.rows()
		}
		if err := done(rows); err != nil {
			return err
		}
		group = nil
		runtime.GC()
	}
	return nil
}

// A turn is a point's place in the rounds.
type turn struct {
	point   Point
	station station
	fault   string
}

func (t *turn) take(ctx context.Context, o Options, round int) error {
	if err := ctx.Err(); err != nil || t.fault != "" {
		return err
	}
	if o.Now != nil {
		o.Now(t.point)
	}
	_, t.fault = guarded(func() (_ struct{}, err error) {
		if t.station == nil {
			if t.station, err = newStation(t.point); err != nil {
				return
			}
		}
		return struct{}{}, t.station.round(engine.Seed(o.Root, t.point.name(), round))
	})
	if t.fault != "" {
		t.station = nil // and what it held
	}
	collect()
	return nil
}

func (t *turn) rows() []Measurement {
	if t.fault != "" {
		return []Measurement{Fault(t.point, t.fault)}
	}
	return t.station.measurements()
}

// Fault is the row of a point that failed.
func Fault(p Point, why string) Measurement {
	m := Measurement{Calibration: p.row("")}
	for _, c := range adapters.Filters {
		if p.Kind == "filter" && c.Name == p.Subject {
			m.Module = adapters.At(c.Module)
		}
	}
	m.Err, m.Seconds, m.Confidence, m.Lo, m.Hi = why, math.NaN(), math.NaN(), math.Inf(-1), math.Inf(1)
	return m
}

// much is how many bytes of garbage are left lying.
const much = 64 << 20

// settle touches the memory that builds will take by turns: what the system has to
// find first, page by page, takes the earliest builds several times as long as those
// of a program that has run for a while.
func settle() {
	const page = 4096
	touched := make([]byte, 2*much)
	for i := 0; i < len(touched); i += page {
		touched[i] = 1
	}
	runtime.KeepAlive(touched)
	runtime.GC()
}

// collect frees what earlier turns let go of, once it is much.
func collect() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Uint64() > sample[1].Value.Uint64()+much {
		runtime.GC()
	}
}

func newStation(p Point) (station, error) {
	if p.Kind == "filter" {
		for _, s := range adapters.Filters {
			if s.Name == p.Subject {
				return newFilterStation(s, p)
			}
		}
	}
	for _, c := range contenders() {
		if kindOf[c.kind] == p.Kind && c.subject == p.Subject && p.Kind != "filter" {
			return &contenderStation{contender: c, point: p}, nil
		}
	}
	return nil, fmt.Errorf("no %s is named %s", p.Kind, strconv.Quote(p.Subject))
}

// kindOf are the kinds of calibration.csv by those of speed.csv.
var kindOf = map[string]string{
	"filter": "filter", "cardinality": "cardinality", "frequency": "frequency",
	"top-k": "topk", "similarity": "signature", "sampling": "sampler", "placement": "placer",
}

// A contenderStation measures what is no filter.
type contenderStation struct {
	contender
	point Point
	log   readings
	bytes int64
}

func (s *contenderStation) holds() int64 { return 0 }

func (s *contenderStation) round(seed uint64) error {
	if s.bytes == 0 && s.weigh != nil {
		w, err := s.weigh(s.point.Keys, seed)
		if err != nil {
			return err
		}
		s.bytes = int64(w.told)
	}
	got, err := s.contender.round(s.point.Keys, seed)
	if err != nil {
		return err
	}
	for i, op := range s.ops {
		s.log.add(op, got.seconds[i])
	}
	return nil
}

func (s *contenderStation) measurements() []Measurement {
	return s.log.measurements(s.point, s.module, func(string) (int64, int) { return s.bytes, 0 })
}

// Subjects are the names of a kind's subjects, in the order of the catalogue. A
// filter of which a rate can be chosen is said to be so.
func Subjects(kind string) (names []string, chosen func(name string) bool) {
	rates := map[string]bool{}
	if kind == "filter" {
		for _, s := range adapters.Filters {
			names = append(names, s.Name)
			for _, l := range s.Laws {
				rates[s.Name] = rates[s.Name] || l.Name == adapters.PromiseLaw
			}
		}
		return names, func(name string) bool { return rates[name] }
	}
	for _, c := range contenders() {
		if kindOf[c.kind] == kind {
			names = append(names, c.subject)
		}
	}
	return names, func(string) bool { return false }
}
