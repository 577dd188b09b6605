package placement

import (
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

var _ sketchproof.Placer = (*Maglev)(nil)

const (
	// DefaultTable is the smaller table of the paper: two slots in a thousand change
	// hands beside those that must, with a hundred nodes or so.
	DefaultTable = 65537
	// MaxTable is the largest size of a table. One is read back from few bytes; this
	// bounds the memory that it takes then.
	MaxTable = 1 << 22
)

// MaglevParams says how to build a Maglev.
type MaglevParams struct {
	// Table is the number of slots, a prime up to MaxTable; 0 is DefaultTable. It is
	// also the largest number of nodes; shares are even to within 1 % when it is a
	// hundred times their number.
	Table int
	// Hash places keys and orders slots; its zero value is refused.
	Hash hashing.Hasher
}

func (p *MaglevParams) check() error {
	if p.Table == 0 {
		p.Table = DefaultTable
	}
	if p.Table < 2 || p.Table > MaxTable || !prime(p.Table) {
		return fmt.Errorf("placement: a table of %d slots, must be a prime up to %d", p.Table, MaxTable)
	}
	return checkHash(p.Hash)
}

// prime reports whether n, at least 2, has no divisor.
func prime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}

// A Maglev places keys by a table (Eisenbud et al. 2016, section 3.4). Nodes take
// turns to claim the slots, each in an order of its own, so their numbers of slots
// differ by at most 1. It depends on the set of its nodes alone: turns go by name.
// When a node joins, a few slots change hands between old ones too.
//
// Make one with NewMaglev. Methods that change nothing may run at the same time as
// each other, but not while another method changes the placement.
type Maglev struct {
	params MaglevParams
	order  func(node string) (offset, skip int) // of its claims; tests make them collide
	nodes  []string                             // sorted
	table  []int32                              // the owner of each slot, nil if there are no nodes
}

// NewMaglev returns a placement without nodes. It refuses parameters out of range.
func NewMaglev(p MaglevParams) (*Maglev, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	m := &Maglev{params: p}
	m.order = func(node string) (offset, skip int) {
		a, b := p.Hash.At(1).Bytes([]byte(node)), p.Hash.At(2).Bytes([]byte(node))
		return int(hashing.Reduce(a, uint64(p.Table))), int(hashing.Reduce(b, uint64(p.Table-1))) + 1
	}
	return m, nil
}

// Add adds a node. It returns ErrDuplicate, and changes nothing, when the node is
// there. It fills the table anew, which takes about Table ln(Table) steps; to add
// many, use AddAll.
func (m *Maglev) Add(node string) error { return m.AddAll(node) }

// AddAll adds nodes and fills the table once. It returns ErrDuplicate, and changes
// nothing, when one is there or is named twice.
func (m *Maglev) AddAll(nodes ...string) error {
	if len(m.nodes)+len(nodes) > m.params.Table {
		return fmt.Errorf("placement: %d more nodes, at most %d are allowed in all, one a slot", len(nodes), m.params.Table)
	}
	all := slices.Concat(m.nodes, nodes)
	slices.Sort(all)
	for i, node := range all {
		if err := checkName(node); err != nil {
			return err
		}
		if i > 0 && all[i-1] == node {
			return duplicate(node)
		}
	}
	m.nodes = all
	m.fill()
	return nil
}

// Remove removes a node, and fills the table anew. It returns ErrUnknown, and
// changes nothing, when the node is not there.
func (m *Maglev) Remove(node string) error {
	i, ok := slices.BinarySearch(m.nodes, node)
	if !ok {
		return unknown(node)
	}
	m.nodes = slices.Delete(m.nodes, i, i+1)
	m.fill()
	return nil
}

// fill lets the nodes claim all slots: in turns, each the next slot of its own
// order that is free. The table's size is a prime, so an order visits all slots.
func (m *Maglev) fill() {
	m.table = nil
	if len(m.nodes) == 0 {
		return
	}
	type claim struct{ next, skip int }
	claims := make([]claim, len(m.nodes))
	for i, node := range m.nodes {
		claims[i].next, claims[i].skip = m.order(node)
	}
	const free = -1
	size := m.params.Table
	m.table = make([]int32, size)
	for i := range m.table {
		m.table[i] = free
	}
	for left := size; ; {
		for i := range claims {
			c := &claims[i]
			for m.table[c.next] != free {
				if c.next += c.skip; c.next >= size {
					c.next -= size
				}
			}
			m.table[c.next] = int32(i)
			if left--; left == 0 {
				return
			}
		}
	}
}

// Owner is the node that a key belongs to. It returns ErrEmpty when there are no
// nodes.
func (m *Maglev) Owner(key uint64) (string, error) { return m.OwnerHash(m.params.Hash.Uint64(key)) }

// OwnerBytes is Owner for a byte string, which it does not keep.
func (m *Maglev) OwnerBytes(key []byte) (string, error) {
	return m.OwnerHash(m.params.Hash.Bytes(key))
}

// OwnerHash is Owner for a key's hash.
func (m *Maglev) OwnerHash(hash uint64) (string, error) {
	if len(m.table) == 0 {
		return "", ErrEmpty
	}
	return m.nodes[m.table[hashing.Reduce(hash, uint64(len(m.table)))]], nil
}

// Slots is the number of slots of each node, by name.
func (m *Maglev) Slots() map[string]int {
	slots := make(map[string]int, len(m.nodes))
	for _, i := range m.table {
		slots[m.nodes[i]]++
	}
	return slots
}

// SlotOwner is the node that owns a slot, from 0 to Table()-1. There must be nodes.
func (m *Maglev) SlotOwner(slot int) string { return m.nodes[m.table[slot]] }

// Len is the number of nodes, S.
func (m *Maglev) Len() int { return len(m.nodes) }

// Nodes returns the names of the nodes, sorted.
func (m *Maglev) Nodes() []string { return slices.Clone(m.nodes) }

// Table is the number of slots.
func (m *Maglev) Table() int { return m.params.Table }

// Hash is the hash function of the placement.
func (m *Maglev) Hash() hashing.Hasher { return m.params.Hash }

// Params are what NewMaglev was given, Table put in.
func (m *Maglev) Params() MaglevParams { return m.params }

// SizeBytes is the memory of the table.
func (m *Maglev) SizeBytes() int { return 4 * len(m.table) }

// Clone returns a copy that shares nothing with m that changes.
func (m *Maglev) Clone() *Maglev {
	c := *m
	c.nodes = slices.Clone(m.nodes)
	return &c // the table is replaced, never written to
}

// Reset removes all nodes.
func (m *Maglev) Reset() { m.nodes, m.table = nil, nil }

// Equal reports whether both place every key alike: the same size of table, hash
// function and nodes.
func (m *Maglev) Equal(n *Maglev) bool {
	return m.params == n.params && slices.Equal(m.nodes, n.nodes)
}
