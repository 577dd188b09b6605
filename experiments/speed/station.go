package speed

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A station is one subject at one point, which takes its turn in every round.
type station interface {
	// round takes a reading of every operation.
	round(seed uint64) error
	// holds is the number of bytes that it keeps from round to round.
	holds() int64
	measurements() []Measurement
}

// The verbs of a filter's operations. A mix is of present and absent keys in an
// order that no branch predictor can tell.
const (
	verbAdd   = "add"
	verbBuild = "build" // per key, of a structure that takes all its keys at once
	verbHit   = "hit"
	verbMiss  = "miss"
	verbMix   = "mixed"
)

var lookups = []string{verbHit, verbMiss, verbMix}

const (
	// A structure whose build took longer than this is kept for all rounds.
	rebuilt = 30 * time.Millisecond
	// Small structures are built over and over, until so many keys were added.
	leastAdded = 20_000
	// A static filter is built of byte strings, in place of numbers, up to so many.
	mostTexts = 400_000
	// A reading ends when so much time was measured, within limits of chunks.
	enough, leastLaps, mostLaps = 600 * time.Microsecond, 8, 24
)

// A filterStation measures a filter.
type filterStation struct {
	subject adapters.Filter
	point   Point
	hand    *hand
	log     readings

	static bool          // it takes all keys at once
	spells bool          // it answers for byte strings
	took   time.Duration // of the last build, everything included
	keys   keys
	size   int // of a chunk of additions
	held   map[form]holding
	asked  int // absent keys so far
	drawn  uint64
	found  int // absent keys that were found
}

// A holding is the filter that answers for a form, and which chunks of keys it
// was given in that form.
type holding struct {
	f      sketchproof.Filter
	chunks []int
}

func newFilterStation(s adapters.Filter, p Point) (*filterStation, error) {
	if p.Keys < 1 {
		return nil, fmt.Errorf("%d keys; there must be at least one", p.Keys)
	}
	st := &filterStation{subject: s, point: p, hand: newHand(p.KeyBytes), size: chunk}
	for st.size > 16 && st.size > p.Keys/12 { // every way has full chunks
		st.size /= 2
	}
	f, err := s.Build(sketchproof.FilterSpec{Capacity: 1, Epsilon: p.Epsilon})
	if err != nil {
		return nil, err
	}
	_, adds := f.(sketchproof.Adder)
	_, st.spells = f.(sketchproof.BytesFilter)
	st.static = !adds
	return st, nil
}

func (s *filterStation) holds() (bytes int64) {
	seen := map[sketchproof.Filter]bool{}
	for _, h := range s.held {
		if !seen[h.f] {
			seen[h.f] = true
			bytes += int64(h.f.SizeBytes())
		}
	}
	return bytes
}

func (s *filterStation) round(seed uint64) error {
	if s.held == nil || s.took < rebuilt {
		start := threadTime()
		if err := s.build(seed); err != nil {
			return err
		}
		s.took = threadTime() - start
	}
	s.warm()
	for _, w := range ways {
		if s.point.KeyBytes == 0 && w.form == texts {
			continue
		}
		for _, verb := range lookups {
			if err := s.ask(verb, w); err != nil {
				return err
			}
		}
	}
	return nil
}

// build makes the filter anew, several times when it is small; the last stays.
func (s *filterStation) build(seed uint64) error {
	s.held = nil
	times := max(1, leastAdded/s.point.Keys)
	if s.static {
		return s.buildStatic(seed, times)
	}
	laps := map[way]*laps{}
	for i := range times {
		if err := s.fill(hashing.Mix(seed+uint64(i)), laps); err != nil {
			return err
		}
	}
	for _, w := range ways {
		if l := laps[w]; l != nil {
			s.log.add(w.op(verbAdd), l.perCall())
		}
	}
	return nil
}

// fill adds keys to a new filter, chunk after chunk in every way that it has by
// turns: all ways meet it at every fill.
func (s *filterStation) fill(seed uint64, times map[way]*laps) error {
	n := s.point.Keys
	s.keys, s.asked, s.drawn = keys(seed), 0, 0
	f, err := s.subject.Build(sketchproof.FilterSpec{Capacity: n, Epsilon: s.point.Epsilon, Seed: seed})
	if err != nil {
		return err
	}
	var turns []way
	var adds []func(n int) error
	for _, w := range ways {
		if w.form == texts && s.point.KeyBytes == 0 || !s.point.wants(w.op(verbAdd)) {
			continue
		}
		if add := adding(f, w, s.hand); add != nil {
			turns, adds = append(turns, w), append(adds, add)
			if times[w] == nil {
				times[w] = new(laps)
			}
		}
	}
	s.held = map[form]holding{}
	if len(turns) == 0 {
		return nil // it takes no such keys: there is nothing to time
	}
	for from := 0; from < n; from += s.size {
		turn := from / s.size % len(turns)
		some := min(s.size, n-from)
		for i := range some {
			s.hand.numbers[i] = s.keys.at(from + i)
		}
		if turns[turn].form == texts {
			s.hand.spell(some)
		}
		times[turns[turn]].time(some, func() {
			if e := adds[turn](some); e != nil {
				err = e
			}
		})
		if err != nil {
			return fmt.Errorf("after %d of %d keys: %w", from, n, err)
		}
		h := s.held[turns[turn].form]
		h.f = f
		if some == s.size {
			h.chunks = append(h.chunks, from/s.size)
		}
		s.held[turns[turn].form] = h
	}
	return nil
}

// buildStatic builds a filter of numbers, and one of byte strings.
func (s *filterStation) buildStatic(seed uint64, times int) error {
	n := s.point.Keys
	s.keys, s.asked, s.drawn = keys(seed), 0, 0
	spec := sketchproof.FilterSpec{Epsilon: s.point.Epsilon, Seed: seed, Keys: make([]uint64, n)}
	var all []int
	for i := range spec.Keys {
		spec.Keys[i] = s.keys.at(i)
		if i%s.size == s.size-1 {
			all = append(all, i/s.size)
		}
	}
	byNumbers, byTexts := s.point.wants(way{numbers, false}.op(verbBuild)), s.point.wants(way{texts, false}.op(verbBuild))
	s.held = map[form]holding{}
	if byNumbers {
		f, sec, err := s.timed(spec, times)
		if err != nil {
			return err
		}
		s.log.add(verbBuild, sec)
		s.held[numbers], s.held[hashes] = holding{f, all}, holding{f: f}
		if s.point.KeyBytes > 0 {
			s.held[texts] = holding{f: f}
		}
	}
	if !s.spells || !byTexts || s.point.KeyBytes == 0 || byNumbers && n > mostTexts {
		return nil
	}
	spec.ByteKeys = make([][]byte, n)
	room := make([]byte, n*s.point.KeyBytes)
	for i, key := range spec.Keys {
		text := room[i*s.point.KeyBytes : (i+1)*s.point.KeyBytes : (i+1)*s.point.KeyBytes]
		spell(text, key)
		spec.ByteKeys[i] = text
	}
	spec.Keys = nil
	f, sec, err := s.timed(spec, times)
	if err != nil {
		return err
	}
	s.log.add(way{texts, false}.op(verbBuild), sec)
	s.held[texts] = holding{f, all}
	return nil
}

// timed builds a filter so many times and returns the seconds per key.
func (s *filterStation) timed(spec sketchproof.FilterSpec, times int) (f sketchproof.Filter, sec float64, err error) {
	sec = per(s.point.Keys*times, func() {
		for range times {
			if f, err = s.subject.Build(spec); err != nil {
				return
			}
		}
	})
	return f, sec, err
}

// warm brings the filter back into the caches that it fits: other subjects had
// their turns since it was last asked.
func (s *filterStation) warm() {
	for _, w := range ways {
		h := s.held[w.form]
		if h.chunks == nil || w.batch {
			continue
		}
		run := asking(h.f, w, s.hand)
		for range min(2*h.f.SizeBytes()/line, 1<<16)/chunk + 1 {
			s.ready(verbHit, w.form, h)
			run(chunk)
		}
		return
	}
}

// ready puts a chunk of probes into the hand.
func (s *filterStation) ready(verb string, as form, h holding) {
	present := map[string]float64{verbHit: 1, verbMiss: 0, verbMix: s.point.Present}[verb]
	likely := uint64(math.MaxUint64)
	if present < 1 {
		likely = uint64(math.Ldexp(present, 64))
	}
	for i := range s.hand.numbers {
		s.drawn++
		draw := hashing.Mix(^uint64(s.keys) + s.drawn*hashing.Gamma)
		if present == 0 || draw > likely {
			s.hand.numbers[i] = s.keys.at(s.point.Keys + s.asked)
			s.asked++
			continue
		}
		// Another draw says which: the first was low.
		at := int(hashing.Mix(draw) >> 33 * uint64(len(h.chunks)*s.size) >> 31)
		s.hand.numbers[i] = s.keys.at(h.chunks[at/s.size]*s.size + at%s.size)
	}
	if as == texts {
		s.hand.spell(chunk)
	}
}

// ask takes a reading of look-ups.
func (s *filterStation) ask(verb string, w way) error {
	h, ok := s.held[w.form]
	if !ok || h.chunks == nil && verb != verbMiss || !s.point.wants(w.op(verb)) {
		return nil
	}
	run := asking(h.f, w, s.hand)
	if run == nil {
		return nil
	}
	var l laps
	var measured time.Duration
	before, found := s.asked, 0
	for len(l) < leastLaps || len(l) < mostLaps && measured < enough {
		s.ready(verb, w.form, h)
		measured += l.time(chunk, func() { found += run(chunk) })
		if w.batch {
			found += s.hand.found()
		}
	}
	asked, absent := len(l)*chunk, s.asked-before
	switch wrong := found - (asked - absent); {
	case wrong < 0:
		return fmt.Errorf("%d of %d keys not found that are held, by %s", -wrong, asked-absent, w.op(verb))
	case verb == verbMiss && found == asked:
		return fmt.Errorf("all %d absent keys found, by %s", asked, w.op(verb))
	default:
		s.found += wrong
		s.log.absent += absent
	}
	s.log.add(w.op(verb), l.perCall())
	return nil
}

func (s *filterStation) measurements() []Measurement {
	bytes := map[form]int64{}
	for as, h := range s.held {
		bytes[as] = int64(h.f.SizeBytes())
	}
	s.log.found = s.found
	return s.log.measurements(s.point, s.subject.Module, func(op string) (int64, int) {
		for _, w := range ways {
			for _, verb := range slices.Concat(lookups, []string{verbAdd, verbBuild}) {
				if w.op(verb) == op {
					keyBytes := 0
					if w.form == texts {
						keyBytes = s.point.KeyBytes
					}
					return bytes[w.form], keyBytes
				}
			}
		}
		return 0, 0
	})
}
