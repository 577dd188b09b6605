package impl_test

import (
	"bytes"
	"encoding"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/blocked"
	"github.com/sketchproof/sketchproof/impl/bloom"
	"github.com/sketchproof/sketchproof/impl/counting"
	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/countsketch"
	"github.com/sketchproof/sketchproof/impl/cuckoo"
	"github.com/sketchproof/sketchproof/impl/ell"
	"github.com/sketchproof/sketchproof/impl/fuse"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/hll"
	"github.com/sketchproof/sketchproof/impl/infini"
	"github.com/sketchproof/sketchproof/impl/kmv"
	"github.com/sketchproof/sketchproof/impl/linearcounting"
	"github.com/sketchproof/sketchproof/impl/minhash"
	"github.com/sketchproof/sketchproof/impl/placement"
	"github.com/sketchproof/sketchproof/impl/quotient"
	"github.com/sketchproof/sketchproof/impl/ribbon"
	"github.com/sketchproof/sketchproof/impl/rotating"
	"github.com/sketchproof/sketchproof/impl/scalable"
	"github.com/sketchproof/sketchproof/impl/splitblock"
	"github.com/sketchproof/sketchproof/impl/tinylfu"
	"github.com/sketchproof/sketchproof/impl/topk"
	"github.com/sketchproof/sketchproof/impl/ull"
	"github.com/sketchproof/sketchproof/impl/xor"
)

// A structure is what every package's type offers, whatever it answers.
type structure[T any] interface {
	*T
	Hash() hashing.Hasher
	SizeBytes() int
	Equal(*T) bool
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// A subject is one constructor, as the checks below see it.
type subject struct {
	name  string
	check func(t *testing.T)
}

// changing is a subject that keys come to.
func changing[T any, S interface {
	structure[T]
	Clone() *T
	Reset()
}](name string, build func(hashing.Hasher) (S, error), add func(S, uint64),
) subject {
	return subject{name, func(t *testing.T) {
		s := checked(t, build)
		empty := written(t, s)
		for key := range uint64(50) {
			add(s, key)
		}
		full := written(t, s)
		if bytes.Equal(full, empty) {
			t.Fatal("keys left no trace")
		}
		checkForm(t, s, func() S { return new(T) })
		c := S(s.Clone())
		if !c.Equal((*T)(s)) || !bytes.Equal(written(t, c), full) {
			t.Error("a clone is not equal")
		}
		for key := range uint64(70) {
			add(c, 1000+key)
		}
		if c.Equal((*T)(s)) || !bytes.Equal(written(t, s), full) {
			t.Error("what came to a clone reached its source")
		}
		c = S(s.Clone())
		s.Reset()
		if !bytes.Equal(written(t, s), empty) {
			t.Error("after Reset it is not what New makes")
		}
		if !bytes.Equal(written(t, c), full) {
			t.Error("a Reset reached a clone")
		}
		stranger, err := build(hashing.XX3(9))
		if err != nil {
			t.Fatal(err)
		}
		checkMerge(t, c, stranger)
	}}
}

// fixed is a subject that is made of all its keys at once.
func fixed[T any, S structure[T]](name string, build func(hashing.Hasher) (S, error)) subject {
	return subject{name, func(t *testing.T) { checkForm(t, checked(t, build), func() S { return new(T) }) }}
}

// checked builds the subject, and sees that no hash function is refused.
func checked[T any, S structure[T]](t *testing.T, build func(hashing.Hasher) (S, error)) S {
	t.Helper()
	if s, err := build(hashing.Hasher{}); s != nil || !errors.Is(err, hashing.ErrFamily) {
		t.Errorf("with the zero Hasher: %v, want hashing.ErrFamily", err)
	}
	hash := hashing.Keyed([16]byte{1, 2, 3})
	s, err := build(hash)
	if err != nil {
		t.Fatal(err)
	}
	if s.Hash() != hash {
		t.Errorf("the hash function is %v", s.Hash())
	}
	if p := reflect.ValueOf(s).MethodByName("Params"); p.IsValid() {
		hashOf := p.Call(nil)[0]
		if hashOf.FieldByName("Sketch").IsValid() {
			hashOf = hashOf.FieldByName("Sketch")
		}
		if hashOf.FieldByName("Hash").Interface() != hash {
			t.Errorf("Params are %+v", hashOf)
		}
	}
	return s
}

func written(t *testing.T, s encoding.BinaryMarshaler) []byte {
	t.Helper()
	data, err := s.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checkForm tries the ways in which bytes and buffers can be shared.
func checkForm[T any, S structure[T]](t *testing.T, s S, zero func() S) {
	t.Helper()
	data := written(t, s)
	room := append(make([]byte, 0, 4*len(data)+100), "before"...)
	a, errA := s.AppendBinary(room)
	b, errB := s.AppendBinary(a)
	want := slices.Concat([]byte("before"), data, data)
	if errA != nil || errB != nil || !bytes.Equal(b, want) || !bytes.Equal(a, want[:len(a)]) {
		t.Error("AppendBinary does not append what MarshalBinary returns")
	}
	for _, into := range []S{zero(), s} {
		lent := bytes.Clone(data)
		if err := into.UnmarshalBinary(lent); err != nil {
			t.Fatal(err)
		}
		for i := range lent {
			lent[i] ^= 0xff
		}
		if !bytes.Equal(written(t, into), data) || !into.Equal((*T)(s)) {
			t.Error("what was read is not what was written, or shares its bytes")
		}
		if err := into.UnmarshalBinary(lent); err == nil || !bytes.Equal(written(t, into), data) {
			t.Errorf("damage: %v", err)
		}
	}
	if data, err := zero().MarshalBinary(); err == nil && zero().UnmarshalBinary(data) != nil {
		t.Error("the zero value writes what it does not read")
	}
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("the zero value panics: %v", r)
		}
	}()
	if !zero().Equal((*T)(zero())) || zero().Equal((*T)(s)) || s.Equal((*T)(zero())) {
		t.Error("the zero value is equal to another, or not to itself")
	}
}

// checkMerge merges a structure with a stranger, under another hash function, and
// with itself: with a clone it would come to the same.
func checkMerge[T any, S interface {
	structure[T]
	Clone() *T
}](t *testing.T, s, stranger S,
) {
	t.Helper()
	m, ok := any(s).(interface{ Merge(*T) error })
	if !ok {
		return
	}
	before := written(t, s)
	if err := m.Merge((*T)(stranger)); !errors.Is(err, sketchproof.ErrMismatch) || !bytes.Equal(written(t, s), before) {
		t.Errorf("a merge with a stranger: %v", err)
	}
	twin := S(s.Clone())
	err := any(twin).(interface{ Merge(*T) error }).Merge((*T)(s))
	if self := m.Merge((*T)(s)); (self == nil) != (err == nil) || !s.Equal((*T)(twin)) {
		t.Errorf("a merge with itself (%v) is not one with a clone (%v)", self, err)
	}
}

func added(err error) {
	if err != nil {
		panic(err)
	}
}

var someKeys = []uint64{1, 2, 3, 5, 8, 13, 21, 34, 55, 89}

var subjects = []subject{
	changing("bloom", func(h hashing.Hasher) (*bloom.Filter, error) { return bloom.New(bloom.Params{M: 1001, K: 3, Hash: h}) },
		func(f *bloom.Filter, key uint64) { added(f.Add(key)) }),
	changing("blocked", func(h hashing.Hasher) (*blocked.Filter, error) {
		return blocked.New(blocked.Params{Blocks: 9, K: 4, Hash: h})
	}, func(f *blocked.Filter, key uint64) { added(f.Add(key)) }),
	changing("splitblock", func(h hashing.Hasher) (*splitblock.Filter, error) {
		return splitblock.New(splitblock.Params{Blocks: 9, Hash: h})
	}, func(f *splitblock.Filter, key uint64) { added(f.Add(key)) }),
	changing("counting", func(h hashing.Hasher) (*counting.Filter, error) { return counting.ForRate(100, 0.01, 4, h) },
		func(f *counting.Filter, key uint64) { added(f.Add(key)) }),
	changing("scalable", func(h hashing.Hasher) (*scalable.Filter, error) {
		return scalable.New(scalable.Params{Capacity: 10, Rate: 0.1, Hash: h})
	}, func(f *scalable.Filter, key uint64) { added(f.Add(key)) }),
	changing("rotating", func(h hashing.Hasher) (*rotating.Filter, error) { return rotating.ForRate(20, 0.1, h) },
		func(f *rotating.Filter, key uint64) { added(f.Add(key)) }),
	changing("infini", func(h hashing.Hasher) (*infini.Filter, error) { return infini.ForRate(10, 0.01, h) },
		func(f *infini.Filter, key uint64) { added(f.Add(key)) }),
	changing("cuckoo", func(h hashing.Hasher) (*cuckoo.Filter, error) {
		return cuckoo.New(cuckoo.Params{Buckets: 61, Slots: 4, FingerprintBits: 9, SemiSorted: true, Hash: h})
	}, func(f *cuckoo.Filter, key uint64) { added(f.Add(key)) }),
	changing("quotient", func(h hashing.Hasher) (*quotient.Filter, error) {
		return quotient.New(quotient.Params{Slots: 301, RemainderBits: 7, Hash: h})
	}, func(f *quotient.Filter, key uint64) { added(f.Add(key)) }),
	changing("quotient counting", func(h hashing.Hasher) (*quotient.Counting, error) {
		return quotient.NewCounting(quotient.Params{Slots: 301, RemainderBits: 7, Hash: h})
	}, func(f *quotient.Counting, key uint64) { added(f.Add(key)) }),
	fixed("xor", func(h hashing.Hasher) (*xor.Filter[uint8], error) {
		return xor.New[uint8](someKeys, xor.Params{Hash: h})
	}),
	fixed("fuse", func(h hashing.Hasher) (*fuse.Filter[uint32], error) {
		return fuse.New[uint32](someKeys, fuse.Params{Arity: 4, Hash: h})
	}),
	fixed("ribbon", func(h hashing.Hasher) (*ribbon.Filter, error) {
		return ribbon.New(someKeys, ribbon.Params{Width: 64, Bits: 7.5, Hash: h})
	}),
	fixed("ribbon bumped", func(h hashing.Hasher) (*ribbon.Bumped, error) {
		return ribbon.NewBumped(someKeys, ribbon.Params{Width: 64, Bits: 8, Hash: h})
	}),
	changing("hll", func(h hashing.Hasher) (*hll.Sketch, error) { return hll.New(hll.Params{Precision: 5, Hash: h}) },
		func(s *hll.Sketch, key uint64) { s.Add(key) }),
	changing("hll sparse", func(h hashing.Hasher) (*hll.Sketch, error) {
		return hll.New(hll.Params{Precision: 9, Sparse: true, Hash: h})
	}, func(s *hll.Sketch, key uint64) { s.Add(key) }),
	changing("hll martingale", func(h hashing.Hasher) (*hll.Martingale, error) {
		return hll.NewMartingale(hll.Params{Precision: 5, Registers: hll.Packed6, Hash: h})
	}, func(s *hll.Martingale, key uint64) { s.Add(key) }),
	changing("ull", func(h hashing.Hasher) (*ull.Sketch, error) { return ull.New(ull.Params{Precision: 5, Hash: h}) },
		func(s *ull.Sketch, key uint64) { s.Add(key) }),
	changing("ull martingale", func(h hashing.Hasher) (*ull.Martingale, error) {
		return ull.NewMartingale(ull.Params{Precision: 5, Hash: h})
	}, func(s *ull.Martingale, key uint64) { s.Add(key) }),
	changing("ell", func(h hashing.Hasher) (*ell.Sketch, error) { return ell.New(ell.Standard(5, h)) },
		func(s *ell.Sketch, key uint64) { s.Add(key) }),
	changing("ell martingale", func(h hashing.Hasher) (*ell.Martingale, error) { return ell.NewMartingale(ell.Standard(5, h)) },
		func(s *ell.Martingale, key uint64) { s.Add(key) }),
	changing("linearcounting", func(h hashing.Hasher) (*linearcounting.Sketch, error) {
		return linearcounting.New(linearcounting.Params{Bits: 640, Hash: h})
	}, func(s *linearcounting.Sketch, key uint64) { s.Add(key) }),
	changing("kmv", func(h hashing.Hasher) (*kmv.Sketch, error) { return kmv.New(kmv.Params{K: 60, Hash: h}) },
		func(s *kmv.Sketch, key uint64) { s.Add(key) }),
	changing("countmin", func(h hashing.Hasher) (*countmin.Sketch, error) {
		return countmin.New(countmin.Params{Width: 31, Depth: 3, Hash: h})
	}, func(s *countmin.Sketch, key uint64) { s.Add(key, key) }),
	changing("countmin narrow", func(h hashing.Hasher) (*countmin.Sketch, error) {
		return countmin.New(countmin.Params{Width: 31, Depth: 3, CellBits: 32, Hash: h})
	}, func(s *countmin.Sketch, key uint64) { s.Add(key, key) }),
	changing("countsketch", func(h hashing.Hasher) (*countsketch.Sketch, error) {
		return countsketch.New(countsketch.Params{Width: 31, Depth: 3, Hash: h})
	}, func(s *countsketch.Sketch, key uint64) { s.Add(key, -int64(key)) }),
	changing("tinylfu", func(h hashing.Hasher) (*tinylfu.Sketch, error) {
		return tinylfu.New(tinylfu.Params{Width: 33, Sample: 500, DoorBits: 100, DoorProbes: 2, Hash: h})
	}, func(s *tinylfu.Sketch, key uint64) { s.Add(key) }),
	changing("space-saving", func(h hashing.Hasher) (*topk.SpaceSaving, error) {
		return topk.NewSpaceSaving(topk.Params{K: 20, Hash: h})
	},
		func(s *topk.SpaceSaving, key uint64) { s.Add(key, key%7) }),
	changing("misra-gries", func(h hashing.Hasher) (*topk.MisraGries, error) {
		return topk.NewMisraGries(topk.Params{K: 20, Hash: h})
	},
		func(s *topk.MisraGries, key uint64) { s.Add(key, key%7) }),
	changing("topk countmin", func(h hashing.Hasher) (*topk.CountMin, error) {
		return topk.NewCountMin(topk.CountMinParams{K: 20, Sketch: countmin.Params{Width: 90, Depth: 3, Hash: h}})
	}, func(s *topk.CountMin, key uint64) { s.Add(key, key%7) }),
	changing("minhash", func(h hashing.Hasher) (*minhash.Signature, error) { return minhash.New(minhash.Params{K: 20, Hash: h}) },
		func(s *minhash.Signature, key uint64) { s.Add(key) }),
	changing("minhash one permutation", func(h hashing.Hasher) (*minhash.OnePermutation, error) {
		return minhash.NewOnePermutation(minhash.Params{K: 200, Hash: h})
	}, func(s *minhash.OnePermutation, key uint64) { s.Add(key) }),
	changing("minhash bottom-k", func(h hashing.Hasher) (*minhash.BottomK, error) {
		return minhash.NewBottomK(minhash.Params{K: 60, Hash: h})
	}, func(s *minhash.BottomK, key uint64) { s.Add(key) }),
	changing("minhash b-bit", func(h hashing.Hasher) (*minhash.BBitSignature, error) {
		return minhash.NewBBit(minhash.Params{K: 20, Hash: h}, 2)
	}, func(s *minhash.BBitSignature, key uint64) { s.Add(key) }),
	changing("ring", func(h hashing.Hasher) (*placement.Ring, error) {
		return placement.NewRing(placement.RingParams{VirtualNodes: 3, Hash: h})
	}, func(r *placement.Ring, key uint64) { added(r.Add(node(key))) }),
	changing("jump", placement.NewJump, func(j *placement.Jump, key uint64) { added(j.Add(node(key))) }),
	changing("rendezvous", placement.NewRendezvous, func(r *placement.Rendezvous, key uint64) { added(r.Add(node(key))) }),
	changing("maglev", func(h hashing.Hasher) (*placement.Maglev, error) {
		return placement.NewMaglev(placement.MaglevParams{Table: 251, Hash: h})
	}, func(m *placement.Maglev, key uint64) { added(m.Add(node(key))) }),
	changing("bounded", func(h hashing.Hasher) (*placement.Bounded, error) {
		return placement.NewBounded(placement.BoundedParams{Epsilon: 0.25, VirtualNodes: 3, Hash: h})
	}, func(b *placement.Bounded, key uint64) {
		added(b.Add(node(key)))
		if _, err := b.Place(key); err != nil {
			panic(err)
		}
	}),
}

func node(key uint64) string { return string(rune('0' + key)) }

// Whatever a structure answers, it is made, copied, emptied, written, read and
// merged as all the others are.
func TestStructuresAgree(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, s.check)
	}
}
