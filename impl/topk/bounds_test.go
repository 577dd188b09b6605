package topk

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// bounded is what all structures answer.
type bounded interface {
	sketchproof.TopK
	Count(key uint64) sketchproof.Heavy
	Held(key uint64) bool
	Len() int
	K() int
}

func mustCountMin(t testing.TB, k int, events []event) *CountMin {
	t.Helper()
	s, err := NewCountMin(CountMinParams{k, countmin.Params{Width: 64, Depth: 3, Hash: hash}})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		s.Add(e.key, e.weight)
	}
	return s
}

// checkBounds: every key weighs Count-Over to Count, kept or not, and Top lists
// what Count says, in order.
func checkBounds(t *testing.T, s bounded, truth map[uint64]uint64) {
	t.Helper()
	for key := range uint64(500) {
		if h := s.Count(key); h.Key != key || truth[key] > h.Count || truth[key] < h.Count-h.Over || h.Over > h.Count {
			t.Fatalf("%T, k %d: key %d weighs %d: %+v", s, s.K(), key, truth[key], h)
		}
	}
	top := s.Top(math.MaxInt)
	if len(top) != s.Len() || len(s.Top(0)) != 0 || len(s.Top(-1)) != 0 || !slices.Equal(s.Top(5), top[:min(5, len(top))]) {
		t.Fatalf("%T: %d of %d listed", s, len(top), s.Len())
	}
	if !slices.IsSortedFunc(top, func(a, b sketchproof.Heavy) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Key, b.Key))
	}) {
		t.Fatalf("%T: not in order: %v", s, top)
	}
	for _, h := range top {
		if !s.Held(h.Key) || s.Count(h.Key) != h {
			t.Fatalf("%T lists %+v and says %+v", s, h, s.Count(h.Key))
		}
	}
}

func TestBoundsHold(t *testing.T) {
	cases(func(k int, events []event) {
		truth := truthOf(events)
		ss, mg, cm := mustSpaceSaving(t, k, events), mustMisraGries(t, k, events), mustCountMin(t, k, events)
		cm.summary.check(t)
		for _, s := range []bounded{ss, mg, cm} {
			checkBounds(t, s, truth)
		}
		sum := uint64(0)
		for _, h := range ss.Top(k) {
			sum += h.Count
		}
		checkErrors(t, ss, mg, truth)
		if sum != ss.Total() {
			t.Fatalf("k %d: counts add up to %d, N is %d", k, sum, ss.Total())
		}
	})
}

// checkErrors: the errors are at most N/k and (N - sum)/(k+1), and that of what
// is left without the heaviest; whoever weighs more than N/k is kept.
func checkErrors(t *testing.T, ss *SpaceSaving, mg *MisraGries, truth map[uint64]uint64) {
	t.Helper()
	k, total := ss.K(), uint64(0)
	var weights []uint64
	for key, weight := range truth {
		total += weight
		weights = append(weights, weight)
		if weight > ss.Total()/uint64(k) && !ss.Held(key) || weight > mg.Total()/uint64(k+1) && !mg.Held(key) {
			t.Fatalf("k %d: key %d weighs %d of %d and is not kept", k, key, weight, ss.Total())
		}
	}
	if ss.Total() != total || mg.Total() != total {
		t.Fatalf("totals %d and %d, N is %d", ss.Total(), mg.Total(), total)
	}
	slices.Sort(weights)
	slices.Reverse(weights)
	rest := float64(total)
	for j := 0; j < min(k, len(weights)); j++ {
		if least := float64(ss.Least()); least > ResidualError(rest, j, k)*(1+1e-12) {
			t.Fatalf("k %d: least %v, without the %d heaviest at most %v", k, least, j, ResidualError(rest, j, k))
		}
		rest -= float64(weights[j])
	}
	if float64(ss.Least()) > SpaceSavingError(float64(total), k)*(1+1e-12) {
		t.Fatalf("k %d: least %d of %d", k, ss.Least(), total)
	}
	sum := 0.0
	for _, h := range mg.Top(k) {
		sum += float64(h.Count - h.Over)
	}
	if float64(mg.Lowered()) > MisraGriesError(float64(total), sum, k)*(1+1e-12) {
		t.Fatalf("k %d: lowered by %d of %d", k, mg.Lowered(), total)
	}
}

// Eight shares of a stream, merged one after the other, keep the bounds of all.
func TestMergedBoundsHold(t *testing.T) {
	cases(func(k int, events []event) {
		ss, mg, cm := mustSpaceSaving(t, k, nil), mustMisraGries(t, k, nil), mustCountMin(t, k, nil)
		for part := range slices.Chunk(events, (len(events)+7)/8) {
			a, b, c := mustSpaceSaving(t, k, part), mustMisraGries(t, k, part), mustCountMin(t, k, part)
			before, after := [3]any{a.Clone(), b.Clone(), c.Clone()}, [3]error{ss.Merge(a), mg.Merge(b), cm.Merge(c)}
			if after != [3]error{} || !a.Equal(before[0].(*SpaceSaving)) || !b.Equal(before[1].(*MisraGries)) || !c.Equal(before[2].(*CountMin)) {
				t.Fatalf("errors %v, or a merge changed its source", after)
			}
		}
		truth := truthOf(events)
		for _, s := range []bounded{ss, mg, cm} {
			checkBounds(t, s, truth)
		}
		checkErrors(t, ss, mg, truth)
		ss.summary.check(t)
		mg.summary.check(t)
		cm.summary.check(t)
	})
}

func TestMergeDoesNotDependOnTheSide(t *testing.T) {
	a, b := stream(1, 2000, 300, 4), stream(2, 500, 300, 4)
	x, y := mustSpaceSaving(t, 20, a), mustSpaceSaving(t, 20, b)
	if err := x.Merge(mustSpaceSaving(t, 20, b)); err != nil {
		t.Fatal(err)
	}
	if err := y.Merge(mustSpaceSaving(t, 20, a)); err != nil {
		t.Fatal(err)
	}
	if !x.Equal(y) {
		t.Error("Space-Saving: the sides differ")
	}
	v, w := mustMisraGries(t, 20, a), mustMisraGries(t, 20, b)
	if err := v.Merge(mustMisraGries(t, 20, b)); err != nil {
		t.Fatal(err)
	}
	if err := w.Merge(mustMisraGries(t, 20, a)); err != nil {
		t.Fatal(err)
	}
	if !v.Equal(w) {
		t.Error("Misra-Gries: the sides differ")
	}
}

func TestWeightsSaturate(t *testing.T) {
	const huge = math.MaxUint64 - 1
	events := []event{{1, huge}, {2, 7}, {1, 9}, {3, huge}, {4, 1}, {3, 5}, {5, 2}}
	ss, mg, cm := mustSpaceSaving(t, 2, events), mustMisraGries(t, 2, events), mustCountMin(t, 2, events)
	if ss.Total() != math.MaxUint64 || mg.Total() != math.MaxUint64 || cm.Total() != math.MaxUint64 {
		t.Errorf("totals %d, %d, %d", ss.Total(), mg.Total(), cm.Total())
	}
	if got := ss.Count(1).Count; got != math.MaxUint64 {
		t.Errorf("key 1 counts %d", got)
	}
	for _, s := range []bounded{ss, mg, cm} {
		for key, least := range map[uint64]uint64{1: huge, 2: 7, 3: huge, 4: 1, 5: 2} {
			if s.Count(key).Count < least {
				t.Errorf("%T: key %d counts %d", s, key, s.Count(key).Count)
			}
		}
	}
	for _, s := range []codec{ss, mg, cm} {
		data := marshal(t, s)
		if err := fresh(s).UnmarshalBinary(data); err != nil {
			t.Errorf("%T: %v", s, err)
		}
	}
}

func TestZeroWeightsChangeNothing(t *testing.T) {
	events := []event{{1, 0}, {2, 3}, {1, 0}}
	for _, s := range []bounded{mustSpaceSaving(t, 2, events), mustMisraGries(t, 2, events), mustCountMin(t, 2, events)} {
		if s.Len() != 1 || s.Held(1) || s.Count(2).Count != 3 {
			t.Errorf("%T: %v", s, s.Top(9))
		}
	}
}

func TestConstructorsRefuse(t *testing.T) {
	for says, p := range map[string]Params{
		"0 counters, must be from 1 to 268435456":         {0, hash},
		"-1 counters, must be":                            {-1, hash},
		"268435457 counters, must be from 1 to 268435456": {MaxK + 1, hash},
		"unknown hash family":                             {1, hashing.Hasher{}},
	} {
		_, a := NewSpaceSaving(p)
		_, b := NewMisraGries(p)
		_, c := NewCountMin(CountMinParams{p.K, countmin.Params{Width: 9, Depth: 2, Hash: p.Hash}})
		for _, err := range []error{a, b, c} {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%+v: %v, want %q", p, err, says)
			}
		}
	}
	if _, err := NewCountMin(CountMinParams{1, countmin.Params{Width: 0, Depth: 2, Hash: hash}}); err == nil {
		t.Error("a table without columns")
	}
}

func TestMergeNamesTheDifference(t *testing.T) {
	events := stream(1, 100, 50, 2)
	a, b, c := mustSpaceSaving(t, 5, events), mustMisraGries(t, 5, events), mustCountMin(t, 5, events)
	x, _ := NewSpaceSaving(Params{5, hashing.XX(2)})
	y, _ := NewMisraGries(Params{5, hashing.XX(2)})
	z, _ := NewCountMin(CountMinParams{5, countmin.Params{Width: 64, Depth: 3, Hash: hashing.XX(2)}})
	before := [][]byte{marshal(t, a), marshal(t, b), marshal(t, c)}
	for says, errs := range map[string][]error{
		"5 counters against 6":      {a.Merge(mustSpaceSaving(t, 6, nil)), b.Merge(mustMisraGries(t, 6, nil))},
		"5 keys against 6":          {c.Merge(mustCountMin(t, 6, nil))},
		"xxhash64 seed 1 against a": {a.Merge(x), b.Merge(y), c.Merge(z)},
	} {
		for _, err := range errs {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v, want %q", err, says)
			}
		}
	}
	for i, s := range []codec{a, b, c} {
		if string(marshal(t, s)) != string(before[i]) {
			t.Errorf("%T: a refused merge changed it", s)
		}
	}
}

// Keys that meet in the index: one slot in four is home to all.
func TestIndexSurvivesCollisions(t *testing.T) {
	x := newIndex(hash)
	var crowd []uint64
	for key := uint64(0); len(crowd) < 60; key++ {
		if hash.Uint64(key)>>62 == 3 {
			crowd = append(crowd, key)
		}
	}
	in := map[uint64]bool{}
	for _, e := range stream(5, 5000, len(crowd), 1) {
		if key := crowd[e.key]; in[key] {
			x.remove(key)
			delete(in, key)
		} else {
			x.insert(key, int32(e.key))
			in[key] = true
		}
		for i, key := range crowd {
			if got := x.find(key); in[key] && got != int32(i) || !in[key] && got != -1 {
				t.Fatalf("key %d is at %d, in: %t", key, got, in[key])
			}
		}
	}
}

func TestBytesAreTheirHash(t *testing.T) {
	ss, mg, cm := mustSpaceSaving(t, 2, nil), mustMisraGries(t, 2, nil), mustCountMin(t, 2, nil)
	text := []byte("heavy")
	ss.AddBytes(text, 3)
	mg.AddBytes(text, 3)
	cm.AddBytes(text, 3)
	for _, s := range []interface {
		bounded
		CountBytes([]byte) sketchproof.Heavy
		Key([]byte) uint64
	}{ss, mg, cm} {
		if got := s.CountBytes(text); got.Count != 3 || got.Over != 0 || got.Key != hash.Bytes(text) || !s.Held(s.Key(text)) {
			t.Errorf("%T: %+v", s, got)
		}
	}
}

func TestCloneResetEqual(t *testing.T) {
	events := stream(3, 500, 100, 3)
	a, b, c := mustSpaceSaving(t, 9, events), mustMisraGries(t, 9, events), mustCountMin(t, 9, events)
	x, y, z := a.Clone(), b.Clone(), c.Clone()
	x.Add(1000, 1)
	y.Add(1000, 1<<40)
	z.Add(1000, 1)
	if a.Equal(x) || b.Equal(y) || c.Equal(z) || a.Held(1000) || b.Held(1000) || c.Count(1000).Count > 0 && c.Total() != z.Total()-1 {
		t.Error("a clone shares something")
	}
	a.Reset()
	b.Reset()
	c.Reset()
	if !a.Equal(mustSpaceSaving(t, 9, nil)) || !b.Equal(mustMisraGries(t, 9, nil)) || !c.Equal(mustCountMin(t, 9, nil)) {
		t.Error("not empty after Reset")
	}
}

func TestAddsDoNotAllocateOnceFull(t *testing.T) {
	events := stream(4, 20000, 5000, 50)
	ss, mg := mustSpaceSaving(t, 100, events), mustMisraGries(t, 100, events)
	i := 0
	if n := testing.AllocsPerRun(5000, func() {
		ss.Add(events[i].key, events[i].weight)
		mg.Add(events[i].key, events[i].weight)
		i++
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
