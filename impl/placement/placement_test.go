package placement

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// A placer is what all placements here can do.
type placer interface {
	sketchproof.Placer
	binaryForm
	OwnerBytes(key []byte) (string, error)
	OwnerHash(hash uint64) (string, error)
	Nodes() []string
	Len() int
	Hash() hashing.Hasher
	SizeBytes() int
	Reset()
}

// A kind makes an empty placement, a zero value to read into, and clones.
type kind struct {
	name  string
	empty func(h hashing.Hasher) (placer, error)
	zero  func() placer
	clone func(placer) placer
	equal func(a, b placer) bool
}

func kindOf[T any, P interface {
	*T
	placer
	Clone() P
	Equal(P) bool
}](name string, empty func(h hashing.Hasher) (P, error)) kind {
	return kind{
		name: name,
		empty: func(h hashing.Hasher) (placer, error) {
			p, err := empty(h)
			if p == nil {
				return nil, err
			}
			return p, err
		},
		zero:  func() placer { return P(new(T)) },
		clone: func(p placer) placer { return p.(P).Clone() },
		equal: func(a, b placer) bool { return a.(P).Equal(b.(P)) },
	}
}

var kinds = []kind{
	kindOf("ring", func(h hashing.Hasher) (*Ring, error) { return NewRing(RingParams{5, h}) }),
	kindOf("jump", NewJump),
	kindOf("rendezvous", NewRendezvous),
	kindOf("maglev", func(h hashing.Hasher) (*Maglev, error) { return NewMaglev(MaglevParams{101, h}) }),
	kindOf("bounded", func(h hashing.Hasher) (*Bounded, error) { return NewBounded(BoundedParams{0.25, 5, h}) }),
}

func (k kind) of(t testing.TB, nodes ...string) placer {
	t.Helper()
	p, err := k.empty(hashing.XX(7))
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range nodes {
		if err := p.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func encoded(t testing.TB, m encoding.BinaryMarshaler) []byte {
	t.Helper()
	data, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestEveryKindRefuses(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			if p, err := k.empty(hashing.Hasher{}); p != nil || !errors.Is(err, hashing.ErrFamily) {
				t.Errorf("no hash: %v", err)
			}
			p := k.of(t)
			_, e1 := p.Owner(1)
			_, e2 := p.OwnerBytes(nil)
			_, e3 := p.OwnerHash(1)
			if !errors.Is(e1, ErrEmpty) || !errors.Is(e2, ErrEmpty) || !errors.Is(e3, ErrEmpty) {
				t.Errorf("no nodes, and an owner: %v, %v, %v", e1, e2, e3)
			}
			p = k.of(t, "A", "")
			before := k.clone(p)
			for what, err := range map[string][2]error{
				"twice":    {p.Add("A"), ErrDuplicate},
				"unknown":  {p.Remove("B"), ErrUnknown},
				"too long": {p.Add(strings.Repeat("x", MaxName+1)), ErrName},
			} {
				if !errors.Is(err[0], err[1]) || !k.equal(p, before) {
					t.Errorf("%s: %v", what, err[0])
				}
			}
			if err := p.Add(strings.Repeat("x", MaxName)); err != nil {
				t.Error(err)
			}
			if err := k.zero().UnmarshalBinary(encoded(t, p)); err != nil {
				t.Errorf("the longest name: %v", err)
			}
		})
	}
}

func TestKeysNumbersBytesAndHashesAgree(t *testing.T) {
	for _, k := range kinds {
		p := k.of(t, "A", "B", "C")
		owners := map[string]bool{}
		for i := range uint64(300) {
			a, err := p.Owner(i)
			if b, err2 := p.OwnerHash(p.Hash().Uint64(i)); a != b || err != nil || err2 != nil {
				t.Errorf("%s: number %d: %s, %s", k.name, i, a, b)
			}
			text := fmt.Append(nil, "key", i)
			a, err = p.OwnerBytes(text)
			if b, err2 := p.OwnerHash(p.Hash().Bytes(text)); a != b || err != nil || err2 != nil {
				t.Errorf("%s: %s: %s, %s", k.name, text, a, b)
			}
			owners[a] = true
		}
		if len(owners) != 3 {
			t.Errorf("%s: only %v have keys", k.name, owners)
		}
	}
}

func TestClonesShareNothing(t *testing.T) {
	for _, k := range kinds {
		p := k.of(t, "A", "B", "C")
		c := k.clone(p)
		if !k.equal(p, c) || !k.equal(c, p) {
			t.Errorf("%s: a clone is not equal", k.name)
		}
		before := encoded(t, p)
		if err := c.Remove("C"); err != nil {
			t.Fatal(err)
		}
		if err := c.Add("D"); err != nil {
			t.Fatal(err)
		}
		if k.equal(p, c) || !bytes.Equal(before, encoded(t, p)) {
			t.Errorf("%s: a changed clone is equal, or changed its source", k.name)
		}
		if p.Len() != 3 || !slices.Equal(p.Nodes(), []string{"A", "B", "C"}) {
			t.Errorf("%s: nodes %v", k.name, p.Nodes())
		}
		other, err := k.empty(hashing.XX(8))
		if err != nil {
			t.Fatal(err)
		}
		if empty := k.of(t); k.equal(empty, other) {
			t.Errorf("%s: equal under another seed", k.name)
		}
		if c.Reset(); c.Len() != 0 || !k.equal(c, k.of(t)) || c.SizeBytes() != 0 {
			t.Errorf("%s: %d nodes, %d bytes after a reset", k.name, c.Len(), c.SizeBytes())
		}
	}
}

func TestBytesHoldThePlacement(t *testing.T) {
	for _, k := range kinds {
		for _, nodes := range [][]string{nil, {""}, {"B", "A", "C#1", "C"}} {
			p, q := k.of(t, nodes...), k.zero()
			data := encoded(t, p)
			if err := q.UnmarshalBinary(data); err != nil {
				t.Fatal(err)
			}
			if !k.equal(p, q) || !bytes.Equal(encoded(t, q), data) {
				t.Errorf("%s: read back as another", k.name)
			}
			for key := range uint64(100) {
				a, _ := p.Owner(key)
				if b, _ := q.Owner(key); a != b {
					t.Fatalf("%s: key %d on %s, read back on %s", k.name, key, a, b)
				}
			}
			if more, err := p.AppendBinary([]byte("x")); err != nil || string(more) != "x"+string(data) {
				t.Errorf("%s: appended %v", k.name, err)
			}
		}
	}
}

func TestUnmarshalRefusals(t *testing.T) {
	name := func(s string) []byte { return appendName(nil, s) }
	word := func(w uint64) []byte { return appendWord(nil, w) }
	join := func(parts ...[]byte) []byte { return slices.Concat(parts...) }
	half := uint64(0x3fe0000000000000) // 0.5
	for what, c := range map[string]struct {
		kind     int
		name     string
		geometry []uint64
		payload  []byte
	}{
		"ring without points":    {0, "RING", []uint64{0, 0}, nil},
		"ring, huge v":           {0, "RING", []uint64{1 << 40, 0}, nil},
		"ring out of order":      {0, "RING", []uint64{1, 2}, join(name("b"), word(1), name("a"), word(1))},
		"ring, a node twice":     {0, "RING", []uint64{1, 2}, join(name("a"), word(1), name("a"), word(1))},
		"ring, weight 0":         {0, "RING", []uint64{1, 1}, join(name("a"), word(0))},
		"ring, huge weight":      {0, "RING", []uint64{1, 1}, join(name("a"), word(1<<63))},
		"ring, too many points":  {0, "RING", []uint64{1, 5}, join(name("a"), word(1<<20), name("b"), word(1<<20), name("c"), word(1<<20), name("d"), word(1<<20), name("e"), word(1))},
		"ring, a byte more":      {0, "RING", []uint64{1, 1}, join(name("a"), word(1), []byte{0})},
		"ring cut short":         {0, "RING", []uint64{1, 2}, join(name("a"), word(1))},
		"nodes without bytes":    {0, "RING", []uint64{1, 1 << 62}, nil},
		"jump, a node twice":     {1, "JUMP", []uint64{2}, join(name("a"), name("a"))},
		"jump, a name cut short": {1, "JUMP", []uint64{1}, []byte{9, 0, 'a'}},
		"jump, a byte more":      {1, "JUMP", []uint64{1}, join(name("a"), []byte{0})},
		"rendezvous, weight 0":   {2, "RNDV", []uint64{1}, join(name("a"), word(0))},
		"rendezvous, NaN":        {2, "RNDV", []uint64{1}, join(name("a"), word(1<<64-1))},
		"rendezvous, order":      {2, "RNDV", []uint64{2}, join(name("b"), word(half), name("a"), word(half))},
		"rendezvous, twice":      {2, "RNDV", []uint64{2}, join(name("a"), word(half), name("a"), word(half))},
		"maglev, no slots":       {3, "MGLV", []uint64{0, 0}, nil},
		"maglev, no prime":       {3, "MGLV", []uint64{100, 0}, nil},
		"maglev, huge":           {3, "MGLV", []uint64{1<<61 - 1, 0}, nil},
		"maglev, order":          {3, "MGLV", []uint64{7, 2}, join(name("b"), name("a"))},
		"maglev, few slots":      {3, "MGLV", []uint64{2, 3}, join(name("a"), name("b"), name("c"))},
		"bounded, epsilon":       {4, "BNDL", []uint64{0, 1, 0}, nil},
		"bounded, NaN":           {4, "BNDL", []uint64{1<<64 - 1, 1, 0}, nil},
		"bounded, a key twice":   {4, "BNDL", []uint64{half, 1, 2}, join(name("a"), word(1), word(5), name("b"), word(1), word(5))},
		"bounded, a full node":   {4, "BNDL", []uint64{half, 1, 3}, join(name("a"), word(2), word(5), word(6), name("b"), word(0), name("c"), word(0))},
		"bounded, many keys":     {4, "BNDL", []uint64{half, 1, 1}, join(name("a"), word(1<<63), word(5))},
		"bounded, a node twice":  {4, "BNDL", []uint64{half, 1, 2}, join(name("a"), word(0), name("a"), word(0))},
		"bounded, many points":   {4, "BNDL", []uint64{half, 1 << 20, 5}, join(name("a"), word(0), name("b"), word(0), name("c"), word(0), name("d"), word(0), name("e"), word(0))},
	} {
		k := kinds[c.kind]
		p := k.of(t, "before")
		data, err := encode(frame.Header{Structure: c.name, Hash: hashing.XX(1), Geometry: c.geometry}, c.payload)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.UnmarshalBinary(data); !errors.Is(err, frame.ErrCorrupt) || !k.equal(p, k.of(t, "before")) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, k := range kinds {
		data := encoded(t, k.of(t, "A", "B"))
		for n := range data {
			if err := k.zero().UnmarshalBinary(data[:n]); !errors.Is(err, frame.ErrCorrupt) {
				t.Errorf("%s: %d bytes: %v", k.name, n, err)
			}
		}
	}
}

// FuzzUnmarshal: an error, or a placement that marshals to the same bytes.
func FuzzUnmarshal(f *testing.F) {
	for i, k := range kinds {
		p := k.of(f, "A", "B", "C")
		if b, ok := p.(*Bounded); ok {
			for key := range uint64(9) {
				if _, err := b.Place(key); err != nil {
					f.Fatal(err)
				}
			}
		}
		f.Add(i, encoded(f, p))
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		if i < 0 || i >= len(kinds) {
			return
		}
		p := kinds[i].zero()
		if err := p.UnmarshalBinary(data); err != nil {
			return
		}
		if !bytes.Equal(encoded(t, p), data) {
			t.Error("other bytes")
		}
		if _, err := p.Owner(1); err != nil && !errors.Is(err, ErrEmpty) {
			t.Error(err)
		}
	})
}
