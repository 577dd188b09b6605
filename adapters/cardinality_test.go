package adapters

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/stats"
)

func cardinality(t *testing.T, s Cardinality, from, to int) sketchproof.Cardinality {
	t.Helper()
	c, err := s.Build(sketchproof.CardinalitySpec{Precision: 8, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := from; i < to; i++ {
		c.Add(key(i))
	}
	return c
}

// ownCardinalities are the subjects that promise canonical bytes: ours that are written.
func ownCardinalities() []Cardinality {
	var own []Cardinality
	for _, s := range Cardinalities {
		if s.Module == "" && s.Encode != nil {
			own = append(own, s)
		}
	}
	return own
}

func encoded(t *testing.T, s Cardinality, c sketchproof.Cardinality) []byte {
	t.Helper()
	data, err := s.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCardinalitiesRefuseSpecs(t *testing.T) {
	for _, s := range ownCardinalities() {
		for _, p := range []int{-1, 0, 1, 40, 64, math.MaxInt, math.MinInt} {
			if c, err := s.Build(sketchproof.CardinalitySpec{Precision: p, Seed: 1}); err == nil {
				t.Errorf("%s: built %v of precision %d", s.Name, c, p)
			}
		}
	}
}

func TestCardinalitiesAreTheirBytes(t *testing.T) {
	for _, s := range ownCardinalities() {
		t.Run(s.Name, func(t *testing.T) {
			for _, n := range []int{0, 1, 100, 3000} {
				c := cardinality(t, s, 0, n)
				data := encoded(t, s, c)
				d, err := s.Decode(data)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(encoded(t, s, d), data) || d.Estimate() != c.Estimate() {
					t.Fatalf("%d keys: the copy is another", n)
				}
				for i := range 500 {
					c.Add(key(n + i))
					d.Add(key(n + i))
				}
				if !bytes.Equal(encoded(t, s, d), encoded(t, s, c)) {
					t.Fatalf("%d keys: the copy goes on in another way", n)
				}
				for at := range data {
					bad := bytes.Clone(data)
					bad[at] ^= 1
					if _, err := s.Decode(bad); err == nil {
						t.Fatalf("%d keys: a flipped bit in byte %d is not seen", n, at)
					}
				}
				if _, err := s.Decode(data[:len(data)-1]); err == nil {
					t.Fatalf("%d keys: a lost byte is not seen", n)
				}
			}
			if empty := cardinality(t, s, 0, 0); empty.Estimate() != 0 {
				t.Errorf("no keys read %g", empty.Estimate())
			}
		})
	}
}

// TestCardinalitiesMergeInAnyOrder: union is commutative, associative, idempotent,
// and leaves its source.
func TestCardinalitiesMergeInAnyOrder(t *testing.T) {
	for _, s := range ownCardinalities() {
		if s.Merge == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			for _, n := range []int{12, 3000} {
				merged := func(order ...int) []byte {
					all := cardinality(t, s, 0, 0)
					for _, i := range order {
						src := cardinality(t, s, i*n/4, (i+2)*n/4) // each overlaps the next
						before := encoded(t, s, src)
						if err := s.Merge(all, src); err != nil {
							t.Fatal(err)
						}
						if !bytes.Equal(encoded(t, s, src), before) {
							t.Fatal("Merge changed its source")
						}
					}
					return encoded(t, s, all)
				}
				want := encoded(t, s, cardinality(t, s, 0, n))
				for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {0, 2}, {0, 0, 2, 2, 1}} {
					if !bytes.Equal(merged(order...), want) {
						t.Errorf("%d keys merged in order %v are not those added at once", n, order)
					}
				}
			}
			other, err := s.Build(sketchproof.CardinalitySpec{Precision: 8, Seed: 2})
			if err != nil {
				t.Fatal(err)
			}
			c := cardinality(t, s, 0, 100)
			before := encoded(t, s, c)
			if err := s.Merge(c, other); err == nil || !strings.Contains(err.Error(), "hash") {
				t.Errorf("merged sketches of two seeds: %v", err)
			}
			if !bytes.Equal(encoded(t, s, c), before) {
				t.Error("a refused merge changed something")
			}
		})
	}
}

// TestCardinalityLawsSpeak: a band is one, or says that it is none by being no
// number; and bias is judged to less than the spread.
func TestCardinalityLawsSpeak(t *testing.T) {
	for _, s := range Cardinalities {
		for _, law := range s.Laws {
			c, spec := cardinality(t, s, 0, 0), sketchproof.CardinalitySpec{Precision: 8, Seed: 1}
			for _, n := range []int{300, 5000, math.MaxInt32} {
				b := law.Predict(c, spec, n)
				silent := math.IsNaN(b.Predicted) && math.IsNaN(b.Hi)
				if !silent && !(b.Lo <= b.Predicted && b.Predicted <= b.Hi) {
					t.Errorf("%s, %s at %d keys: %+v", s.Name, law.Name, n, b)
				}
				if silent && stats.Judge(stats.Interval{Lo: 0, Hi: 0}, b) != stats.Undecided {
					t.Errorf("%s, %s at %d keys: judged by no number", s.Name, law.Name, n)
				}
			}
		}
	}
}
