package minhash

import (
	"bytes"
	"encoding"
	"errors"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

func TestRoundTrip(t *testing.T) {
	eachForm(t, func(t *testing.T, f form) {
		for _, k := range []int{1, 2, 16, 100} {
			for _, n := range []uint64{0, 1, 10, 500} {
				s := f.of(t, k, numbers(0, n)...)
				data := stored(t, s)
				c := f.zero()
				if err := c.UnmarshalBinary(data); err != nil {
					t.Fatal(err)
				}
				clear(data) // it must not keep the slice
				for _, more := range []uint64{n + 1, n + 2, n + 3} {
					s.Add(more)
					c.Add(more)
				}
				s.AddBatch(numbers(2000, 2100))
				c.AddBatch(numbers(2000, 2100))
				if !f.equal(c, s) || !bytes.Equal(stored(t, c), stored(t, s)) || c.K() != k {
					t.Errorf("k = %d, %d keys: the copy goes on in another way", k, n)
				}
			}
		}
	})
}

func TestInverse(t *testing.T) {
	for _, a := range multipliers()[:1000] {
		if a*inverse(a) != 1 {
			t.Fatalf("%x times %x is %x", a, inverse(a), a*inverse(a))
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	p := Params{3, hashing.XX(7)}
	s := must(New(p))
	s.AddBatch(numbers(0, 50))
	low := s.Values()
	low[1] = 1 // the key of minimum 0 or 1 would have set another lower
	high := s.Values()
	high[2] = none
	bins := []uint64{1, none, 1<<63 + 1<<62}
	for name, c := range map[string]struct {
		into encoding.BinaryUnmarshaler
		data []byte
	}{
		"minima: short":        {new(Signature), encode(signatureName, p, s.values[:2])},
		"minima: long":         {new(Signature), encode(signatureName, p, append(s.Values(), 0))},
		"minima: one raised":   {new(Signature), encode(signatureName, p, high)},
		"minima: k of 0":       {new(Signature), encode(signatureName, Params{0, p.Hash}, nil)},
		"minima: k too large":  {new(Signature), encode(signatureName, Params{MaxK + 1, p.Hash}, s.values)},
		"minima: another name": {new(Signature), encode(permutationName, p, s.values)},
		"minima: 3 bits":       {new(BBitSignature), encode(bbitSignatureName, p, s.values, 3)},
		"minima: raised, b":    {new(BBitSignature), encode(bbitSignatureName, p, high, 2)},
		"bins: short":          {new(OnePermutation), encode(permutationName, p, bins[:2])},
		"bins: of another bin": {new(OnePermutation), encode(permutationName, p, []uint64{1, 2, none})},
		"hashes: too many":     {new(BottomK), encode(bottomKName, p, []uint64{1, 2, 3, 4})},
		"hashes: twice":        {new(BottomK), encode(bottomKName, p, []uint64{1, 1})},
		"hashes: descending":   {new(BottomK), encode(bottomKName, p, []uint64{2, 1})},
		"bits: after the last": {new(BBit), encode(bbitName, p, []uint64{1 << 6}, 2)},
		"bits: words":          {new(BBit), encode(bbitName, p, []uint64{1, 0}, 2)},
		"bits: 3":              {new(BBit), encode(bbitName, p, []uint64{1}, 3)},
		"bits: wrapped":        {new(BBit), encode(bbitName, p, []uint64{1}, 1<<32+2)},
		"nothing":              {new(BottomK), nil},
	} {
		if err := c.into.UnmarshalBinary(c.data); !errors.Is(err, frame.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := new(Signature).UnmarshalBinary(encode(signatureName, p, low)); err != nil && !errors.Is(err, frame.ErrCorrupt) {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"bins":   new(OnePermutation).UnmarshalBinary(encode(permutationName, p, bins)),
		"hashes": new(BottomK).UnmarshalBinary(encode(bottomKName, p, []uint64{1, 2, 1<<64 - 1})),
		"bits":   new(BBit).UnmarshalBinary(encode(bbitName, p, []uint64{63}, 2)),
	} {
		if err != nil {
			t.Errorf("good %s: %v", name, err)
		}
	}
	// A payload of half words.
	h := frame.Header{Structure: bottomKName, Version: version, Hash: p.Hash, Geometry: []uint64{3}}
	odd := frame.Encode(h, 9, func(b []byte) []byte { return append(b, make([]byte, 9)...) })
	k := must(NewBottomK(p))
	k.Add(1)
	before := k.Clone()
	if err := k.UnmarshalBinary(odd); !errors.Is(err, frame.ErrCorrupt) || !k.Equal(before) {
		t.Errorf("nine bytes of hashes: %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, form := range forms() {
		f.Add(stored(f, form.of(f, 5, 1, 2, 3)))
		f.Add(stored(f, form.of(f, 2)))
	}
	s := must(New(Params{5, hashing.XX(7)}))
	s.Add(1)
	f.Add(stored(f, must(s.Compress(4))))
	f.Fuzz(func(t *testing.T, data []byte) {
		type binary interface {
			encoding.BinaryMarshaler
			encoding.BinaryUnmarshaler
		}
		read := []binary{new(BBit)}
		for _, form := range forms() {
			read = append(read, form.zero())
		}
		for _, s := range read {
			if err := s.UnmarshalBinary(data); err != nil {
				if !errors.Is(err, frame.ErrCorrupt) {
					t.Fatal(err)
				}
				continue
			}
			if again := stored(t, s); !bytes.Equal(again, data) {
				t.Fatalf("%x was read and written as %x", data, again)
			}
			if c, ok := s.(common); ok {
				c.Add(1)
				if j, err := c.Similarity(c); err != nil || j != 1 {
					t.Fatalf("not like itself: %v, %v", j, err)
				}
			}
		}
	})
}
