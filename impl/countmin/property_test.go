package countmin

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

type event struct{ key, weight uint64 }

func drawStream(t *rapid.T, name string) []event {
	n := rapid.IntRange(0, 60).Draw(t, name+" length")
	stream := make([]event, n)
	for i := range stream {
		stream[i].key = rapid.Uint64Range(0, 30).Draw(t, "key")
		// Now and then near the top, so that sums saturate.
		stream[i].weight = rapid.OneOf(rapid.Uint64Range(0, 9), rapid.Uint64()).Draw(t, "weight")
	}
	return stream
}

func drawParams(t *rapid.T) Params {
	family := rapid.SampledFrom([]hashing.Family{hashing.XXHash, hashing.SipHash, hashing.SHA256}).Draw(t, "family")
	hash, err := hashing.New(family, rapid.Uint64().Draw(t, "seed"))
	if err != nil {
		t.Fatal(err)
	}
	return Params{
		Width: rapid.IntRange(1, 40).Draw(t, "width"),
		Depth: rapid.IntRange(1, 20).Draw(t, "depth"),
		Rows:  rapid.SampledFrom([]RowScheme{Derived, Independent}).Draw(t, "rows"),
		Hash:  hash,
	}
}

func build(t *rapid.T, p Params, streams ...[]event) *Sketch {
	s, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, stream := range streams {
		for _, e := range stream {
			s.Add(e.key, e.weight)
		}
	}
	return s
}

// f <= CU <= CM: Cormode and Muthukrishnan 2005 for the plain sketch, Estan
// and Varghese 2002 for conservative update; the truth saturates like a counter.
func TestTruthBelowConservativeBelowPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		stream := drawStream(t, "stream")
		plain := build(t, p, stream)
		p.Conservative = true
		conservative := build(t, p, stream)
		truth := map[uint64]uint64{}
		for _, e := range stream {
			truth[e.key] = addSaturating(truth[e.key], e.weight)
		}
		for key := range uint64(40) {
			f, cu, cm := truth[key], conservative.Count(key), plain.Count(key)
			if f > cu || cu > cm || cm > plain.Total() {
				t.Errorf("key %d: truth %d, conservative %d, plain %d, total %d", key, f, cu, cm, plain.Total())
			}
		}
		if plain.Total() != conservative.Total() {
			t.Errorf("totals %d and %d", plain.Total(), conservative.Total())
		}
	})
}

// Every counter after every event, against the rule as it is written: plain
// update adds the weight to the key's counters, conservative update raises
// those below the old estimate plus the weight to just that.
func TestCountersFollowTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		p.Conservative = rapid.Bool().Draw(t, "conservative")
		s := build(t, p)
		model := make([][]uint64, p.Depth)
		for r := range model {
			model[r] = make([]uint64, p.Width)
		}
		for _, e := range drawStream(t, "stream") {
			level := addSaturating(s.Count(e.key), e.weight)
			for r := range model {
				c := &model[r][s.Index(r, e.key)]
				if p.Conservative {
					*c = max(*c, level)
				} else {
					*c = addSaturating(*c, e.weight)
				}
			}
			s.Add(e.key, e.weight)
		}
		for r := range model {
			if got := s.Row(r); !slices.Equal(got, model[r]) {
				t.Errorf("row %d is %v, want %v", r, got, model[r])
			}
		}
	})
}

func TestMergeIsTheJoinedStream(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		first, second := drawStream(t, "first"), drawStream(t, "second")
		a, b, joined := build(t, p, first), build(t, p, second), build(t, p, first, second)
		before := marshal(t, b)
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(marshal(t, a), marshal(t, joined)) {
			t.Error("the merged table is not that of the joined stream")
		}
		if !bytes.Equal(marshal(t, b), before) {
			t.Error("the merge changed its source")
		}
	})
}

func TestEverySketchComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawParams(t)
		p.Conservative = rapid.Bool().Draw(t, "conservative")
		s := build(t, p, drawStream(t, "stream"))
		var back Sketch
		if err := back.UnmarshalBinary(marshal(t, s)); err != nil {
			t.Fatal(err)
		}
		if !back.Equal(s) {
			t.Error("the sketch came back different")
		}
		s.Add(7, 3)
		back.Add(7, 3)
		if !back.Equal(s) {
			t.Error("the sketch that came back goes on differently")
		}
	})
}

// A merge with itself doubles the stream.
func TestMergeWithItself(t *testing.T) {
	s := mustNew(t, Params{Width: 20, Depth: 3, Hash: hashing.XX(1)})
	s.Add(1, 4)
	if err := s.Merge(s); err != nil || s.Count(1) != 8 || s.Total() != 8 {
		t.Errorf("count %d, total %d, %v", s.Count(1), s.Total(), err)
	}
}
