package hll

import (
	"bytes"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func build(t testing.TB, precision int, form Registers) *Sketch {
	t.Helper()
	s, err := New(Params{Precision: precision, Registers: form, Hash: hashing.XX(5)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func stored(t testing.TB, s *Sketch) []byte {
	t.Helper()
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func forms() []Registers { return []Registers{Bytes8, Packed6} }

var estimators = Estimators()

// checkHistogram recounts the registers one by one.
func checkHistogram(t interface{ Fatalf(string, ...any) }, s *Sketch) {
	var want histogram
	for i := range s.M() {
		want[s.Register(i)]++
	}
	if !s.stale && s.hist != want {
		t.Fatalf("histogram %v, the registers say %v", s.hist, want)
	}
	if got := s.count(); got != want {
		t.Fatalf("count %v, the registers say %v", got, want)
	}
}

func TestPlainRegisters(t *testing.T) {
	// The definition, word by word: the index is the number that the first p bits
	// spell, the rank the position of the first one after them, 65-p if none.
	for p := MinPrecision; p <= MaxPrecision; p++ {
		r := rand.New(rand.NewPCG(uint64(p), 0))
		small, large := build(t, p, Packed6), build(t, p, Bytes8)
		want := make([]uint8, 1<<p)
		for n := range 3000 {
			h := r.Uint64() >> (n % 64) << (n % 7) // every rank, the greatest too
			text := fmt.Sprintf("%064b", h)
			rank := strings.IndexByte(text[p:], '1') + 1
			if rank == 0 {
				rank = 65 - p
			}
			var i int
			if _, err := fmt.Sscanf(text[:p], "%b", &i); err != nil {
				t.Fatal(err)
			}
			want[i] = max(want[i], uint8(rank))
			small.AddHash(h)
			large.AddHash(h)
		}
		for i, v := range want {
			if small.Register(i) != v || large.Register(i) != v {
				t.Fatalf("p %d, register %d: %d and %d, want %d", p, i, small.Register(i), large.Register(i), v)
			}
		}
		for _, e := range estimators {
			if a, b := small.EstimateWith(e), large.EstimateWith(e); a != b {
				t.Errorf("p %d, %v: %g and %g", p, e, a, b)
			}
		}
		checkHistogram(t, small)
		checkHistogram(t, large)
	}
}

func TestMergeIsTheUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		precision := rapid.IntRange(4, 9).Draw(t, "precision")
		form := rapid.SampledFrom(forms())
		keys := rapid.SliceOfN(rapid.Uint64Range(0, 500), 0, 300).Draw(t, "keys")
		formA, formB := form.Draw(t, "form"), form.Draw(t, "form of other")
		fresh := func(f Registers) *Sketch {
			s, err := New(Params{Precision: precision, Registers: f, Hash: hashing.XX(5)})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		all, a, b := fresh(formA), fresh(formA), fresh(formB)
		for _, k := range keys {
			all.Add(k)
			if rapid.Bool().Draw(t, "left") {
				a.Add(k)
			} else {
				b.Add(k)
			}
		}
		other := b.Clone()
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		if !a.Equal(all) || a.Estimate() != all.Estimate() {
			t.Fatal("the merge differs from the sketch of the union")
		}
		if !b.Equal(other) {
			t.Fatal("Merge changed its source")
		}
		// Repeats and order change nothing, also after a merge.
		for i := len(keys) - 1; i >= 0; i-- {
			a.Add(keys[i])
		}
		for k := range uint64(20) {
			a.Add(1000 + k)
			all.Add(1000 + k)
		}
		checkHistogram(t, a)
		if !a.Equal(all) || a.Estimate() != all.Estimate() {
			t.Fatal("additions after a merge went astray")
		}
		if err := a.Merge(a); err != nil || !a.Equal(all) {
			t.Fatalf("a merge with itself changed the sketch: %v", err)
		}
	})
}

func TestMergeOfAllSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	for m := 16; m <= 1<<12; m *= 2 {
		a, b, want := make([]byte, m), make([]byte, m), make([]byte, m)
		for i := range a {
			a[i], b[i] = byte(r.UintN(62)), byte(r.UintN(62))
			want[i] = max(a[i], b[i])
		}
		for way, maximum := range maxima {
			got, source := bytes.Clone(a), bytes.Clone(b)
			if maximum(got, source); !bytes.Equal(got, want) || !bytes.Equal(source, b) {
				t.Errorf("%d registers, %s: wrong maximum", m, way)
			}
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	s := build(t, 6, Bytes8)
	s.Add(1)
	before := s.Clone()
	other, err := New(Params{Precision: 6, Hash: hashing.XX(6)})
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]*Sketch{"precision": build(t, 7, Bytes8), "hash": other} {
		o.Add(2)
		if err := s.Merge(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if !s.Equal(before) {
		t.Error("a refused merge changed the sketch")
	}
}

func TestEstimateChangesNothing(t *testing.T) {
	for _, form := range forms() {
		a, b := build(t, 8, form), build(t, 8, form)
		for k := range uint64(1000) {
			a.Add(k)
			b.Add(k + 500)
		}
		if err := a.Merge(b); err != nil {
			t.Fatal(err)
		}
		before := *a
		before.regs = bytes.Clone(a.regs)
		for _, e := range estimators {
			a.EstimateWith(e)
		}
		if !bytes.Equal(before.regs, a.regs) || before.hist != a.hist || before.stale != a.stale {
			t.Errorf("%v: an estimate wrote to the sketch", form)
		}
	}
}

func TestKeysBytesHashes(t *testing.T) {
	a, b := build(t, 10, Bytes8), build(t, 10, Bytes8)
	h := a.Params().Hash
	key := []byte("key")
	a.AddBytes(key)
	key[0] = 'K'
	a.Add(7)
	b.AddHash(h.Bytes([]byte("key")))
	b.AddHash(h.Uint64(7))
	if !a.Equal(b) {
		t.Error("keys and their hashes differ")
	}
}

func TestCloneEqualReset(t *testing.T) {
	for _, form := range forms() {
		s := build(t, 6, form)
		for k := range uint64(100) {
			s.Add(k)
		}
		c := s.Clone()
		if !c.Equal(s) || c.Estimate() != s.Estimate() {
			t.Error("the clone differs")
		}
		for k := range uint64(1000) {
			c.Add(1000 + k)
		}
		if c.Equal(s) {
			t.Error("the clone shares memory")
		}
		if err := c.Merge(s); err != nil {
			t.Fatal(err)
		}
		c.Reset()
		if !c.Equal(build(t, 6, form)) || c.Estimate() != 0 || c.stale {
			t.Error("Reset left something")
		}
		checkHistogram(t, c)
	}
	if build(t, 6, Bytes8).Equal(build(t, 6, Packed6)) || build(t, 6, Bytes8).Equal(build(t, 7, Bytes8)) {
		t.Error("sketches of different geometry are equal")
	}
}

func TestGeometryAndBadParams(t *testing.T) {
	// 2^14 registers: 16 KB of bytes, 12 KB of six bits.
	if a, b := build(t, 14, Bytes8), build(t, 14, Packed6); a.SizeBytes() != 16384 || b.SizeBytes() != 12288 ||
		a.M() != 16384 || a.Precision() != 14 {
		t.Errorf("%d and %d bytes, m %d, p %d", a.SizeBytes(), b.SizeBytes(), a.M(), a.Precision())
	}
	for name, p := range map[string]Params{
		"precision 3":  {Precision: 3, Hash: hashing.XX(1)},
		"precision 19": {Precision: 19, Hash: hashing.XX(1)},
		"minus":        {Precision: -14, Hash: hashing.XX(1)},
		"form":         {Precision: 14, Registers: 2, Hash: hashing.XX(1)},
		"no hash":      {Precision: 14},
	} {
		if s, err := New(p); err == nil || s != nil {
			t.Errorf("%s: accepted", name)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an estimator that does not exist: no panic")
		}
	}()
	build(t, 4, Bytes8).EstimateWith(noEstimator)
}

func TestPrintedFigures(t *testing.T) {
	var printed struct {
		MaxLeadingZeros struct{ Rows [][2]int } `json:"max_leading_zeros"`
		HLL10           struct {
			Rounded [][2]int
			Merge   int `json:"merge user0-5999 with user4000-9999"`
			Repeats int `json:"5000 events of 50 users"`
		}
	}
	readJSON(t, "printed.json", &printed)
	hash := func(seed uint64) hashing.Hasher {
		h, err := hashing.New(hashing.SHA256, seed)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	users := func(from, to, modulus int) *Sketch {
		s, err := New(Params{Precision: 10, Hash: hash(99)})
		if err != nil {
			t.Fatal(err)
		}
		for i := from; i < to; i++ {
			s.AddBytes(fmt.Appendf(nil, "user%d", i%modulus))
		}
		return s
	}
	rounded := func(s *Sketch) int { return int(math.Round(s.EstimateWith(Classic))) }
	if len(printed.HLL10.Rounded) != 5 || len(printed.MaxLeadingZeros.Rows) != 3 {
		t.Fatal("printed figures are missing")
	}
	for _, row := range printed.HLL10.Rounded {
		if got := rounded(users(0, row[0], math.MaxInt)); got != row[1] {
			t.Errorf("%d users: %d, printed %d", row[0], got, row[1])
		}
	}
	a, b := users(0, 6000, math.MaxInt), users(4000, 10000, math.MaxInt)
	if err := a.Merge(b); err != nil || rounded(a) != printed.HLL10.Merge {
		t.Errorf("merge: %d, %v, printed %d", rounded(a), err, printed.HLL10.Merge)
	}
	if got := rounded(users(0, 5000, 50)); got != printed.HLL10.Repeats {
		t.Errorf("repeats: %d, printed %d", got, printed.HLL10.Repeats)
	}
	h := hash(0)
	for _, row := range printed.MaxLeadingZeros.Rows {
		most := 0
		for i := range row[0] {
			most = max(most, bits.LeadingZeros64(h.Bytes(fmt.Appendf(nil, "item%d", i))))
		}
		if most != row[1] {
			t.Errorf("%d items: %d leading zeros, printed %d", row[0], most, row[1])
		}
	}
}
