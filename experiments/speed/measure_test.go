package speed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// measured takes one round of a point of a subject.
func measured(t *testing.T, s adapters.Filter, p Point) []Measurement {
	t.Helper()
	st, err := newFilterStation(s, p)
	if err != nil {
		t.Fatal(err)
	}
	turn := &turn{point: p, station: st}
	if err := turn.take(t.Context(), Options{Rounds: 1}, 0); err != nil {
		t.Fatal(err)
	}
	return turn.rows()
}

func filterNamed(t *testing.T, name string) adapters.Filter {
	t.Helper()
	i := slices.IndexFunc(adapters.Filters, func(s adapters.Filter) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no filter is named %s", name)
	}
	return adapters.Filters[i]
}

func TestEveryWayIsMeasured(t *testing.T) {
	// A split block filter takes and answers for keys in every form and way; a static
	// filter is built of numbers and of byte strings, and answers for hashes that are
	// absent alone, as nobody can say which hashes its keys have.
	var every []string
	for _, w := range ways {
		every = append(every, w.op(verbAdd))
		for _, verb := range lookups {
			every = append(every, w.op(verb))
		}
	}
	for name, want := range map[string][]string{
		"splitblock": every,
		"fuse3-8": {
			"build", "build-bytes", "hit", "miss", "mixed", "hit-batch", "miss-batch", "mixed-batch", "hit-bytes", "miss-bytes", "mixed-bytes",
			"hit-bytes-batch", "miss-bytes-batch", "mixed-bytes-batch", "miss-hash", "miss-hash-batch",
		},
		"fastfilter-xor8": {"build", "hit", "miss", "mixed"},
		"exact-sorted":    {"build", "hit", "miss", "mixed"},
	} {
		p := Point{Kind: "filter", Subject: name, Epsilon: 0.01, Keys: 3000, KeyBytes: 16, Present: 0.5}
		var got []string
		for _, m := range measured(t, filterNamed(t, name), p) {
			got = append(got, m.Op)
			keyBytes := 0
			if strings.Contains(m.Op, "-bytes") {
				keyBytes = 16
			}
			if m.Err != "" || !(m.Seconds > 0) || m.Bytes < 3000*7/8 || m.KeyBytes != keyBytes || m.Keys != 3000 || m.Kind != "filter" || m.Absent == 0 {
				t.Errorf("%s: %+v", name, m)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: measured %q, want %q", name, got, want)
		}
	}
}

// Of mixed look-ups alone, a quarter of present keys leaves three quarters absent:
// of 8192 at least, the share is within 5 % but for once in 10^20 times.
func TestMixedLookupsHaveTheShare(t *testing.T) {
	p := Point{Kind: "filter", Subject: "splitblock", Epsilon: 0.01, Keys: 3000, Present: 0.25, Ops: []string{"add", "mixed"}}
	st, err := newFilterStation(filterNamed(t, "splitblock"), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.round(1); err != nil {
		t.Fatal(err)
	}
	before := st.log.absent
	st.drawn = 0
	st.ready(verbMix, numbers, st.held[numbers])
	absent := 0
	for range 8 {
		asked := st.asked
		st.ready(verbMix, numbers, st.held[numbers])
		absent += st.asked - asked
	}
	if share := float64(absent) / (8 * chunk); share < 0.7 || share > 0.8 || before == 0 {
		t.Errorf("%v of the keys are absent, want 0.75; %d absent in the round", share, before)
	}
	for _, op := range st.log.ops {
		if op != "add" && op != "mixed" {
			t.Errorf("%s was measured and not asked for", op)
		}
	}
}

// forgetful loses every key; greedy finds all; broken panics.
type (
	forgetful struct{}
	greedy    struct{ forgetful }
	broken    struct{ forgetful }
	full      struct{ forgetful }
)

func (forgetful) Add(uint64) error     { return nil }
func (forgetful) Contains(uint64) bool { return false }
func (forgetful) SizeBytes() int       { return 1 }
func (greedy) Contains(uint64) bool    { return true }
func (broken) Contains(uint64) bool    { panic("lost") }
func (full) Add(uint64) error          { return sketchproof.ErrFull }

func TestWrongSubjectsAreFaults(t *testing.T) {
	for want, f := range map[string]sketchproof.Filter{
		"not found that are held": forgetful{},
		"absent keys found":       greedy{},
		"panic: lost":             broken{},
		"no room for the key":     full{},
	} {
		s := adapters.Filter{Name: "wrong", Build: func(sketchproof.FilterSpec) (sketchproof.Filter, error) { return f, nil }}
		rows := measured(t, s, Point{Kind: "filter", Subject: "wrong", Epsilon: 0.01, Keys: 100, Present: 0.5})
		if len(rows) != 1 || !strings.Contains(rows[0].Err, want) || rows[0].Keys != 100 {
			t.Errorf("%+v, want %q", rows, want)
		}
	}
}

func TestMeasureGroupsAndRounds(t *testing.T) {
	var points []Point
	for _, n := range []int{1000, 2000, 3000} {
		points = append(points, Point{Kind: "filter", Subject: "exact-map", Epsilon: 0.01, Keys: n, Present: 0.5})
	}
	points = append(points, Point{Kind: "filter", Subject: "nobody", Keys: 1}, Point{Kind: "placer", Subject: "jump", Keys: 1000})
	var groups []int
	var rows [][]Measurement
	turns := map[string]int{}
	// A map of 2000 keys takes more than 20000 bytes, and so ends a group.
	o := Options{Rounds: 2, Memory: 20_000, Now: func(p Point) { turns[p.name()]++ }}
	err := Measure(t.Context(), points, o, func(group [][]Measurement) error {
		groups = append(groups, len(group))
		rows = append(rows, group...)
		return nil
	})
	if err != nil || len(rows) != len(points) || len(groups) < 3 {
		t.Fatalf("%d points in groups of %v: %v", len(rows), groups, err)
	}
	for i, p := range points {
		m := rows[i][0]
		if m.Subject != p.Subject || m.Keys != p.Keys || (m.Err != "") != (p.Subject == "nobody") {
			t.Errorf("%+v for %+v", m, p)
		}
		if m.Err == "" && (turns[p.name()] != 2 || m.Rounds != 2) {
			t.Errorf("%d turns of %s, %d readings", turns[p.name()], p.name(), m.Rounds)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Measure(ctx, points, o, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A chunk in which another program had the core is left out; a slow one is not.
func TestInterruptedChunksAreLeftOut(t *testing.T) {
	l := laps{}
	for range 9 {
		l = append(l, lap{1000, 10 * time.Microsecond})
	}
	l = append(l, lap{1000, 3 * time.Millisecond})
	if got := l.perCall(); got < 9.99e-9 || got > 10.01e-9 {
		t.Errorf("%v seconds, want 10 ns", got)
	}
	l[9].took = 60 * time.Microsecond
	if got := l.perCall(); got < 14.99e-9 || got > 15.01e-9 {
		t.Errorf("%v seconds, want 15 ns", got)
	}
}

func TestCurveIsReadWhole(t *testing.T) {
	rows := Curve(1<<15, 2)
	if len(rows) != 2 || rows[0].Op != "latency" || rows[1].Op != "bandwidth" {
		t.Fatalf("%+v", rows)
	}
	for _, r := range rows {
		if r.Bytes != 1<<15 || r.Rounds != 2 || !(r.Seconds > 0) || r.Kind != "machine" {
			t.Errorf("%+v", r)
		}
	}
	// The cycle goes through every line once.
	words := cycle(100)
	at, steps := words[0], 1
	for ; at != 0 && steps <= 100; steps++ {
		at = words[at*line/8]
	}
	if steps != 100 {
		t.Errorf("the first line is met again after %d steps, want 100", steps)
	}
	if got := total([]uint64{1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 1, 1, 1, 1, 1, 1}); got != 44 {
		t.Errorf("a sum of %d, want 44", got)
	}
}
