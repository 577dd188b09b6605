package adapters

import (
	"bytes"
	"encoding"
	"reflect"
	"testing"

	"github.com/sketchproof/sketchproof"
)

// method is a filter's method of a name, whose types are the filter's own: no
// interface has it. A zero Value is none.
func method(f sketchproof.Filter, name string, in, out int) reflect.Value {
	m := reflect.ValueOf(f).MethodByName(name)
	if m.IsValid() && m.Type().NumIn() == in && m.Type().NumOut() == out {
		return m
	}
	return reflect.Value{}
}

// A clone is the same filter, and lives on its own.
func TestClonesAreApart(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, numbers(0, held/2))
		clone := method(f, "Clone", 0, 1)
		if !clone.IsValid() || s.Encode == nil {
			t.Skip("it has no clones")
		}
		g, ok := clone.Call(nil)[0].Interface().(sketchproof.Filter)
		if !ok {
			t.Fatal("a clone is no filter")
		}
		before := state(t, s, f)
		if !bytes.Equal(state(t, s, g), before) {
			t.Fatal("a clone is another filter")
		}
		equal := func() bool {
			m := method(f, "Equal", 1, 1)
			return m.IsValid() && m.Call([]reflect.Value{reflect.ValueOf(g)})[0].Bool()
		}
		if method(f, "Equal", 1, 1).IsValid() && !equal() {
			t.Error("a clone is not equal")
		}
		if _, ok := g.(sketchproof.Adder); !ok {
			return
		}
		addAll(t, g, numbers(held/2, held))
		if !bytes.Equal(state(t, s, f), before) {
			t.Error("keys added to a clone left a trace")
		}
		if equal() {
			t.Error("filters of other keys are equal")
		}
	})
}

func TestResetLeavesAnEmptyFilter(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, nil)
		r, ok := f.(interface{ Reset() })
		if !ok {
			t.Skip("it is not reset")
		}
		nothing := answers(f, 0, 4*held)
		r.Reset() // to as new, without what the catalogue did to it
		empty := state(t, s, f)
		for range 2 {
			addAll(t, f, numbers(0, held))
			r.Reset()
			holds(t, f, 0)
			if !bytes.Equal(answers(f, 0, 4*held), nothing) {
				t.Fatal("a reset filter finds keys")
			}
			if !bytes.Equal(state(t, s, f), empty) {
				t.Fatal("a reset filter is not an empty one")
			}
		}
	})
}

// Bytes that are refused leave the reader as it was, and those that are taken
// replace all of it.
func TestUnmarshalIsAllOrNothing(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, numbers(0, held))
		u, ok := f.(encoding.BinaryUnmarshaler)
		if !ok || !native(s) || s.Encode == nil {
			t.Skip("a library's, or without a serialized form of its own")
		}
		before := state(t, s, f)
		for at := 0; at < len(before); at += 1 + len(before)/50 {
			bad := bytes.Clone(before)
			bad[at] ^= 0x10
			if u.UnmarshalBinary(bad) == nil || u.UnmarshalBinary(sealed(bad)[:at]) == nil {
				t.Fatalf("damage of byte %d was taken", at)
			}
			if !bytes.Equal(state(t, s, f), before) {
				t.Fatalf("damage of byte %d was refused, and left a trace", at)
			}
		}
		other := state(t, s, built(t, s, sketchproof.FilterSpec{Keys: numbers(held, held+30), Epsilon: 0.001, Seed: 2}))
		if err := u.UnmarshalBinary(other); err != nil || !bytes.Equal(state(t, s, f), other) {
			t.Errorf("reading into a filter that was in use: %v, or another filter", err)
		}
		allFound(t, "read into a filter in use", f, numbers(held, held+30))
	})
}

func TestAppendBinaryKeepsWhatIsThere(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, numbers(0, held))
		a, ok := f.(encoding.BinaryAppender)
		if !ok || s.Encode == nil {
			t.Skip("it appends nothing")
		}
		got, err := a.AppendBinary([]byte("head"))
		if err != nil || !bytes.Equal(got, append([]byte("head"), state(t, s, f)...)) {
			t.Errorf("appended something else, or %v", err)
		}
	})
}
