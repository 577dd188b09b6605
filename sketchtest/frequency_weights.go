package sketchtest

import (
	"math"
	"math/bits"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
)

// frequencyWeights: a weight of nothing changes nothing, and weights up to the
// largest are counted, or stop there.
func frequencyWeights(s frequencySubject, _ Effort) []Case {
	tab := table{16, 3}
	nothing := invariant(sketchproof.Accuracy, "changed/count", "weight-zero", "nothing is nothing", 600, record.L("check", "weight-zero"), func(k keys, f *finding) error {
		sketch, err := tab.build(s, k)
		if err != nil {
			return err
		}
		for i := range 100 {
			sketch.Add(k.at(i), 0)
		}
		for i := range 100 {
			f.asked++
			if got := sketch.Count(k.at(i)); got != 0 {
				f.fail("%v, 100 keys of weight 0: key %#x counts %d", tab, k.at(i), got)
			}
		}
		fed := feedSkewed(sketch, k, 20)
		before := counts(sketch, k, 40)
		for i := range 40 {
			sketch.Add(k.at(i), 0)
		}
		for i, got := range counts(sketch, k, 40) {
			f.asked++
			if got != before[i] {
				f.fail("%v, 20 keys of %d in all, then 40 of weight 0: the count of key %#x goes from %d to %d", tab, fed.total, k.at(i), before[i], got)
			}
		}
		return nil
	})
	if _, mayLieBelow := s.LawFor(sketchproof.MetricUnder); mayLieBelow {
		return []Case{nothing}
	}
	large := invariant(sketchproof.Capacity, sketchproof.MetricUnder, "saturation", "a weight has 64 bits: what is more stops at the largest number, or is that", 60, record.L("check", "large-weights"), func(k keys, f *finding) error {
		for _, weights := range [][]uint64{
			{1<<32 - 1, 1}, {1 << 32, 1 << 32}, {1<<53 + 1}, {1<<63 - 1, 1}, {math.MaxUint64}, {math.MaxUint64, 1}, {1 << 63, 1 << 63}, {math.MaxUint64, math.MaxUint64},
		} {
			sketch, err := tab.build(s, k)
			if err != nil {
				return err
			}
			truth := uint64(0)
			for _, w := range weights {
				sketch.Add(k.at(0), w)
				sum, carry := bits.Add64(truth, w, 0)
				if truth = sum; carry > 0 {
					truth = math.MaxUint64
				}
				f.asked++
				if got := sketch.Count(k.at(0)); got < truth {
					f.fail("%v, a key of weights %d: it counts %d", tab, weights, got)
					break
				}
			}
		}
		return f.also(func(f *finding) error { return largeMerged(f, s, tab, k) })
	})
	return []Case{nothing, large}
}

// largeMerged merges sketches of weights that are more than a counter holds.
func largeMerged(f *finding, s frequencySubject, tab table, k keys) error {
	if s.Merge == nil {
		return nil
	}
	for _, weight := range []uint64{1<<8 - 1, 1<<16 - 1, 1<<32 - 1, 1<<63 - 1, math.MaxUint64} {
		var parts [2]sketchproof.Frequency
		for i := range parts {
			var err error
			if parts[i], err = tab.build(s, k); err != nil {
				return err
			}
			parts[i].Add(k.at(0), weight)
		}
		if err := s.Merge(parts[0], parts[1]); err != nil {
			continue // it may refuse what it has no room for
		}
		truth, carry := bits.Add64(weight, weight, 0)
		if carry > 0 {
			truth = math.MaxUint64
		}
		if got := parts[0].Count(k.at(0)); got < truth {
			f.fail("%v, a key of weight %d in each of two, merged: it counts %d", tab, weight, got)
		}
	}
	return nil
}
