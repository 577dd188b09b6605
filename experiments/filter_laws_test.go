package experiments

import (
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// ourBloom is our Bloom filter, to be broken in one way at a time.
func ourBloom(t *testing.T) adapters.Filter {
	t.Helper()
	for _, s := range adapters.Filters {
		if s.Name == "bloom" {
			return s
		}
	}
	t.Fatal("no subject is called bloom")
	return adapters.Filter{}
}

// counterexamples are those that a trial of the cell reads, by law.
func counterexamples(t *testing.T, c engine.Cell) map[string]int64 {
	t.Helper()
	trial := engine.NewT(7, c.Metrics)
	if err := c.Run(trial); err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	for _, r := range trial.Readings() {
		if r.Num > 0 {
			found[c.Metrics[r.Metric].Law] = r.Num
		}
	}
	return found
}

// lossyBloom is one that does not find one key in 128 by its hash.
type lossyBloom struct{ *bloom.Filter }

func (f lossyBloom) Contains(key uint64) bool {
	return hashing.Mix(key)%128 != 0 && f.Filter.Contains(key)
}

func TestLossIsSeenInEveryState(t *testing.T) {
	subject := ourBloom(t)
	for _, c := range lossCells(subject, numberShapes[0]) {
		if got := counterexamples(t, c); len(got) != 0 {
			t.Errorf("%s: %v of a sound filter", c.Name(), got)
		}
	}
	forget := func(f sketchproof.Filter, err error) (sketchproof.Filter, error) {
		if err != nil {
			return nil, err
		}
		return lossyBloom{f.(*bloom.Filter)}, nil
	}
	build, decode := subject.Build, subject.Decode
	subject.Build = func(s sketchproof.FilterSpec) (sketchproof.Filter, error) { return forget(build(s)) }
	subject.Decode = func(data []byte) (sketchproof.Filter, error) { return forget(decode(data)) }
	subject.Merge = func(dst, src sketchproof.Filter) error {
		return dst.(lossyBloom).Filter.Merge(src.(lossyBloom).Filter)
	}
	cells := lossCells(subject, numberShapes[0])
	if len(cells) != len(lossStates) {
		t.Errorf("%d of %d states", len(cells), len(lossStates))
	}
	for _, c := range cells {
		if counterexamples(t, c)[falseNegatives.Law] == 0 {
			t.Errorf("%s: no loss was seen", c.Name())
		}
	}
}

// Each way to merge wrongly breaks the laws that speak of it.
func TestWrongMergersAreSeen(t *testing.T) {
	merge := func(dst, src sketchproof.Filter) error { return dst.(*bloom.Filter).Merge(src.(*bloom.Filter)) }
	for name, c := range map[string]struct {
		merge func(dst, src sketchproof.Filter) error
		laws  []string
	}{
		"right":            {merge, nil},
		"does nothing":     {func(_, _ sketchproof.Filter) error { return nil }, []string{unionEqual.Law, unionCommutative.Law, unionMonotone.Law, unionPartition.Law}},
		"merges both ways": {func(dst, src sketchproof.Filter) error { return both(merge(dst, src), merge(src, dst)) }, []string{unionSource.Law}},
		"adds one key of its": {func(dst, src sketchproof.Filter) error {
			return both(merge(dst, src), dst.(*bloom.Filter).Add(uint64(dst.(*bloom.Filter).BitsSet())))
		}, []string{unionEqual.Law, unionIdempotent.Law, unionPartition.Law}},
	} {
		subject := ourBloom(t)
		subject.Merge = c.merge
		got := counterexamples(t, unionCell(subject, 100))
		for _, law := range c.laws {
			if got[law] == 0 {
				t.Errorf("%s: law %s was not broken: %v", name, law, got)
			}
		}
		if c.laws == nil && len(got) > 0 {
			t.Errorf("%s: broken are %v", name, got)
		}
	}
}

func both(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// Keys of a shape differ, for any seed: what is never added must be absent.
func TestShapesRepeatNoKey(t *testing.T) {
	for _, s := range shapesOf(true) {
		for _, seed := range []uint64{0, 1<<63 + 12345, 1<<64 - 1} {
			seen := map[string]int{}
			for i := range 10000 {
				key := keyText(s, seed, i)
				if j, again := seen[key]; again {
					t.Fatalf("%s, seed %d: keys %d and %d are one", s.name, seed, j, i)
				}
				seen[key] = i
			}
		}
		if keyText(s, 1<<62, 600) == keyText(s, 0, 600) {
			t.Errorf("%s: the seed changes nothing", s.name)
		}
	}
	if n := len(keyText(textShapes[len(textShapes)-1], 1, 500)); n != 1<<20 {
		t.Errorf("the longest key has %d bytes", n)
	}
	if keyText(textShapes[len(textShapes)-1], 1, 0) != "" {
		t.Error("no key is empty")
	}
}

func keyText(s shape, seed uint64, i int) string {
	if s.text != nil {
		return string(s.text(nil, seed, i))
	}
	var b [8]byte
	for j := range b {
		b[j] = byte(s.number(seed, i) >> (8 * j))
	}
	return string(b[:])
}
