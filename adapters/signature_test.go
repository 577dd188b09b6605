package adapters

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
)

func eachSignature(t *testing.T, run func(t *testing.T, s Signature)) {
	for _, s := range Signatures {
		t.Run(s.Name, func(t *testing.T) { run(t, s) })
	}
}

// signature holds the keys number from to to-1.
func signature(t *testing.T, s Signature, spec sketchproof.SignatureSpec, from, to int) sketchproof.Signature {
	t.Helper()
	sig, err := s.Build(spec)
	if err != nil {
		t.Fatal(err)
	}
	for i := from; i < to; i++ {
		sig.Add(key(i))
	}
	return sig
}

func similarity(t *testing.T, a, b sketchproof.Signature) float64 {
	t.Helper()
	j, err := a.Similarity(b)
	if err != nil || !(j >= 0 && j <= 1) {
		t.Fatalf("similarity %v, %v", j, err)
	}
	return j
}

var signatureSpec = sketchproof.SignatureSpec{K: 256, Seed: 1}

func TestSignaturesTellSimilarityThroughEveryPower(t *testing.T) {
	eachSignature(t, func(t *testing.T, s Signature) {
		build := func(from, to int) sketchproof.Signature { return signature(t, s, signatureSpec, from, to) }
		// 1000 of 2000 keys. Six standard errors of the least exact, b = 2: P = 5/8,
		// 6·√(P(1-P)/256)/(3/4) = 0.242.
		near := func(state string, a, b sketchproof.Signature) {
			t.Helper()
			if j := similarity(t, a, b); math.Abs(j-0.5) > 0.242 || j != similarity(t, b, a) {
				t.Errorf("%s: %v, is 0.5", state, j)
			}
		}
		a, b := build(0, 1500), build(500, 2000)
		near("built", a, b)
		want := similarity(t, a, b)
		if s.Merge != nil {
			m := build(0, 900)
			if err := s.Merge(m, build(300, 1500)); err != nil {
				t.Fatal(err)
			}
			if j := similarity(t, m, b); j != want {
				t.Errorf("merged: %v, built at once: %v", j, want)
			}
			if j := similarity(t, m, a); j != 1 {
				t.Errorf("a merge is %v like the signature of the union", j)
			}
		}
		if s.Encode == nil {
			return
		}
		data, err := s.Encode(a)
		if err != nil {
			t.Fatal(err)
		}
		given := bytes.Clone(data)
		d, err := s.Decode(given)
		if err != nil {
			t.Fatal(err)
		}
		clear(given) // it must not live in the caller's bytes
		if j := similarity(t, d, b); j != want {
			t.Errorf("decoded: %v, before: %v", j, want)
		}
		for i := 1500; i < 2000; i++ {
			a.Add(key(i))
			d.Add(key(i))
		}
		if after := mustEncode(t, s, d); !bytes.Equal(after, mustEncode(t, s, a)) {
			t.Error("the decoded signature goes on otherwise")
		}
	})
}

func mustEncode(t *testing.T, s Signature, sig sketchproof.Signature) []byte {
	t.Helper()
	data, err := s.Encode(sig)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSignaturesOfEqualAndDisjointSets(t *testing.T) {
	exact := func(s Signature) bool {
		i := slices.IndexFunc(SimilarityEstimates, func(e SimilarityEstimate) bool { return e.Subject.Name == s.Name })
		return i >= 0 && !SimilarityEstimates[i].Chance
	}
	eachSignature(t, func(t *testing.T, s Signature) {
		for _, k := range []int{1, 16, 256} {
			spec := sketchproof.SignatureSpec{K: k, Seed: 3}
			for _, n := range []int{1, 10, 1000} {
				a, b := signature(t, s, spec, 0, n), signature(t, s, spec, n, 2*n)
				if j := similarity(t, a, signature(t, s, spec, 0, n)); j != 1 {
					t.Errorf("k = %d: equal sets of %d are %v alike", k, n, j)
				}
				if j := similarity(t, a, b); j != 0 && exact(s) {
					t.Errorf("k = %d: disjoint sets of %d are %v alike", k, n, j)
				}
				if j := similarity(t, a, signature(t, s, spec, 0, 0)); j != 0 {
					t.Errorf("k = %d: %d keys are %v like none", k, n, j)
				}
			}
		}
	})
}

func TestSignatureRefusals(t *testing.T) {
	eachSignature(t, func(t *testing.T, s Signature) {
		for _, k := range []int{0, -1, math.MinInt, math.MaxInt} {
			if _, err := s.Build(sketchproof.SignatureSpec{K: k}); err == nil {
				t.Errorf("k = %d was taken", k)
			}
		}
		a := signature(t, s, signatureSpec, 0, 100)
		if a.SizeBytes() < 1 {
			t.Errorf("it takes %d bytes", a.SizeBytes())
		}
		for what, other := range map[string]sketchproof.SignatureSpec{
			"k": {K: 128, Seed: 1}, "seed": {K: 256, Seed: 2},
		} {
			b := signature(t, s, other, 0, 100)
			if _, err := a.Similarity(b); err == nil {
				t.Errorf("compared with another %s", what)
			}
			if s.Merge != nil {
				if err := s.Merge(a, b); err == nil {
					t.Errorf("merged with another %s", what)
				}
			}
		}
		if j := similarity(t, a, signature(t, s, signatureSpec, 0, 100)); j != 1 {
			t.Errorf("a refused merge changed it: %v", j)
		}
		if _, err := signature(t, s, signatureSpec, 0, 0).Similarity(signature(t, s, signatureSpec, 0, 0)); err == nil {
			t.Error("two empty sets were compared")
		}
		for _, o := range Signatures {
			if o.Name != s.Name {
				if _, err := a.Similarity(signature(t, o, signatureSpec, 0, 100)); err == nil {
					t.Errorf("compared with %s", o.Name)
				}
			}
		}
		if s.Decode == nil {
			return
		}
		data := mustEncode(t, s, a)
		for i := range len(data) {
			bad := bytes.Clone(data)
			bad[i] ^= 1
			if _, err := s.Decode(bad); err == nil {
				t.Fatalf("byte %d of %d changed, and it was read", i, len(data))
			}
		}
		for _, o := range Signatures {
			if o.Encode != nil && o.Name != s.Name {
				if _, err := s.Decode(mustEncode(t, o, signature(t, o, signatureSpec, 0, 100))); err == nil {
					t.Errorf("the bytes of %s were read", o.Name)
				}
			}
		}
		for _, bad := range forgeries(data) {
			before := allocated()
			d, err := s.Decode(bad)
			if grown := allocated() - before; grown > 4*uint64(len(bad))+8192 {
				t.Fatalf("%d bytes made the reader allocate %d (error %v)", len(bad), grown, err)
			}
			if err == nil && !bytes.Equal(mustEncode(t, s, d), bad) {
				t.Fatal("forged bytes were read as something else")
			}
		}
	})
}

func TestSignatureNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Signatures {
		if s.Name == "" || seen[s.Name] {
			t.Errorf("bad or repeated name %q", s.Name)
		}
		seen[s.Name] = true
	}
	for _, e := range SimilarityEstimates {
		if !seen[e.Subject.Name] {
			t.Errorf("%s has a law and is not in the catalogue", e.Subject.Name)
		}
	}
}
