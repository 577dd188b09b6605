package placement

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// A placement is written as its parameters and nodes; what follows from them is
// built anew. So reading one may take more memory than its bytes, up to MaxPoints
// points or MaxTable slots.

type binaryForm interface {
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

var (
	_ binaryForm = (*Ring)(nil)
	_ binaryForm = (*Jump)(nil)
	_ binaryForm = (*Rendezvous)(nil)
	_ binaryForm = (*Maglev)(nil)
	_ binaryForm = (*Bounded)(nil)
)

const version = 1

// encode writes geometry words, of which the last is the number of nodes, and a
// payload.
func encode(h frame.Header, payload []byte) ([]byte, error) {
	h.Version = version
	return frame.Marshal(h, len(payload), func(b []byte) []byte { return append(b, payload...) })
}

func appendName(b []byte, name string) []byte {
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(name))), name...)
}

func appendWord(b []byte, w uint64) []byte { return binary.LittleEndian.AppendUint64(b, w) }

// A reader takes names and words from a payload. Past its end it reads nothing.
type reader struct {
	left  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if r.short = r.short || n > len(r.left); r.short {
		return nil
	}
	taken := r.left[:n]
	r.left = r.left[n:]
	return taken
}

func (r *reader) word() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) name() string {
	if b := r.take(2); b != nil {
		return string(r.take(int(binary.LittleEndian.Uint16(b))))
	}
	return ""
}

// decode checks a frame of geometry words, of which the last is the number of
// nodes, and returns it.
func decode(data []byte, structure string, geometry int) (frame.Header, *reader, error) {
	h, body, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return h, nil, fmt.Errorf("placement: %w", err)
	}
	if nodes := h.Geometry[geometry-1]; nodes > uint64(len(body)/2) {
		return h, nil, corrupt("%d nodes in %d bytes", nodes, len(body))
	}
	return h, &reader{left: body}, nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("placement: %w: %s", frame.ErrCorrupt, fmt.Sprintf(format, args...))
}

// done is nil when all bytes were read and no more.
func (r *reader) done() error {
	if r.short || len(r.left) > 0 {
		return corrupt("the payload does not end with the last node")
	}
	return nil
}

// small is a geometry word as an int, -1 if it is out of any range here.
func small(w uint64) int {
	if w > math.MaxInt32 {
		return -1
	}
	return int(w)
}

// MarshalBinary writes parameters, hash function and nodes. It fails only for
// the zero value.
func (r *Ring) MarshalBinary() ([]byte, error) {
	var b []byte
	for _, name := range r.Nodes() {
		b = appendWord(appendName(b, name), uint64(r.Weight(name)))
	}
	return encode(frame.Header{
		Structure: "RING", Hash: r.params.Hash, Geometry: []uint64{uint64(r.params.VirtualNodes), uint64(len(r.nodes))},
	}, b)
}

// AppendBinary appends what MarshalBinary returns.
func (r *Ring) AppendBinary(b []byte) ([]byte, error) { return appendTo(b, r) }

func appendTo(b []byte, m encoding.BinaryMarshaler) ([]byte, error) {
	data, err := m.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes r the ring that MarshalBinary wrote. It returns an error,
// and leaves r as it was, for bytes that MarshalBinary cannot have written.
func (r *Ring) UnmarshalBinary(data []byte) error {
	h, body, err := decode(data, "RING", 2)
	if err != nil {
		return err
	}
	ring, err := NewRing(RingParams{small(h.Geometry[0]), h.Hash})
	if err != nil {
		return corrupt("%v", err)
	}
	names, nodes := make([]string, h.Geometry[1]), make([]ringNode, h.Geometry[1])
	for i := range names {
		names[i] = body.name()
		nodes[i] = ringNode{names[i], small(body.word())}
	}
	if err := body.sorted(names); err != nil {
		return err
	}
	if err := ring.add(nodes); err != nil {
		return corrupt("%v", err)
	}
	*r = *ring
	return nil
}

// sorted is done, and demands that names are in order and none twice.
func (r *reader) sorted(names []string) error {
	for i := 1; i < len(names); i++ {
		if names[i-1] >= names[i] {
			return corrupt("node %q is out of order", names[i])
		}
	}
	return r.done()
}

// MarshalBinary writes hash function and nodes. It fails only for the zero value.
func (j *Jump) MarshalBinary() ([]byte, error) {
	var b []byte
	for _, name := range j.nodes {
		b = appendName(b, name)
	}
	return encode(frame.Header{Structure: "JUMP", Hash: j.hash, Geometry: []uint64{uint64(len(j.nodes))}}, b)
}

// AppendBinary appends what MarshalBinary returns.
func (j *Jump) AppendBinary(b []byte) ([]byte, error) { return appendTo(b, j) }

// UnmarshalBinary makes j the placement that MarshalBinary wrote. It returns an
// error, and leaves j as it was, for bytes that MarshalBinary cannot have written.
func (j *Jump) UnmarshalBinary(data []byte) error {
	h, body, err := decode(data, "JUMP", 1)
	if err != nil {
		return err
	}
	jump, err := NewJump(h.Hash)
	if err != nil {
		return corrupt("%v", err)
	}
	for range h.Geometry[0] {
		if err := jump.Add(body.name()); err != nil {
			return corrupt("%v", err)
		}
	}
	if err := body.done(); err != nil {
		return err
	}
	*j = *jump
	return nil
}

// MarshalBinary writes hash function and nodes. It fails only for the zero value.
func (r *Rendezvous) MarshalBinary() ([]byte, error) {
	var b []byte
	for _, n := range r.nodes {
		b = appendWord(appendName(b, n.name), math.Float64bits(n.weight))
	}
	return encode(frame.Header{Structure: "RNDV", Hash: r.hash, Geometry: []uint64{uint64(len(r.nodes))}}, b)
}

// AppendBinary appends what MarshalBinary returns.
func (r *Rendezvous) AppendBinary(b []byte) ([]byte, error) { return appendTo(b, r) }

// UnmarshalBinary makes r the placement that MarshalBinary wrote. It returns an
// error, and leaves r as it was, for bytes that MarshalBinary cannot have written.
func (r *Rendezvous) UnmarshalBinary(data []byte) error {
	h, body, err := decode(data, "RNDV", 1)
	if err != nil {
		return err
	}
	placement, err := NewRendezvous(h.Hash)
	if err != nil {
		return corrupt("%v", err)
	}
	names, nodes := make([]string, h.Geometry[0]), make([]rival, h.Geometry[0])
	for i := range nodes {
		names[i] = body.name()
		nodes[i] = rival{names[i], h.Hash.At(1).Bytes([]byte(names[i])), math.Float64frombits(body.word())}
		if w := nodes[i].weight; !(w >= MinWeight && w <= MaxWeight) {
			return corrupt("node %d has weight %v", i, w)
		}
	}
	if err := body.sorted(names); err != nil {
		return err
	}
	placement.set(nodes)
	*r = *placement
	return nil
}

// MarshalBinary writes parameters, hash function and nodes. It fails only for
// the zero value.
func (m *Maglev) MarshalBinary() ([]byte, error) {
	var b []byte
	for _, name := range m.nodes {
		b = appendName(b, name)
	}
	return encode(frame.Header{
		Structure: "MGLV", Hash: m.params.Hash, Geometry: []uint64{uint64(m.params.Table), uint64(len(m.nodes))},
	}, b)
}

// AppendBinary appends what MarshalBinary returns.
func (m *Maglev) AppendBinary(b []byte) ([]byte, error) { return appendTo(b, m) }

// UnmarshalBinary makes m the placement that MarshalBinary wrote. It returns an
// error, and leaves m as it was, for bytes that MarshalBinary cannot have written.
func (m *Maglev) UnmarshalBinary(data []byte) error {
	h, body, err := decode(data, "MGLV", 2)
	if err != nil {
		return err
	}
	if h.Geometry[0] == 0 {
		return corrupt("a table without slots")
	}
	maglev, err := NewMaglev(MaglevParams{small(h.Geometry[0]), h.Hash})
	if err != nil {
		return corrupt("%v", err)
	}
	names := make([]string, h.Geometry[1])
	for i := range names {
		names[i] = body.name()
	}
	if err := body.sorted(names); err != nil {
		return err
	}
	if err := maglev.AddAll(names...); err != nil {
		return corrupt("%v", err)
	}
	*m = *maglev
	return nil
}

// MarshalBinary writes parameters, hash function, nodes and the hashes of all keys
// in their order. It fails only for the zero value.
func (b *Bounded) MarshalBinary() ([]byte, error) {
	if b.ring == nil {
		return nil, fmt.Errorf("placement: %w", frame.ErrZero)
	}
	var body []byte
	for i, n := range b.ring.nodes {
		body = appendWord(appendName(body, n.name), uint64(len(b.held[i])))
		for _, hash := range b.held[i] {
			body = appendWord(body, hash)
		}
	}
	return encode(frame.Header{Structure: "BNDL", Hash: b.params.Hash, Geometry: []uint64{
		math.Float64bits(b.params.Epsilon), uint64(b.params.VirtualNodes), uint64(len(b.held)),
	}}, body)
}

// AppendBinary appends what MarshalBinary returns.
func (b *Bounded) AppendBinary(data []byte) ([]byte, error) { return appendTo(data, b) }

// UnmarshalBinary makes b the placement that MarshalBinary wrote. It returns an
// error, and leaves b as it was, for bytes that break a promise: a key in two
// places, or a node above the bound.
func (b *Bounded) UnmarshalBinary(data []byte) error {
	h, body, err := decode(data, "BNDL", 3)
	if err != nil {
		return err
	}
	p := BoundedParams{math.Float64frombits(h.Geometry[0]), small(h.Geometry[1]), h.Hash}
	bounded, err := NewBounded(p)
	if err != nil {
		return corrupt("%v", err)
	}
	n := int(h.Geometry[2])
	names := make([]string, n)
	bounded.held = make([][]uint64, n)
	for i := range names {
		names[i] = body.name()
		for range min(body.word(), uint64(len(body.left)/8)+1) { // one too many is short
			hash := body.word()
			if _, twice := bounded.spots[hash]; twice {
				return corrupt("hash %#x is held twice", hash)
			}
			bounded.put(hash, uint32(i))
		}
	}
	if err := body.done(); err != nil {
		return err
	}
	if err := bounded.ring.AddAll(names...); err != nil {
		return corrupt("%v", err)
	}
	if most := bounded.Capacity(); slices.ContainsFunc(bounded.held, func(l []uint64) bool { return len(l) > most }) {
		return corrupt("a node holds more than %d keys", most)
	}
	*b = *bounded
	return nil
}
