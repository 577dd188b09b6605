package experiments

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/impl/ell"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// TestEllCut: the register of a hash stays, the two bits behind it move to the
// end, and the zeros that count are those behind them.
func TestEllCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for range 1000 {
		p, h := 4+r.IntN(15), r.Uint64()>>r.IntN(64)
		got := ellCut(p, h)
		if got>>(64-p) != h>>(64-p) || got&3 != h<<p>>62 || got<<p>>(p+2) != h<<(p+2)>>(p+2) {
			t.Fatalf("p %d: %#x is cut to %#x", p, h, got)
		}
	}
}

// TestCoursesCutHashesAsSubjectsDo: a subject that is given those hashes alone
// that are news by the definition of its stream ends in the state that all hashes
// lead to, byte for byte, and reads the same.
func TestCoursesCutHashesAsSubjectsDo(t *testing.T) {
	for name, c := range courses {
		i := slices.IndexFunc(adapters.Cardinalities, func(s adapters.Cardinality) bool { return s.Name == name })
		if i < 0 {
			t.Errorf("%s is not in the catalogue", name)
			continue
		}
		subject := adapters.Cardinalities[i]
		const p = 4
		build := func() sketchproof.Cardinality {
			s, err := subject.Build(sketchproof.CardinalitySpec{Precision: p, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		all, told := build(), build()
		width := 64 - p - c.address
		seen := map[uint64]bool{}
		greatest := map[uint64]int{}
		r := rand.New(rand.NewPCG(2, 0))
		for n := range 20000 {
			h := r.Uint64()
			if n%3 == 0 { // a run of zeros behind the address
				tail := h << (64 - width) >> (64 - width)
				h += tail>>r.IntN(width+1) - tail
			}
			address, value := h>>width, width+1-bits.Len64(h<<(64-width)>>(64-width))
			first := !seen[address<<8|uint64(value)]
			record := value > greatest[address]
			seen[address<<8|uint64(value)] = true
			greatest[address] = max(greatest[address], value)
			if c.cut != nil {
				h = c.cut(p, h)
			}
			all.(sketchproof.HashCardinality).AddHash(h)
			news := record
			if !strings.Contains(name, "hll") {
				news = first
			}
			if news || c.sparse && n < 4<<p {
				told.(sketchproof.HashCardinality).AddHash(h)
			}
		}
		if same, err := sameEncoding(subject, all, told); err != nil || !same {
			t.Errorf("%s: told by news alone, it ends in another state (%v)", name, err)
		}
		if all.Estimate() != told.Estimate() {
			t.Errorf("%s: %v, told by news alone %v", name, all.Estimate(), told.Estimate())
		}
	}
}

// TestJumpsTellEnough: ExaLogLog remembers values as far under a register's
// greatest as a jump tells of them, and no further.
func TestJumpsTellEnough(t *testing.T) {
	const p = 4
	s, err := ell.New(ell.Standard(p, hashing.XX(1)))
	if err != nil {
		t.Fatal(err)
	}
	c := courses["ell"]
	add := func(address uint64, value int) {
		s.AddHash(c.cut(p, address<<(64-p-ellT)|1<<(64-p-ellT-value)))
	}
	for sub := range uint64(4) {
		add(sub, 20)
	}
	before := s.Clone()
	for sub := range uint64(4) {
		add(sub, 20-c.below-1)
	}
	if !s.Equal(before) {
		t.Errorf("a value %d under the greatest is noticed", c.below+1)
	}
	add(0, 20-c.below)
	add(3, 20-c.below)
	if s.Equal(before) {
		t.Errorf("no value %d under the greatest is noticed", c.below)
	}
}
