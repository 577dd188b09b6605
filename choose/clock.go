package choose

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof/record"
)

// An Estimate is a number of seconds with its interval.
type Estimate struct {
	Seconds float64 `json:"seconds"`
	Lo      float64 `json:"lo"`
	Hi      float64 `json:"hi"`
	// Beyond says that the footprint is larger than all that were timed: the last
	// time is then lengthened by the machine's own latency.
	Beyond bool `json:"beyond,omitempty"`
}

// MarshalJSON writes null for what is not known.
func (a Estimate) MarshalJSON() ([]byte, error) {
	known := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	return json.Marshal(struct {
		Seconds *float64 `json:"seconds"`
		Lo      *float64 `json:"lo"`
		Hi      *float64 `json:"hi"`
		Beyond  bool     `json:"beyond,omitempty"`
	}{known(a.Seconds), known(a.Lo), known(a.Hi), a.Beyond})
}

// Plus and Times are the sums and multiples of times and of the ends of their
// intervals: what is wrong with two of them may be wrong the same way.
func (a Estimate) Plus(b Estimate) Estimate {
	return Estimate{a.Seconds + b.Seconds, a.Lo + b.Lo, a.Hi + b.Hi, a.Beyond || b.Beyond}
}

// Times is the estimate of x times as much, x not negative.
func (a Estimate) Times(x float64) Estimate {
	return Estimate{a.Seconds * x, a.Lo * x, a.Hi * x, a.Beyond}
}

// meets reports whether two intervals have a point in common.
func (a Estimate) meets(b Estimate) bool { return a.Lo <= b.Hi && b.Lo <= a.Hi }

// A Clock tells what an operation takes on a machine that was calibrated.
type Clock struct {
	Machine record.Machine
	dials   map[dial][]reading
	latency []reading
}

// A dial is an operation of a subject.
type dial struct{ kind, subject, op string }

// A reading is a time at a rate, a length of keys and a footprint.
type reading struct {
	eps, keyBytes, bytes float64
	time                 Estimate
}

// NewClock reads a calibration. Rows without a time are left out.
func NewClock(c record.Calibrated) *Clock {
	clock := &Clock{Machine: c.Machine, dials: map[dial][]reading{}}
	for _, r := range c.Rows {
		if r.Err != "" || !(r.Seconds > 0) {
			continue
		}
		at := reading{r.Epsilon, float64(r.KeyBytes), math.Max(float64(r.Bytes), 1), Estimate{Seconds: r.Seconds, Lo: r.Lo, Hi: r.Hi}}
		if r.Kind == record.KindMachine {
			if r.Op == record.OpLatency {
				clock.latency = append(clock.latency, at)
			}
			continue
		}
		d := dial{r.Kind, r.Subject, r.Op}
		clock.dials[d] = append(clock.dials[d], at)
	}
	slices.SortFunc(clock.latency, func(a, b reading) int { return cmp.Compare(a.bytes, b.bytes) })
	return clock
}

// Time is what the first of the operations that was timed takes, for a structure
// of a footprint that was asked for a rate, by interpolation: along the logarithm of
// the footprint, then of the rate; and what keys of its length cost more or less than
// those that most readings are of. False says that none was.
func (c *Clock) Time(kind, subject string, eps float64, bytes int64, keyBytes int, ops ...string) (Estimate, bool) {
	for _, op := range ops {
		all := c.dials[dial{kind, subject, op}]
		if len(all) == 0 {
			continue
		}
		usual, others := byLength(all)
		at := func(eps, bytes float64) Estimate {
			return along(usual, eps, func(r reading) float64 { return r.eps }, safeLog, func(some []reading) Estimate {
				return c.atFootprint(some, math.Max(bytes, 1))
			})
		}
		t := at(eps, float64(bytes))
		more := lengthCost(usual[0].keyBytes, float64(keyBytes), others, at)
		more = math.Max(more, -t.Seconds/2) // a hash function is not all of it
		t.Seconds += more
		t.Lo += more
		t.Hi += more
		return t, true
	}
	return Estimate{}, false
}

// byLength parts the readings of the length of keys that has the most from those of
// other lengths, which may be of few footprints or one.
func byLength(all []reading) (usual, others []reading) {
	counts := map[float64]int{}
	length := all[0].keyBytes
	for _, r := range all {
		counts[r.keyBytes]++
		if n, most := counts[r.keyBytes], counts[length]; n > most || n == most && r.keyBytes < length {
			length = r.keyBytes
		}
	}
	for _, r := range all {
		if r.keyBytes == length {
			usual = append(usual, r)
		} else {
			others = append(others, r)
		}
	}
	return usual, others
}

// lengthCost is how many seconds keys of a length take longer than those of the
// usual one: what hashing them takes, whatever the footprint and the rate. It lies on
// straight lines between the lengths that were timed.
func lengthCost(usual, length float64, others []reading, at func(eps, bytes float64) Estimate) float64 {
	type step struct{ length, seconds float64 }
	steps := []step{{usual, 0}}
	for _, r := range others {
		steps = append(steps, step{r.keyBytes, r.time.Seconds - at(r.eps, r.bytes).Seconds})
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.length, b.length) })
	for i, b := range steps {
		switch {
		case b.length == length || i == 0 && b.length > length:
			return b.seconds
		case b.length > length:
			a := steps[i-1]
			return a.seconds + (b.seconds-a.seconds)*(length-a.length)/(b.length-a.length)
		}
	}
	return steps[len(steps)-1].seconds
}

// along interpolates on a straight line between the two groups of readings whose
// coordinates enclose x, and takes the nearest group beyond the last.
func along(all []reading, x float64, at func(reading) float64, scale func(float64) float64, inside func([]reading) Estimate) Estimate {
	groups := map[float64][]reading{}
	var marks []float64
	for _, r := range all {
		if groups[at(r)] == nil {
			marks = append(marks, at(r))
		}
		groups[at(r)] = append(groups[at(r)], r)
	}
	slices.Sort(marks)
	i, exact := slices.BinarySearch(marks, x)
	switch {
	case exact || i == 0:
		return inside(groups[marks[min(i, len(marks)-1)]])
	case i == len(marks):
		return inside(groups[marks[i-1]])
	}
	a, b := marks[i-1], marks[i]
	share := (scale(x) - scale(a)) / (scale(b) - scale(a))
	return inside(groups[a]).Times(1 - share).Plus(inside(groups[b]).Times(share))
}

func safeLog(x float64) float64 { return math.Log(math.Max(x, 1e-18)) }

// atFootprint interpolates the logarithm of the time.
func (c *Clock) atFootprint(some []reading, bytes float64) Estimate {
	some = slices.Clone(some)
	slices.SortFunc(some, func(a, b reading) int { return cmp.Compare(a.bytes, b.bytes) })
	first, last := some[0], some[len(some)-1]
	if bytes <= last.bytes {
		return curve(some, bytes)
	}
	more := c.lines(first, last) * c.longer(last.bytes, bytes)
	return last.time.Plus(Estimate{Seconds: more, Lo: more / 2, Hi: more * 2, Beyond: bytes > 1.5*last.bytes})
}

// lines is how many reads of memory an operation waits for, by how much longer it
// took in its largest footprint than in its smallest. Where these do not tell, it is
// one; and it is kept to what structures have.
func (c *Clock) lines(first, last reading) float64 {
	const least, most, telling = 0.5, 4, 3e-9
	wait := c.longer(first.bytes, last.bytes)
	if wait < telling {
		return 1
	}
	return math.Min(math.Max((last.time.Seconds-first.time.Seconds)/wait, least), most)
}

// longer is by how much a read of a random line takes longer in a larger
// footprint, 0 where the machine's own curve is not known.
func (c *Clock) longer(from, to float64) float64 {
	if len(c.latency) == 0 {
		return 0
	}
	return math.Max(curve(c.latency, to).Seconds-curve(c.latency, from).Seconds, 0)
}

// curve is the time on straight lines in logarithms of both between the readings,
// sorted by footprint; beyond the first and the last it is level.
func curve(sorted []reading, bytes float64) Estimate {
	i, _ := slices.BinarySearchFunc(sorted, bytes, func(r reading, b float64) int { return cmp.Compare(r.bytes, b) })
	switch {
	case i == 0:
		return sorted[0].time
	case i == len(sorted):
		return sorted[i-1].time
	}
	a, b := sorted[i-1], sorted[i]
	share := math.Log(bytes/a.bytes) / math.Log(b.bytes/a.bytes)
	between := func(x, y float64) float64 {
		if !(x > 0 && y > 0) || math.IsInf(x, 0) || math.IsInf(y, 0) {
			return math.Min(x, y) // an end that is not known
		}
		return math.Exp(math.Log(x)*(1-share) + math.Log(y)*share)
	}
	return Estimate{
		Seconds: between(a.time.Seconds, b.time.Seconds),
		Lo:      between(a.time.Lo, b.time.Lo), Hi: math.Max(between(a.time.Hi, b.time.Hi), between(a.time.Seconds, b.time.Seconds)),
	}
}
