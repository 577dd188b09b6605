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
	dials   map[dial]timed
	latency []reading
}

// A dial is an operation of a subject.
type dial struct{ kind, subject, op string }

// A reading is a time at a rate, a length of keys and a footprint.
type reading struct {
	eps, keyBytes, bytes float64
	time                 Estimate
}

// once is the factor within which a time is taken to be that was read once: it has no
// interval of its own.
const once = 2

// NewClock reads a calibration. Rows without a time are left out.
func NewClock(c record.Calibrated) *Clock {
	clock := &Clock{Machine: c.Machine, dials: map[dial]timed{}}
	all := map[dial][]reading{}
	for _, r := range c.Rows {
		if r.Err != "" || !(r.Seconds > 0) {
			continue
		}
		at := reading{r.Epsilon, float64(r.KeyBytes), math.Max(float64(r.Bytes), 1), Estimate{Seconds: r.Seconds, Lo: r.Lo, Hi: r.Hi}}
		if math.IsInf(r.Lo, 0) || math.IsInf(r.Hi, 0) { // a large build, which was read once
			at.time.Lo, at.time.Hi = r.Seconds/once, r.Seconds*once
		}
		if r.Kind == record.KindMachine {
			if r.Op == record.OpLatency {
				clock.latency = append(clock.latency, at)
			}
			continue
		}
		d := dial{r.Kind, r.Subject, r.Op}
		all[d] = append(all[d], at)
	}
	byFootprint(clock.latency)
	for d, some := range all {
		clock.dials[d] = clock.timed(some)
	}
	return clock
}

// Time is what the first of the operations that was timed takes, for a structure
// of a footprint that was asked for a rate, by interpolation: along the logarithm of
// the footprint, then of the rate; and what keys of its length cost more or less than
// those that most readings are of. False says that none was.
func (c *Clock) Time(kind, subject string, eps float64, bytes int64, keyBytes int, ops ...string) (Estimate, bool) {
	for _, op := range ops {
		d, ok := c.dials[dial{kind, subject, op}]
		if !ok {
			continue
		}
		t := c.at(d, eps, float64(bytes))
		more := math.Max(d.lengthCost(float64(keyBytes)), -t.Seconds/2) // a hash function is not all of it
		t.Seconds += more
		t.Lo += more
		t.Hi += more
		return t, true
	}
	return Estimate{}, false
}

// timed are the readings of a dial, sorted for interpolation.
type timed struct {
	rates   []float64
	curves  [][]reading // over footprints, one for each rate
	lengths []length
}

// A length of keys takes so many seconds longer than the one that most readings
// are of: what hashing takes, whatever the footprint and the rate.
type length struct{ bytes, seconds float64 }

func (c *Clock) timed(all []reading) timed {
	usual, others := byLength(all)
	var t timed
	slices.SortFunc(usual, func(a, b reading) int { return cmp.Compare(a.eps, b.eps) })
	for len(usual) > 0 {
		n := 1
		for n < len(usual) && usual[n].eps == usual[0].eps {
			n++
		}
		byFootprint(usual[:n])
		t.rates, t.curves = append(t.rates, usual[0].eps), append(t.curves, usual[:n:n])
		usual = usual[n:]
	}
	t.lengths = []length{{t.curves[0][0].keyBytes, 0}}
	for _, r := range others {
		t.lengths = append(t.lengths, length{r.keyBytes, r.time.Seconds - c.at(t, r.eps, r.bytes).Seconds})
	}
	slices.SortFunc(t.lengths, func(a, b length) int { return cmp.Compare(a.bytes, b.bytes) })
	return t
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

func byFootprint(some []reading) {
	slices.SortFunc(some, func(a, b reading) int { return cmp.Compare(a.bytes, b.bytes) })
}

// lengthCost lies on straight lines between the lengths that were timed, and is
// level beyond them.
func (t timed) lengthCost(bytes float64) float64 {
	i, _ := slices.BinarySearchFunc(t.lengths, bytes, func(l length, b float64) int { return cmp.Compare(l.bytes, b) })
	switch {
	case i == 0:
		return t.lengths[0].seconds
	case i == len(t.lengths):
		return t.lengths[i-1].seconds
	}
	a, b := t.lengths[i-1], t.lengths[i]
	return a.seconds + (b.seconds-a.seconds)*(bytes-a.bytes)/(b.bytes-a.bytes)
}

// at interpolates on a straight line between the curves of the two rates that
// enclose one, and takes the nearest beyond the last.
func (c *Clock) at(t timed, eps, bytes float64) Estimate {
	bytes = math.Max(bytes, 1)
	i, exact := slices.BinarySearch(t.rates, eps)
	switch {
	case exact || i == 0:
		return c.atFootprint(t.curves[i], bytes)
	case i == len(t.rates):
		return c.atFootprint(t.curves[i-1], bytes)
	}
	low := safeLog(t.rates[i-1])
	share := (safeLog(eps) - low) / (safeLog(t.rates[i]) - low)
	return c.atFootprint(t.curves[i-1], bytes).Times(1 - share).Plus(c.atFootprint(t.curves[i], bytes).Times(share))
}

func safeLog(x float64) float64 { return math.Log(math.Max(x, 1e-18)) }

// atFootprint interpolates the logarithm of the time.
func (c *Clock) atFootprint(some []reading, bytes float64) Estimate {
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
