package experiments

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// traceFile is a file of that text.
func traceFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReadTrace(t *testing.T) {
	hash := func(s string) uint64 { return hashing.XX(0).Bytes([]byte(s)) }
	const arc = "7 3 0 0\n8 1 0 1\n\t9  2 0 0 \n5 0 0 0\n18446744073709551615 1 0 0"
	arcKeys := []uint64{7, 8, 9, 10, 1<<64 - 1}
	for _, c := range []struct {
		name, text string
		keys       []uint64
		order      []uint32
	}{
		{"blocks", arc, arcKeys, []uint32{0, 1, 2, 1, 2, 3, 4}},
		{"blocks.gz", gzipped(t, arc), arcKeys, []uint32{0, 1, 2, 1, 2, 3, 4}},
		{"keys", "b\na\r\nb\n", []uint64{hash("b"), hash("a")}, []uint32{0, 1, 0}},
		{"numbers", "4\n4\n", []uint64{hash("4")}, []uint32{0, 0}},
	} {
		path := traceFile(t, c.name, c.text)
		r, err := ReadTrace(path)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		sum := sha256.Sum256([]byte(c.text))
		want := record.Trace{Name: c.name, SHA256: hex.EncodeToString(sum[:]), Requests: len(c.order)}
		if d := cmp.Diff(want, r.About); d != "" {
			t.Errorf("%s:\n%s", c.name, d)
		}
		if !slices.Equal(r.Keys, c.keys) || !slices.Equal(r.Order, c.order) {
			t.Errorf("%s: keys %d, order %d", c.name, r.Keys, r.Order)
		}
	}
}

func TestReadTraceRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                     "holds no request",
		"3 0 0 0\n":                            "holds no request",
		"1 1 0 0\n2 1 0\n":                     "line 2: 3 fields; ARC's format has four",
		"1 1 0 0\n2 1 0 0\nx 1 0 0\n":          `line 3: "x" is not a whole number`,
		"1 -1 0 0\n":                           `line 1: "-1" is not a whole number`,
		"1 1 0 0\n\n":                          "line 2: 0 fields",
		"18446744073709551615 2 0 0\n":         "line 1: 2 blocks from 18446744073709551615 on go beyond",
		"1 1 0 0\n2 18446744073709551615 0 0":  "line 2: more than 134217728 requests",
		"a\nb c\n":                             "line 2: 2 fields; it must be one key",
		"a,1,2\nb 1\n":                         "line 2: 2 fields",
		"a\n" + strings.Repeat("b", maxLine+1): "line 2: longer than 65536 bytes",
		"\x1f\x8b":                             "unexpected EOF",
		gzipped(t, "a\nb\n")[:24]:              "unexpected EOF",
	} {
		_, err := ReadTrace(traceFile(t, "trace", text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	if _, err := ReadTrace(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("no file: %v", err)
	}
}

// handed makes a trace of keys that are small numbers.
func handed(order ...uint32) *Requests {
	keys := make([]uint64, slices.Max(order)+1)
	for i := range keys {
		keys[i] = uint64(i)
	}
	return newRequests(record.Trace{Name: "hand", SHA256: strings.Repeat("a", 64), Requests: len(order)}, keys, order)
}

// plainLRU is an LRU cache as its definition says it: a list, searched through.
func plainLRU(order []uint32, places int) (run cacheRun) {
	var held []uint32 // the latest at the end
	for i, key := range order {
		at := slices.Index(held, key)
		hit := at >= 0
		switch {
		case hit:
			held = slices.Delete(held, at, at+1)
		case len(held) == places:
			held = held[1:]
		}
		held = append(held, key)
		if i >= len(order)/10 {
			run.counted++
			run.hits += one(hit)
			run.writes += one(!hit)
		}
	}
	return run
}

// skewedTrace is a stream of Zipf's with exponent 1.
func skewedTrace(requests, keys int) *Requests {
	z, draws := newZipf(keys, 1), draws(9)
	order := make([]uint32, requests)
	for i := range order {
		order[i] = uint32(z.rank(draws.at(i)))
	}
	return handed(order...)
}

func TestCachedLRU(t *testing.T) {
	r := skewedTrace(3000, 300)
	for _, places := range []int{1, 2, 50, 299, 1000} {
		if got, want := r.cached(places, all{}), plainLRU(r.Order, places); got != want {
			t.Errorf("%d places: %+v, want %+v", places, got, want)
		}
	}
}

// A cache of one place, and a stream whose every decision is seen.
func TestCachedByExactCounts(t *testing.T) {
	// 0 is taken in; 1 comes once and is as frequent as 0, so 0 stays; the second 1
	// is more frequent and takes the place; then 0 has 2, no more than 1 has.
	r := handed(0, 1, 1, 0, 1)
	got := r.cached(1, newExactCounts(2, 1))
	if want := (cacheRun{hits: 1, writes: 2, counted: 5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestExactCountsAge: ten requests for each place, and counts are halved, downwards.
func TestExactCountsAge(t *testing.T) {
	e := newExactCounts(2, 1)
	for range 9 {
		e.asked(0)
	}
	e.asked(1)
	if want := []uint32{4, 0}; !slices.Equal(e.counts, want) || e.events != 5 {
		t.Errorf("counts %d after %d events, want %d after 5", e.counts, e.events, want)
	}
}

// TestTraceCells runs every cell of scale ci once on a small trace: it reads all
// that it announces, but what the trace is too small for.
func TestTraceCells(t *testing.T) {
	r := skewedTrace(20000, 12000)
	all := WithTrace(r.About, func() (*Requests, error) { return r, nil })
	seen := map[string]bool{}
	for _, c := range engine.Cells(all[len(All):], engine.CI) {
		name := c.Name()
		if seen[name] || !strings.Contains(name, "/trace="+strings.Repeat("a", digits)) {
			t.Errorf("%s: planned twice, or without the trace's digest", name)
		}
		seen[name] = true
		checkMetrics(t, name, c.Metrics)
		et := engine.NewT(engine.Seed(1, name, 0), c.Metrics)
		if err := c.Run(et); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := len(c.Metrics)
		if c.Experiment == "trace/distinct" {
			want-- // the spread of many keys
		}
		if len(et.Readings()) != want {
			t.Errorf("%s reads %d of %d metrics", name, len(et.Readings()), want)
		}
		for _, reading := range et.Readings() {
			if m := c.Metrics[reading.Metric]; m.Method == stats.Invariant && reading.Num != 0 {
				t.Errorf("%s: %d of %d %s", name, reading.Num, reading.Den, m.Name)
			}
		}
	}
}

// TestTraceIsThatOfThePlan: a file that is another by the time a trial reads it is a
// fault of the trial, and the plan without it has none of its cells.
func TestTraceIsThatOfThePlan(t *testing.T) {
	r := skewedTrace(100, 50)
	other := r.About
	other.SHA256 = strings.Repeat("b", 64)
	all := WithTrace(other, func() (*Requests, error) { return r, nil })
	cell := engine.Cells(all[len(All):], engine.Smoke)[0]
	if err := cell.Run(engine.NewT(1, cell.Metrics)); err == nil || !strings.Contains(err.Error(), "by now") {
		t.Errorf("a trace that changed: %v", err)
	}
	for _, c := range engine.Cells(All, engine.Full) {
		if c.Labels.Value("trace") != "" {
			t.Errorf("%s is planned without a trace", c.Name())
		}
	}
}

// TestTracePlans: scales are supersets, claims select judgements, and the whole
// report stays in its error budget with a trace too.
func TestTracePlans(t *testing.T) {
	r := skewedTrace(1000, 100)
	with := WithTrace(r.About, func() (*Requests, error) { return r, nil })
	if n := engine.Judgements(engine.Cells(with, engine.Full)); n > stats.Affordable() {
		t.Errorf("%d judgements", n)
	}
	for _, e := range with[len(All):] {
		var before []string
		for _, s := range engine.Scales {
			var names []string
			for _, c := range engine.Cells([]engine.Experiment{e}, s) {
				names = append(names, c.Name())
			}
			for _, name := range before {
				if !slices.Contains(names, name) {
					t.Errorf("%s is not in %v", name, s)
				}
			}
			before = names
		}
		cells := e.Plan(engine.CI)
		for _, claim := range e.Claims {
			if !slices.ContainsFunc(cells, func(c engine.Cell) bool {
				return slices.ContainsFunc(c.Metrics, func(m engine.Metric) bool { return selects(claim, m) })
			}) {
				t.Errorf("%s: nothing judges %q", e.Name, claim.Text)
			}
		}
	}
}
