package scalable

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
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

// addKeys adds the keys from, from+1, ... to-1.
func addKeys(t testing.TB, f *Filter, from, to uint64) {
	t.Helper()
	for key := from; key < to; key++ {
		if err := f.Add(key); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for says, p := range map[string]Params{
		"rate 0 is":             {Rate: 0},
		"rate 1 is":             {Rate: 1},
		"rate NaN is":           {Rate: math.NaN()},
		"rate -0.5 is":          {Rate: -0.5},
		"growth 1025":           {Rate: 0.1, Growth: 1025},
		"tightening 1 is":       {Rate: 0.1, Tightening: 1},
		"tightening -0.5 is":    {Rate: 0.1, Tightening: -0.5},
		"tightening NaN is":     {Rate: 0.1, Tightening: math.NaN()},
		"at most 64":            {Rate: 1e-30, Hash: hashing.XX(0)},
		"at most 1099511627776": {Rate: 0.1, Capacity: math.MaxUint64, Hash: hashing.XX(0)},
		"zero Hasher":           {Rate: 0.1},
	} {
		if f, err := New(p); f != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want an error with %q", err, says)
		}
	}
	f := mustNew(t, Params{Rate: 0.1, Hash: hashing.XX(0)})
	want := Params{Capacity: 1, Rate: 0.1, Growth: DefaultGrowth, Tightening: DefaultTightening, Hash: hashing.XX(0)}
	if f.Params() != want || f.Hash() != want.Hash {
		t.Errorf("got %+v, want %+v", f.Params(), want)
	}
}

// Whatever the parameters: no key is missed, every link but those of one key
// keeps its own rate by its bits, and the chain the whole one.
func TestChainKeepsItsPromise(t *testing.T) {
	for _, p := range []Params{
		{Rate: 0.01},
		{Rate: 0.01, Capacity: 1000},
		{Rate: 0.5, Capacity: 3, Growth: 1, Tightening: 0.99},
		{Rate: 0.1, Capacity: 10, Growth: 4, Tightening: 0.5},
		{Rate: 1e-6, Capacity: 100, Growth: 10, Tightening: 0.9},
	} {
		p.Hash = hashing.XX(7)
		f := mustNew(t, p)
		const n = 3000
		addKeys(t, f, 0, n)
		for key := range uint64(n) {
			if !f.Contains(key) {
				t.Fatalf("%+v: key %d is missed", p, key)
			}
		}
		capacity, rate := f.params.Capacity, p.Rate*(1-f.params.Tightening)
		for i, l := range f.Links() {
			if l.Capacity != capacity || math.Abs(l.Rate/rate-1) > 1e-9 {
				t.Errorf("%+v: link %d is for %d keys at %v, want %d at %v", p, i, l.Capacity, l.Rate, capacity, rate)
			}
			m, k, err := bloom.Size(capacity, l.Rate, bloom.Exact)
			if err != nil || l.M != m || l.K != k {
				t.Errorf("%+v: link %d has m=%d, k=%d, want %d, %d", p, i, l.M, l.K, m, k)
			}
			if l.BitsSet > max(l.BitsFull, l.K) || l.BitsSet > l.K && l.RateEstimate() > l.Rate {
				t.Errorf("%+v: link %d has %d bits of %d, rate %v of %v", p, i, l.BitsSet, l.BitsFull, l.RateEstimate(), l.Rate)
			}
			capacity *= f.params.Growth
			rate *= f.params.Tightening
		}
		if len(f.Links()) < 2 {
			t.Errorf("%+v: the chain did not grow", p)
		}
		if got := f.RateEstimate(); got > p.Rate || got <= 0 {
			t.Errorf("%+v: the chain's rate is %v", p, got)
		}
	}
}

// A link takes the keys that it is sized for, within four standard deviations of
// the bits that this many keys set.
func TestLinksHoldTheirCapacity(t *testing.T) {
	const n = 10000
	for seed := range uint64(10) {
		f := mustNew(t, Params{Capacity: n, Rate: 0.01, Hash: hashing.XX(seed)})
		held := uint64(0)
		for len(f.Links()) == 1 {
			addKeys(t, f, held, held+1)
			held++
		}
		l := f.Links()[0]
		_, spread := bloom.CountEstimateBiasSD(l.M, l.K, n)
		if diff := float64(held-1) - n; math.Abs(diff) > 4*spread+float64(l.K) {
			t.Errorf("seed %d: the first link took %d keys, capacity %d", seed, held-1, n)
		}
		if estimate := f.CountEstimate(); math.Abs(estimate/float64(held)-1) > 0.02 {
			t.Errorf("%d keys are estimated as %v", held, estimate)
		}
	}
}

// Duplicates change nothing, whichever link holds them.
func TestDuplicatesAreFree(t *testing.T) {
	f := mustNew(t, Params{Capacity: 100, Rate: 0.01, Hash: hashing.XX(0)})
	addKeys(t, f, 0, 1000)
	before := f.Clone()
	for range 10 {
		addKeys(t, f, 0, 1000)
	}
	if !f.Equal(before) {
		t.Error("adding held keys again changed the filter")
	}
}

// The links are Bloom filters: the first of a chain sets the bits of impl/bloom.
func TestFirstLinkIsABloomFilter(t *testing.T) {
	f := mustNew(t, Params{Capacity: 1000, Rate: 0.1, Hash: hashing.XX(3)})
	l := f.Links()[0]
	b, err := bloom.New(bloom.Params{M: l.M, K: l.K, Hash: hashing.XX(3)})
	if err != nil {
		t.Fatal(err)
	}
	for key := range uint64(900) {
		if f.Contains(key) != b.Contains(key) {
			t.Fatalf("key %d: found %t before it was added", key, f.Contains(key))
		}
		addKeys(t, f, key, key+1)
		_ = b.Add(key)
	}
	if len(f.Links()) > 1 {
		t.Fatal("the chain grew")
	}
	for i, w := range b.Words() {
		if f.links[0].words[i] != w {
			t.Fatalf("word %d differs", i)
		}
	}
	if f.links[0].set != b.BitsSet() {
		t.Errorf("%d bits counted, %d set", f.links[0].set, b.BitsSet())
	}
}

// hasRoom counts the bits that a key would set, repeats once.
func TestMissing(t *testing.T) {
	l := link{words: make([]uint64, 1), m: 5, k: 20}
	for hash := range uint64(200) {
		before := l.set
		want := l.missing(hashing.Mix(hash))
		l.add(hashing.Mix(hash))
		if got := l.set - before; got != want {
			t.Fatalf("hash %d set %d bits, %d were missing", hash, got, want)
		}
		if hash%5 == 4 {
			clear(l.words)
			l.set = 0
		}
	}
}

func TestVisits(t *testing.T) {
	f := mustNew(t, Params{Capacity: 100, Rate: 0.001, Hash: hashing.XX(0)})
	addKeys(t, f, 0, 1000)
	links := len(f.Links())
	if got := f.Visits(0); got != links { // the oldest key is in the oldest link
		t.Errorf("%d links visited of %d", got, links)
	}
	if got := f.Visits(999); got != 1 {
		t.Errorf("%d links visited for the newest key", got)
	}
	if got := f.Visits(1 << 40); got != links || f.Contains(1<<40) {
		t.Errorf("%d links visited of %d for an absent key", got, links)
	}
}

// At a growth of 1 and tightening of 1/2 the rates reach 2^-64 before the memory
// ends: the filter then refuses and keeps what it holds.
func TestFullAtTheLimit(t *testing.T) {
	f := mustNew(t, Params{Rate: 1e-9, Capacity: 1, Growth: 1, Tightening: 0.5, Hash: hashing.XX(0)})
	var err error
	held := uint64(0)
	for ; err == nil && held < 10000; held++ {
		err = f.Add(held)
	}
	if !errors.Is(err, sketchproof.ErrFull) {
		t.Fatalf("after %d keys: %v", held, err)
	}
	before := f.Clone()
	if added, err := f.AddBatch([]uint64{0, 1 << 50, 1}); added != 1 || !errors.Is(err, sketchproof.ErrFull) || !f.Equal(before) {
		t.Errorf("a full filter took %d keys, %v", added, err)
	}
	for key := range held - 1 {
		if !f.Contains(key) {
			t.Errorf("key %d is missed", key)
		}
	}
	if _, err := f.params.capacityAfter(&link{capacity: 1 << 63}); err != nil {
		t.Error(err)
	}
	f.params.Growth = 2
	if _, err := f.params.after(&link{capacity: 1 << 63, rate: 0.1}); err == nil {
		t.Error("a link for 2^64 keys was made")
	}
}

func TestCloneAndReset(t *testing.T) {
	f := mustNew(t, Params{Capacity: 10, Rate: 0.01, Hash: hashing.XX(0)})
	fresh := f.Clone()
	addKeys(t, f, 0, 100)
	c := f.Clone()
	addKeys(t, c, 100, 200)
	if c.Equal(f) || f.Equal(c) {
		t.Error("the clone shares bits")
	}
	f.Reset()
	if !f.Equal(fresh) || f.links[0].set != 0 || f.SizeBytes() != fresh.SizeBytes() {
		t.Error("Reset left something")
	}
	addKeys(t, f, 0, 100)
	if f.Contains(150) && f.Contains(151) && f.Contains(152) {
		t.Error("keys of the clone are found")
	}
}

func TestBatchesAreSingleCalls(t *testing.T) {
	const n = 700
	keys, texts := make([]uint64, 2*n), make([][]byte, 2*n)
	for i := range keys {
		keys[i] = uint64(i)
		texts[i] = binary.BigEndian.AppendUint32(nil, uint32(i))
	}
	p := Params{Capacity: 100, Rate: 0.05, Hash: hashing.XX(0)}
	one, many := mustNew(t, p), mustNew(t, p)
	for i := range n {
		_ = one.Add(keys[i])
	}
	for i := range n {
		_ = one.AddBytes(texts[i])
	}
	for i := range n {
		_ = one.AddHash(hashing.Mix(keys[i]))
	}
	hashes := make([]uint64, 2*n)
	for i := range hashes {
		hashes[i] = hashing.Mix(keys[i])
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
	if !one.Equal(many) {
		t.Fatal("the filters differ")
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
			if found[i] != c.single(i) || i < n && !found[i] {
				t.Errorf("%s: key %d found: %t", name, i, found[i])
			}
			if found[i] {
				count++
			}
		}
		if count != c.count {
			t.Errorf("%s: %d counted, %d found", name, c.count, count)
		}
	}
}
