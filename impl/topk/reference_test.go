package topk

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// An event is a key and its weight.
type event struct{ key, weight uint64 }

// stream draws events over a number of keys, the low ones far more often; with
// weights to a greatest one.
func stream(seed uint64, events, keys int, heaviest uint64) []event {
	r := rand.New(rand.NewPCG(seed, 0))
	list := make([]event, events)
	for i := range list {
		f := r.Float64()
		list[i] = event{uint64(f * f * f * float64(keys)), 1 + r.Uint64N(heaviest)}
	}
	return list
}

func truthOf(events []event) map[uint64]uint64 {
	truth := map[uint64]uint64{}
	for _, e := range events {
		truth[e.key] += e.weight
	}
	return truth
}

// naiveSpaceSaving is the definition: a slice, in the order in which counters
// came to their count.
func naiveSpaceSaving(k int, events []event) []entry {
	var list []entry
	for _, e := range events {
		i := slices.IndexFunc(list, func(x entry) bool { return x.key == e.key })
		var moved entry
		switch {
		case i >= 0:
			moved = list[i]
			list = slices.Delete(list, i, i+1)
		case len(list) < k:
			moved.key = e.key
		default:
			moved = entry{e.key, list[0].count, list[0].count}
			list = slices.Delete(list, 0, 1)
		}
		moved.count += e.weight
		at, _ := slices.BinarySearchFunc(list, moved.count+1, func(x entry, count uint64) int { return cmp.Compare(x.count, count) })
		list = slices.Insert(list, at, moved)
	}
	return list
}

// naiveMisraGries is the definition, and how much was taken from all.
func naiveMisraGries(k int, events []event) (values map[uint64]uint64, lowered uint64) {
	values = map[uint64]uint64{}
	for _, e := range events {
		values[e.key] += e.weight
		if len(values) <= k {
			continue
		}
		least := e.weight
		for _, v := range values {
			least = min(least, v)
		}
		lowered += least
		for key := range values {
			if values[key] -= least; values[key] == 0 {
				delete(values, key)
			}
		}
	}
	return values, lowered
}

// check reports what is wrong with the list, tree and index of a summary.
func (s *summary) check(t *testing.T) {
	t.Helper()
	list := s.entries()
	if len(list) != s.held || s.used != s.held {
		t.Fatalf("%d counters listed, %d held, %d in the index", len(list), s.held, s.used)
	}
	for i, e := range list {
		if i > 0 && list[i-1].count > e.count || e.count == 0 {
			t.Fatalf("counts do not rise at %d", i)
		}
		if c := s.find(e.key); c < 0 || s.counters[c].key != e.key || s.buckets[s.counters[c].bucket].count != e.count {
			t.Fatalf("the index has lost key %d", e.key)
		}
	}
	var walked []int32
	var walk func(b int32)
	walk = func(b int32) {
		for _, child := range []int32{s.buckets[b].left, s.buckets[b].right} {
			if child != 0 && (s.buckets[child].parent != b || s.buckets[child].rank > s.buckets[b].rank) {
				t.Fatalf("bucket %d is no child of %d", child, b)
			}
		}
		if s.buckets[b].left != 0 {
			walk(s.buckets[b].left)
		}
		walked = append(walked, b)
		if s.buckets[b].right != 0 {
			walk(s.buckets[b].right)
		}
	}
	if s.root != 0 {
		walk(s.root)
	}
	var listed []int32
	for b := s.buckets[0].next; b != 0; b = s.buckets[b].next {
		if next := s.buckets[b].next; s.buckets[next].prev != b || next != 0 && s.buckets[next].count <= s.buckets[b].count {
			t.Fatalf("bucket %d and its neighbour", b)
		}
		listed = append(listed, b)
	}
	if !slices.Equal(walked, listed) {
		t.Fatalf("the tree has buckets %v, the list %v", walked, listed)
	}
}

var hash = hashing.XX(1)

// cases are streams of unit weights, small and huge ones, through few and many
// counters.
func cases(run func(k int, events []event)) {
	for _, k := range []int{1, 2, 3, 10, 64, 300} {
		for _, heaviest := range []uint64{1, 3, 1000, 1 << 40} {
			run(k, stream(uint64(k), 3000, 200, heaviest))
		}
	}
}

func mustSpaceSaving(t testing.TB, k int, events []event) *SpaceSaving {
	t.Helper()
	s, err := NewSpaceSaving(Params{k, hash})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		s.Add(e.key, e.weight)
	}
	return s
}

func mustMisraGries(t testing.TB, k int, events []event) *MisraGries {
	t.Helper()
	s, err := NewMisraGries(Params{k, hash})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		s.Add(e.key, e.weight)
	}
	return s
}

func TestSpaceSavingIsItsDefinition(t *testing.T) {
	cases(func(k int, events []event) {
		s := mustSpaceSaving(t, k, events)
		s.summary.check(t)
		if got, want := s.summary.entries(), naiveSpaceSaving(k, events); !slices.Equal(got, want) {
			t.Fatalf("k %d: got %v, want %v", k, got, want)
		}
	})
}

func TestMisraGriesIsItsDefinition(t *testing.T) {
	cases(func(k int, events []event) {
		s := mustMisraGries(t, k, events)
		s.summary.check(t)
		want, lowered := naiveMisraGries(k, events)
		if s.Len() != len(want) || s.Lowered() != lowered {
			t.Fatalf("k %d: %d keys lowered by %d, want %d and %d", k, s.Len(), s.Lowered(), len(want), lowered)
		}
		for key, value := range want {
			if got := s.Count(key); got.Count-got.Over != value {
				t.Fatalf("k %d: key %d has value %d, want %d", k, key, got.Count-got.Over, value)
			}
		}
	})
}

// The isomorphism of Agarwal et al. 2012: k-1 counters of Misra-Gries are k of
// Space-Saving less the smallest, of single streams and of merged ones.
func TestMisraGriesIsSpaceSavingLessTheLeast(t *testing.T) {
	cases(func(k int, events []event) {
		if k == 1 {
			return
		}
		ss, mg := mustSpaceSaving(t, k, events), mustMisraGries(t, k-1, events)
		sameKnowledge(t, ss, mg)
		more := stream(99, 1000, 400, 5)
		if err := ss.Merge(mustSpaceSaving(t, k, more)); err != nil {
			t.Fatal(err)
		}
		if err := mg.Merge(mustMisraGries(t, k-1, more)); err != nil {
			t.Fatal(err)
		}
		sameKnowledge(t, ss, mg)
		for _, e := range events[:500] {
			ss.Add(e.key, e.weight)
			mg.Add(e.key, e.weight)
		}
		sameKnowledge(t, ss, mg)
	})
}

func sameKnowledge(t *testing.T, ss *SpaceSaving, mg *MisraGries) {
	t.Helper()
	if ss.Least() != mg.Lowered() || ss.Total() != mg.Total() {
		t.Fatalf("k %d: least %d of %d, lowered %d of %d", ss.K(), ss.Least(), ss.Total(), mg.Lowered(), mg.Total())
	}
	for key := range uint64(400) {
		a, b := ss.Count(key), mg.Count(key)
		if a.Count-ss.Least() != b.Count-b.Over {
			t.Fatalf("k %d, key %d: %d less %d, and %d", ss.K(), key, a.Count, ss.Least(), b.Count-b.Over)
		}
	}
}
