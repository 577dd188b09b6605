package rotating

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustNew(t testing.TB, p Params) *Filter {
	t.Helper()
	f, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// byHand is a filter that errs so rarely that no test sees it.
func byHand(t testing.TB) *Filter {
	return mustNew(t, Params{M: 1 << 16, K: 20, Fill: NoFill, Hash: hashing.XX(1)})
}

func addKeys(f *Filter, from, to uint64) {
	for key := from; key < to; key++ {
		_ = f.Add(key)
	}
}

// found counts the keys from, from+1, ... to-1 that are found.
func found(f *Filter, from, to uint64) (n uint64) {
	for key := from; key < to; key++ {
		if f.Contains(key) {
			n++
		}
	}
	return n
}

func TestNewRefuses(t *testing.T) {
	good := Params{M: 100, K: 3, Hash: hashing.XX(0)}
	for says, change := range map[string]func(*Params){
		"0 bits":           func(p *Params) { p.M = 0 },
		"1099511627777":    func(p *Params) { p.M = bloom.MaxBits + 1 },
		"0 probes":         func(p *Params) { p.K = 0 },
		"65 probes":        func(p *Params) { p.K = 65 },
		"fill 1.5":         func(p *Params) { p.Fill = 1.5 },
		"fill -0.5":        func(p *Params) { p.Fill = -0.5 },
		"fill NaN":         func(p *Params) { p.Fill = math.NaN() },
		"-1ns is negative": func(p *Params) { p.Age = -1 },
	} {
		p := good
		change(&p)
		if f, err := New(p); f != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want an error with %q", err, says)
		}
	}
	f := mustNew(t, good)
	want := Params{M: 100, K: 3, Fill: HalfFull, Hash: hashing.XX(0)}
	if f.Params() != want || f.Hash() != want.Hash || f.SizeBytes() != 16 {
		t.Errorf("got %+v, %d bytes", f.Params(), f.SizeBytes())
	}
	f.Rotate()
	if f.SizeBytes() != 32 {
		t.Errorf("%d bytes after a rotation", f.SizeBytes())
	}
}

func TestAKeyIsFoundUntilTheSecondRotation(t *testing.T) {
	f := byHand(t)
	addKeys(f, 0, 100)
	f.Rotate()
	addKeys(f, 50, 150) // 50 to 99 again: they live on
	if n := found(f, 0, 150); n != 150 {
		t.Errorf("%d of 150 found after one rotation", n)
	}
	f.Rotate()
	if n := found(f, 0, 50); n != 0 {
		t.Errorf("%d keys found after two rotations", n)
	}
	if n := found(f, 50, 150); n != 100 {
		t.Errorf("%d of 100 found after one rotation", n)
	}
	f.Rotate()
	if n := found(f, 0, 150); n != 0 {
		t.Errorf("%d keys found after two rotations", n)
	}
	addKeys(f, 0, 10)
	f.Reset()
	if n := found(f, 0, 10); n != 0 || f.Fill() != 0 || f.SizeBytes() != 1<<13 {
		t.Errorf("%d keys found after Reset", n)
	}
}

// By fill: never more bits than allowed, never fewer keys than fit for sure, and
// the latest of them always found.
func TestRotationByFill(t *testing.T) {
	for _, p := range []Params{{M: 1000, K: 5}, {M: 1000, K: 5, Fill: 0.3}, {M: 1000, K: 5, Fill: 1}, {M: 10, K: 20}, {M: 1, K: 1}} {
		p.Hash = hashing.XX(0)
		f := mustNew(t, p)
		limit := uint64(f.params.Fill * float64(p.M))
		rotations, last := 0, f.pair.Load()
		period := uint64(0)
		for key := range uint64(2000) {
			held := f.Contains(key) && last.current.contains(f.Hash().Uint64(key), p.M, p.K)
			addKeys(f, key, key+1)
			if now := f.pair.Load(); now != last {
				if now.previous != last.current {
					t.Fatal("the current filter was not kept")
				}
				if held {
					t.Errorf("%+v: a key of the current filter rotated it", p)
				}
				if period < max(1, limit/p.K) {
					t.Errorf("%+v: rotated after %d keys", p, period)
				}
				rotations++
				last, period = now, 0
			}
			period++
			if set := last.current.set.Load(); set > max(limit, p.K) {
				t.Errorf("%+v: %d bits set", p, set)
			}
			window := max(1, limit/p.K)
			from := key + 1 - min(window, key+1)
			if n := found(f, from, key+1); n != key+1-from {
				t.Fatalf("%+v: %d of the latest %d keys found", p, n, key+1-from)
			}
		}
		if rotations == 0 && p.M > 1 && p.Fill != 1 {
			t.Errorf("%+v: never rotated", p)
		}
	}
	f := byHand(t)
	addKeys(f, 0, 20000)
	if f.SizeBytes() != 1<<13 {
		t.Error("a filter without fill rotated")
	}
}

func TestRotationByAge(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := Params{M: 1 << 16, K: 20, Fill: NoFill, Age: time.Minute, Hash: hashing.XX(0)}
	f := mustNew(t, p)
	for _, step := range []struct {
		at      time.Duration
		rotates bool
	}{
		{time.Hour, false}, // the period begins when the filter is told the time
		{time.Hour + 59*time.Second, false},
		{time.Hour + 60*time.Second, true},
		{time.Hour + 61*time.Second, false},
		{time.Hour + 30*time.Second, false}, // a clock set back
		{time.Hour + 10*time.Minute, true},  // late: once only
		{time.Hour + 10*time.Minute, false},
		{time.Hour + 11*time.Minute, true},
	} {
		key := uint64(step.at)
		addKeys(f, key, key+1)
		before := f.pair.Load()
		if got := f.Tick(start.Add(step.at)); got != step.rotates || got != (f.pair.Load() != before) {
			t.Errorf("at %v: rotated %t", step.at, got)
		}
		if !f.Contains(key) {
			t.Errorf("at %v: the key is missed", step.at)
		}
	}
	// A rotation by hand begins a period at the next Tick.
	f.Rotate()
	late := start.Add(3 * time.Hour)
	if f.Tick(late) || f.Tick(late.Add(59*time.Second)) || !f.Tick(late.Add(time.Minute)) {
		t.Error("the period does not begin with the first Tick after a rotation")
	}
	p.Age = 0
	f = mustNew(t, p)
	if f.Tick(start) || f.Tick(start.Add(1e6*time.Hour)) {
		t.Error("a filter without age rotated")
	}
}

func TestSizeKeepsItsPromise(t *testing.T) {
	for _, n := range []uint64{1, 2, 100, 5000} {
		for _, eps := range []float64{0.5, 0.01, 1e-4} {
			p, err := Size(n, eps)
			if err != nil {
				t.Fatal(err)
			}
			if rate := FPR(p.M, p.K, n, n); rate > eps*(1+1e-12) {
				t.Errorf("n=%d: two filters of %d keys err at %v, promised %v", n, n, rate, eps)
			}
			p.Hash = hashing.XX(n)
			f := mustNew(t, p)
			for key := range 4 * n {
				addKeys(f, key, key+1)
				// One key may be in a filter whatever its rate.
				if rate := f.RateEstimate(); rate > eps*(1+1e-9) && n > 2 {
					t.Fatalf("n=%d, %d keys: rate %v, promised %v", n, key, rate, eps)
				}
			}
		}
	}
	for _, eps := range []float64{0, 1, -1, math.NaN(), 1e-30} {
		if f, err := ForRate(10, eps, hashing.XX(1)); f != nil || err == nil {
			t.Errorf("took rate %v", eps)
		}
	}
	if f, err := ForRate(0, 0.01, hashing.XX(1)); err != nil || f.Add(1) != nil || !f.Contains(1) {
		t.Error(err)
	}
}

// A period is as many keys as were asked for, within four standard deviations of
// the bits that they set.
func TestPeriodIsTheCapacity(t *testing.T) {
	const n = 10000
	for seed := range uint64(5) {
		f, err := ForRate(n, 0.01, hashing.XX(seed))
		if err != nil {
			t.Fatal(err)
		}
		held := uint64(0)
		for first := f.pair.Load(); f.pair.Load() == first; held++ {
			addKeys(f, held, held+1)
		}
		_, spread := bloom.CountEstimateBiasSD(f.params.M, f.params.K, n)
		if diff := float64(held) - n; math.Abs(diff) > 4*spread+float64(f.params.K) {
			t.Errorf("seed %d: %d keys a period, want %d", seed, held, n)
		}
	}
}

// The law against a filter of two full halves, and its bits against both.
func TestFPR(t *testing.T) {
	f := mustNew(t, Params{M: 20000, K: 4, Fill: NoFill, Hash: hashing.XX(2)})
	addKeys(f, 0, 3000)
	f.Rotate()
	addKeys(f, 3000, 4500)
	const absent = 400000
	rate := float64(found(f, 1<<32, 1<<32+absent)) / absent
	for name, law := range map[string]float64{"law": FPR(20000, 4, 1500, 3000), "bits": f.RateEstimate()} {
		if math.Abs(rate/law-1) > 0.05 {
			t.Errorf("rate %v, by the %s %v", rate, name, law)
		}
	}
	if got := FPR(10, 1, 0, 1); math.Abs(got-0.1) > 1e-15 {
		t.Errorf("one key in ten bits: %v", got)
	}
}

// The current half is a Bloom filter: the bits are those of impl/bloom.
func TestHalfIsABloomFilter(t *testing.T) {
	for _, k := range []uint64{1, 2, 3, 7} {
		f := mustNew(t, Params{M: 4001, K: k, Fill: NoFill, Hash: hashing.XX(3)})
		b, err := bloom.New(bloom.Params{M: 4001, K: k, Hash: hashing.XX(3)})
		if err != nil {
			t.Fatal(err)
		}
		for key := range uint64(500) {
			_, _ = f.Add(key), b.Add(key)
		}
		for key := range uint64(10000) {
			if f.Contains(key) != b.Contains(key) {
				t.Fatalf("k=%d, key %d: found %t", k, key, f.Contains(key))
			}
		}
		if got := f.Fill(); got != b.Fill() {
			t.Errorf("k=%d: fill %v, want %v", k, got, b.Fill())
		}
	}
}

func TestClone(t *testing.T) {
	f := byHand(t)
	addKeys(f, 0, 10)
	f.Rotate()
	addKeys(f, 10, 20)
	c := f.Clone()
	if !c.Equal(f) || c.Fill() != f.Fill() {
		t.Error("the clone differs")
	}
	addKeys(c, 20, 30)
	if n := found(f, 20, 30); n != 0 || c.Equal(f) {
		t.Error("the clone shares bits")
	}
	f.Rotate()
	if n := found(c, 0, 30); n != 30 {
		t.Errorf("the clone has %d of 30 keys", n)
	}
}

func TestBatchesAreSingleCalls(t *testing.T) {
	const n = 700
	keys, hashes, texts := make([]uint64, 2*n), make([]uint64, 2*n), make([][]byte, 2*n)
	for i := range keys {
		keys[i] = uint64(i)
		hashes[i] = hashing.Mix(keys[i])
		texts[i] = binary.BigEndian.AppendUint32(nil, uint32(i))
	}
	p := Params{M: 8000, K: 3, Hash: hashing.XX(0)}
	one, many := mustNew(t, p), mustNew(t, p)
	for i := range n {
		_ = one.Add(keys[i])
	}
	for i := range n {
		_ = one.AddBytes(texts[i])
	}
	for i := range n {
		_ = one.AddHash(hashes[i])
	}
	for _, add := range []func() (int, error){
		func() (int, error) { return many.AddBatch(keys[:n]) },
		func() (int, error) { return many.AddBytesBatch(texts[:n]) },
		func() (int, error) { return many.AddHashBatch(hashes[:n]) },
	} {
		if added, err := add(); added != n || err != nil {
			t.Errorf("%d of %d added, %v", added, n, err)
		}
	}
	if !one.Equal(many) || many.SizeBytes() != 2000 {
		t.Fatalf("the filters differ, or did not rotate: %d bytes", many.SizeBytes())
	}
	for name, c := range map[string]struct {
		batch  func(found []bool)
		count  int
		single func(i int) bool
	}{
		"keys":   {func(f []bool) { many.ContainsBatch(keys, f) }, many.CountBatch(keys), func(i int) bool { return one.Contains(keys[i]) }},
		"bytes":  {func(f []bool) { many.ContainsBytesBatch(texts, f) }, many.CountBytesBatch(texts), func(i int) bool { return one.ContainsBytes(texts[i]) }},
		"hashes": {func(f []bool) { many.ContainsHashBatch(hashes, f) }, many.CountHashBatch(hashes), func(i int) bool { return one.ContainsHash(hashes[i]) }},
	} {
		found := make([]bool, 2*n)
		c.batch(found)
		count := 0
		for i := range found {
			if found[i] != c.single(i) {
				t.Errorf("%s: key %d found: %t", name, i, found[i])
			}
			if found[i] {
				count++
			}
		}
		if count != c.count || count == 0 {
			t.Errorf("%s: %d counted, %d found", name, c.count, count)
		}
	}
}
