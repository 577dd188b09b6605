package sketchtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type topSubject = sketchproof.Subject[sketchproof.TopK, sketchproof.TopKSpec]

// TopK holds a heavy-hitter structure to what all of its kind promise. build makes
// an empty one. One that may lose heavy keys by chance says so by a law about
// [sketchproof.MetricLost].
func TopK(t testing.TB, build func(sketchproof.TopKSpec) (sketchproof.TopK, error), o TopKOptions) {
	t.Helper()
	run(t, "topk", o, TopKCases(o.subject(build), o.effort()))
}

// TopKCases are the cases of a heavy-hitter structure.
func TopKCases(s topSubject, e Effort) []Case {
	var cases []Case
	for _, check := range topKChecks {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

// topKChecks are the general checks of a heavy-hitter structure. None knows an
// implementation.
var topKChecks = []func(s topSubject, e Effort) []Case{
	topList,
	topBounds,
	topKept,
	topFew,
	func(s topSubject, e Effort) []Case { return topKProbe(s).alike() },
}

// A topStream is an order in which keys come. Key number 0 is the heaviest.
type topStream struct {
	name, words string
	events      func(k keys) []event
}

type event struct{ key, weight uint64 }

// topStreams are streams of which many keys weigh little. That in which all come
// once before the heavy ones come at all leaves a structure nothing to begin with.
var topStreams = []topStream{
	{"skewed", "1000 keys, the i-th with a weight of ⌊300/i⌋+1, dealt out in rounds of 1", func(k keys) (list []event) {
		for i := range 1000 {
			list = append(list, event{k.at(i), 1})
		}
		for round := 1; round <= 300; round++ {
			for i := range 300 / round {
				list = append(list, event{k.at(i), 1})
			}
		}
		return list
	}},
	{"distinct-first", "1000 keys once, then 10 of them 100 times more in turn", func(k keys) (list []event) {
		for i := 999; i >= 0; i-- {
			list = append(list, event{k.at(i), 1})
		}
		for range 100 {
			for i := range 10 {
				list = append(list, event{k.at(i), 1})
			}
		}
		return list
	}},
	{"heavy-first", "10 keys 100 times in turn, then 1000 others once", func(k keys) (list []event) {
		for range 100 {
			for i := range 10 {
				list = append(list, event{k.at(i), 1})
			}
		}
		for i := range 1000 {
			list = append(list, event{k.at(10 + i), 1})
		}
		return list
	}},
	{"weighted", "500 keys, the i-th with a weight of 10^4/i, at once, the lightest first", func(k keys) (list []event) {
		for i := 499; i >= 0; i-- {
			list = append(list, event{k.at(i), uint64(10000 / (i + 1))})
		}
		return list
	}},
}

// topCounters is K.
const topCounters = 40

// A counted stream is one that a structure was given, and the truth about it.
type countedStream struct {
	top   sketchproof.TopK
	truth map[uint64]uint64
	total uint64
}

func (stream topStream) feed(s topSubject, k keys) (c countedStream, err error) {
	if c.top, err = s.Build(sketchproof.TopKSpec{K: topCounters, Seed: k.seed()}); err != nil {
		return c, err
	}
	c.truth = map[uint64]uint64{}
	for _, ev := range stream.events(k) {
		c.top.Add(ev.key, ev.weight)
		c.truth[ev.key] += ev.weight
		c.total += ev.weight
	}
	return c, nil
}

// heavy are the keys that weigh more than share of the stream.
func (c countedStream) heavy(above float64) []uint64 {
	var list []uint64
	for key, weight := range c.truth {
		if float64(weight) > above {
			list = append(list, key)
		}
	}
	slices.SortFunc(list, func(a, b uint64) int { return cmp.Or(cmp.Compare(c.truth[b], c.truth[a]), cmp.Compare(a, b)) })
	return list
}

func streams(e Effort) []topStream { return pick(e, topStreams[:2], topStreams[2:], nil) }

// topList: what is listed is in order, once each, no more than was asked for, and
// nothing that never came.
func topList(s topSubject, e Effort) []Case {
	return []Case{invariant(sketchproof.Accuracy, "wrong/list", "listed", "at most n keys, the heaviest first; of equal ones, the smaller key", 6000, record.L("check", "list"), func(k keys, f *finding) error {
		for _, stream := range streams(e) {
			c, err := stream.feed(s, k)
			if err != nil {
				return err
			}
			all := c.top.Top(topCounters)
			for _, n := range []int{-1, 0, 1, 3, topCounters, math.MaxInt} {
				f.asked++
				list := c.top.Top(n)
				seen := map[uint64]bool{}
				for i, h := range list {
					before := list[max(i-1, 0)]
					switch {
					case seen[h.Key]:
						f.fail("K = %d, %s: Top(%d) lists key %#x twice", topCounters, stream.words, n, h.Key)
					case c.truth[h.Key] == 0:
						f.fail("K = %d, %s: Top(%d) lists key %#x, which never came", topCounters, stream.words, n, h.Key)
					case h.Count > before.Count || i > 0 && h.Count == before.Count && h.Key < before.Key:
						f.fail("K = %d, %s: Top(%d) lists %+v after %+v", topCounters, stream.words, n, h, before)
					}
					seen[h.Key] = true
				}
				if len(list) > max(n, 0) || n <= topCounters && !slices.Equal(list, all[:min(max(n, 0), len(all))]) {
					f.fail("K = %d, %s: Top(%d) lists %d keys, and not those that Top(%d) begins with", topCounters, stream.words, n, len(list), topCounters)
				}
			}
		}
		return nil
	})}
}

// topBounds: a key weighs no less than Count-Over and no more than Count.
func topBounds(s topSubject, e Effort) []Case {
	var cases []Case
	for _, stream := range streams(e) {
		cases = append(cases, invariant(sketchproof.Accuracy, "outside/listed", "bounds", "Heavy: from Count-Over to Count", 4000, record.L("check", "bounds", "stream", stream.name), func(k keys, f *finding) error {
			c, err := stream.feed(s, k)
			if err != nil {
				return err
			}
			for _, h := range c.top.Top(topCounters) {
				f.asked++
				if w := c.truth[h.Key]; h.Over > h.Count || w > h.Count || w < h.Count-h.Over {
					f.fail("K = %d, %s: key %#x weighs %d and is listed as %+v", topCounters, stream.words, h.Key, w, h)
				}
			}
			return nil
		}))
	}
	return cases
}

// topKept: keys above N/K are listed.
func topKept(s topSubject, e Effort) []Case {
	law, byChance := s.LawFor(sketchproof.MetricLost)
	var cases []Case
	for _, stream := range streams(e) {
		labels := record.L("check", "kept", "stream", stream.name)
		lost := func(k keys, f *finding) error {
			c, err := stream.feed(s, k)
			if err != nil {
				return err
			}
			listed := map[uint64]bool{}
			for _, h := range c.top.Top(topCounters) {
				listed[h.Key] = true
			}
			for _, key := range c.heavy(float64(c.total) / topCounters) {
				f.asked++
				if !listed[key] {
					f.fail("K = %d, %s: key %#x weighs %d of %d, and is not listed", topCounters, stream.words, key, c.truth[key], c.total)
				}
			}
			return nil
		}
		judge := invariant(sketchproof.Accuracy, sketchproof.MetricLost, "kept", "Misra and Gries 1982; Metwally, Agrawal, El Abbadi 2005, Theorem 4: K counters keep every key above N/K", 4000, labels, lost)
		if byChance {
			judge.Method, judge.Law, judge.Source, judge.Trials = stats.Share, law.Name, law.Source, errorTrials
			judge.Run = func(seed uint64) (Reading, error) {
				var f finding
				err := lost(keys(seed), &f)
				r := f.reading()
				r.Band = law.Predict(nil, sketchproof.TopKSpec{K: topCounters}, len(stream.events(0)))
				return r, err
			}
		}
		cases = append(cases, judge)
		if byChance {
			continue // nor is the error bounded
		}
		cases = append(cases, invariant(sketchproof.Accuracy, "over-bound/listed", "error", "Metwally, Agrawal, El Abbadi 2005, Theorem 2: no count is off by more than N/K", 4000,
			record.L("check", "error", "stream", stream.name), func(k keys, f *finding) error {
				c, err := stream.feed(s, k)
				if err != nil {
					return err
				}
				for _, h := range c.top.Top(topCounters) {
					f.asked++
					if off := math.Abs(float64(h.Count) - float64(c.truth[h.Key])); off > float64(c.total)/topCounters {
						f.fail("K = %d, %s: of %d in all, key %#x weighs %d and counts %d", topCounters, stream.words, c.total, h.Key, c.truth[h.Key], h.Count)
					}
				}
				return nil
			}))
	}
	return cases
}

// topFew: as long as there are at most K keys all are listed; none is without a
// weight.
func topFew(s topSubject, _ Effort) []Case {
	return []Case{invariant(sketchproof.Accuracy, "wrong/list", "few", "K counters have room for K keys; a weight of 0 changes nothing", 400, record.L("check", "few"), func(k keys, f *finding) error {
		for _, n := range []int{0, 1, 2, topCounters - 1, topCounters} {
			top, err := s.Build(sketchproof.TopKSpec{K: topCounters, Seed: k.seed()})
			if err != nil {
				return err
			}
			for i := range n {
				top.Add(k.at(i), uint64(3*i+1))
				top.Add(k.at(n+i), 0)
			}
			list := top.Top(topCounters)
			f.asked++
			if len(list) != n {
				f.fail("K = %d, %d keys, as many of weight 0: %d are listed", topCounters, n, len(list))
			}
			for _, h := range list {
				i := slices.Index(k.slice(0, n), h.Key)
				f.asked++
				if i < 0 || h.Count < uint64(3*i+1) {
					f.fail("K = %d, %d keys with weights of 1, 4, 7 and so on: key %#x, number %d, is listed as %+v", topCounters, n, h.Key, i+1, h)
				}
			}
		}
		top, err := s.Build(sketchproof.TopKSpec{K: 1, Seed: k.seed()})
		if err != nil {
			return fmt.Errorf("with K = 1: %w", err)
		}
		top.Add(k.at(0), 5)
		f.asked++
		if list := top.Top(1); len(list) != 1 || list[0].Key != k.at(0) {
			f.fail("K = 1, key %#x of weight 5: Top(1) lists %v", k.at(0), list)
		}
		return f.also(func(f *finding) error {
			for _, end := range endKeys() {
				top, err := s.Build(sketchproof.TopKSpec{K: topCounters, Seed: k.seed()})
				if err != nil {
					return err
				}
				top.Add(end.number, 5)
				if list := top.Top(topCounters); len(list) != 1 || list[0].Key != end.number {
					f.fail("K = %d, key %v of weight 5 alone: %v is listed", topCounters, end, list)
				}
			}
			return nil
		})
	})}
}
