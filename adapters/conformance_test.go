package adapters

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Conformance: what the interfaces promise of every filter of the catalogue. Each
// file beside this one holds what one power promises; a filter without the power
// is passed over. What is asked of our own alone, refusing damaged bytes before
// all, says so with native.

// held is how many keys the filters here hold, of 512: some libraries round a
// capacity up to a power of two and take no more than 95 % of it.
const held = 400

// hashed tells its hash function: all of a key that it knows is the key's hash.
type hashed interface{ Hash() hashing.Hasher }

// eachFilter runs a check for every subject. Subjects share nothing.
func eachFilter(t *testing.T, check func(t *testing.T, s Filter)) {
	t.Helper()
	for _, s := range Filters {
		t.Run(s.Name, func(t *testing.T) { check(t, s) })
	}
}

func native(s Filter) bool { return s.Module == "" }

// exactSet reports whether a subject is never wrong, and so has no rate.
func exactSet(s Filter) bool {
	law, ok := s.LawFor(sketchproof.MetricFPR)
	return ok && law.Name == noFalsePositives.Name
}

// numbers are the keys number from to to-1.
func numbers(from, to int) []uint64 {
	list := make([]uint64, to-from)
	for i := range list {
		list[i] = key(from + i)
	}
	return list
}

// texts are distinct byte strings of 1 to 61 bytes, number from to to-1.
func texts(from, to int) [][]byte {
	list := make([][]byte, to-from)
	for i := range list {
		padding := bytes.Repeat([]byte{byte(key(from + i))}, (from+i)*7%53)
		list[i] = fmt.Appendf(padding, ":%d", from+i)
	}
	return list
}

// filled is a filter of the numeric keys, for as many or for held.
func filled(t *testing.T, s Filter, keys []uint64) sketchproof.Filter {
	t.Helper()
	return built(t, s, sketchproof.FilterSpec{Keys: keys, Capacity: max(held, len(keys)), Epsilon: 0.01, Seed: 1})
}

func built(t *testing.T, s Filter, spec sketchproof.FilterSpec) sketchproof.Filter {
	t.Helper()
	f, err := s.Build(spec)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// filledBytes is a filter of the byte strings, nil if it takes none.
func filledBytes(t *testing.T, s Filter, keys [][]byte) sketchproof.BytesFilter {
	t.Helper()
	f := filled(t, s, nil)
	if _, ok := f.(sketchproof.BytesFilter); !ok {
		return nil
	}
	adder, ok := f.(sketchproof.BytesAdder)
	if !ok {
		spec := sketchproof.FilterSpec{ByteKeys: keys, Capacity: held, Epsilon: 0.01, Seed: 1}
		return built(t, s, spec).(sketchproof.BytesFilter)
	}
	for _, key := range keys {
		if err := adder.AddBytes(key); err != nil {
			t.Fatal(err)
		}
	}
	return f.(sketchproof.BytesFilter)
}

// state is all that can be seen of a filter: what it writes, or its answers.
func state(t *testing.T, s Filter, f sketchproof.Filter) []byte {
	t.Helper()
	if s.Encode == nil {
		return answers(f, 0, 4*held)
	}
	data, err := s.Encode(f)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(data)
}

// answers are those for the keys number from to to-1, a byte each.
func answers(f sketchproof.Filter, from, to int) []byte {
	list := make([]byte, to-from)
	for i := range list {
		if f.Contains(key(from + i)) {
			list[i] = 1
		}
	}
	return list
}

// seeded reports whether the seed makes another filter of a subject.
func seeded(t *testing.T, s Filter) bool {
	t.Helper()
	spec := sketchproof.FilterSpec{Keys: numbers(0, held), Epsilon: 0.01, Seed: 1}
	a := built(t, s, spec)
	spec.Seed = 2
	b := built(t, s, spec)
	if h, ok := a.(hashed); ok {
		return h.Hash() != b.(hashed).Hash()
	}
	return !bytes.Equal(answers(a, held, 20000), answers(b, held, 20000))
}

func allFound(t *testing.T, state string, f sketchproof.Filter, keys []uint64) {
	t.Helper()
	for _, k := range keys {
		if !f.Contains(k) {
			t.Fatalf("%s: key %d is lost", state, k)
		}
	}
}

// holds compares the number of keys that a filter tells, if it does. One key in
// a hundred may be taken for another, and not be counted.
func holds(t *testing.T, f sketchproof.Filter, n int) {
	t.Helper()
	if c, ok := f.(interface{ Len() int }); ok && (c.Len() > n || c.Len() < n-n/100) {
		t.Errorf("%d keys told of %d", c.Len(), n)
	}
}

func TestFiltersHoldTheirKeysAndRarelyOthers(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, numbers(0, held))
		allFound(t, "built", f, numbers(0, held))
		holds(t, f, held)
		// No subject's rate is above 3.1 % here: 8-bit fingerprints, eight to a look-up.
		if wrong := bytes.Count(answers(f, held, held+10000), []byte{1}); wrong > 500 {
			t.Errorf("%d of 10000 absent keys found", wrong)
		}
		for _, law := range s.Laws {
			band := law.Predict(f, sketchproof.FilterSpec{Epsilon: 0.01}, held)
			if law.Name == "" || law.Source == "" || !(band.Hi >= band.Lo) || !(band.Predicted >= 0) {
				t.Errorf("law %+v predicts %+v", law.Name, band)
			}
		}
	})
}

// A key is what its hash says, for a filter that tells its hash.
func TestKeysAreTheirHashes(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, numbers(0, held))
		h, tells := f.(hashed)
		byHash, ok := f.(sketchproof.HashFilter)
		if !tells || !ok {
			t.Skip("it does not tell its hash, or takes none")
		}
		for _, k := range numbers(0, 4*held) {
			if f.Contains(k) != byHash.ContainsHash(h.Hash().Uint64(k)) {
				t.Fatalf("number %d is found or its hash, not both", k)
			}
		}
		byBytes := filledBytes(t, s, texts(0, held))
		if byBytes == nil {
			t.Skip("it takes no byte strings")
		}
		h, byHash = byBytes.(hashed), byBytes.(sketchproof.HashFilter)
		for _, k := range texts(0, 4*held) {
			if byBytes.ContainsBytes(k) != byHash.ContainsHash(h.Hash().Bytes(k)) {
				t.Fatalf("%q is found or its hash, not both", k)
			}
		}
	})
}

// Keys of every kind may go into one filter that takes them.
func TestHashesAddedAreFound(t *testing.T) {
	eachFilter(t, func(t *testing.T, s Filter) {
		f := filled(t, s, nil)
		adder, ok := f.(sketchproof.HashAdder)
		if !ok {
			t.Skip("it takes no hashes")
		}
		for _, h := range append(numbers(0, held-2), 0, 1<<64-1) {
			if err := adder.AddHash(h); err != nil {
				t.Fatal(err)
			}
			if !f.(sketchproof.HashFilter).ContainsHash(h) {
				t.Fatalf("hash %x is not found", h)
			}
		}
	})
}
