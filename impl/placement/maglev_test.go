package placement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func mustMaglev(t testing.TB, table int, nodes ...string) *Maglev {
	t.Helper()
	m, err := NewMaglev(MaglevParams{Table: table, Hash: hashing.XX(3)})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.AddAll(nodes...); err != nil {
		t.Fatal(err)
	}
	return m
}

// The example of the paper's table 1: permutations and look-up table of three
// backends over seven slots, before and after B1 leaves.
func TestMaglevPaperExample(t *testing.T) {
	m := mustMaglev(t, 7)
	m.order = func(node string) (offset, skip int) {
		return map[string]int{"B0": 3, "B1": 0, "B2": 3}[node], map[string]int{"B0": 4, "B1": 2, "B2": 1}[node]
	}
	owners := func() string {
		var s []string
		for i := range m.Table() {
			s = append(s, m.SlotOwner(i))
		}
		return strings.Join(s, " ")
	}
	if err := m.AddAll("B0", "B1", "B2"); err != nil {
		t.Fatal(err)
	}
	if got, want := owners(), "B1 B0 B1 B0 B2 B2 B0"; got != want {
		t.Errorf("table %s, want %s", got, want)
	}
	if err := m.Remove("B1"); err != nil {
		t.Fatal(err)
	}
	if got, want := owners(), "B0 B0 B0 B0 B2 B2 B2"; got != want {
		t.Errorf("without B1 table %s, want %s", got, want)
	}
}

func TestMaglevTableSizes(t *testing.T) {
	for _, size := range []int{-7, 1, 4, 9, 65536, 65539 * 3, MaxTable + 15} {
		if m, err := NewMaglev(MaglevParams{Table: size, Hash: hashing.XX(1)}); m != nil || err == nil ||
			!strings.Contains(err.Error(), "must be a prime up to 4194304") {
			t.Errorf("%d slots: %v", size, err)
		}
	}
	if m := mustMaglev(t, 0); m.Table() != DefaultTable {
		t.Errorf("%d slots by default", m.Table())
	}
	m := mustMaglev(t, 3, "A", "B", "C") // a slot each
	if err := m.Add("D"); err == nil || m.Len() != 3 {
		t.Errorf("a node without a slot: %v", err)
	}
	if got := mustMaglev(t, 2, "A").Slots(); got["A"] != 2 {
		t.Errorf("slots %v", got)
	}
}

// Slots differ by at most 1, with any number of nodes, and with nodes that all
// want the same slots in the same order.
func TestMaglevSlotsAreEven(t *testing.T) {
	var nodes []string
	for i := range 251 {
		nodes = append(nodes, fmt.Sprint("node", i))
	}
	for _, collide := range []bool{false, true} {
		for _, n := range []int{1, 2, 3, 10, 100, 250, 251} {
			m := mustMaglev(t, 251)
			if collide {
				m.order = func(string) (int, int) { return 250, 250 }
			}
			if err := m.AddAll(nodes[:n]...); err != nil {
				t.Fatal(err)
			}
			slots, sum := m.Slots(), 0
			for _, s := range slots {
				if sum += s; s < 251/n || s > 251/n+1 {
					t.Errorf("%d nodes: one has %d of 251 slots", n, s)
				}
			}
			if len(slots) != n || sum != 251 {
				t.Errorf("%d of %d nodes have %d slots", len(slots), n, sum)
			}
		}
	}
}

func TestMaglevAddAllIsAddOneByOne(t *testing.T) {
	m := mustMaglev(t, 251)
	for _, node := range []string{"C", "A", "B"} {
		if err := m.Add(node); err != nil {
			t.Fatal(err)
		}
	}
	if all := mustMaglev(t, 251, "B", "C", "A"); !all.Equal(m) || !slices.Equal(all.table, m.table) {
		t.Error("another table")
	}
	before := m.Clone()
	if err := m.AddAll("D", "D"); err == nil || !m.Equal(before) {
		t.Errorf("added one node twice: %v", err)
	}
}
