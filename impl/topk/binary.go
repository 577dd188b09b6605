package topk

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/countmin"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// Space-Saving: the geometry words are k and N, the payload three words a
// counter, key, count and bound, as summary.entries lists them: which of equal
// counts is replaced next is a part of the state. Misra-Gries: k, N and lowered,
// then key and count as byCount sorts them. Count-min: k and the number of keys
// kept, then key, count and weight as entries lists them, then the bytes of the
// sketch.
const (
	spaceSavingName = "TKSS"
	misraGriesName  = "TKMG"
	countMinName    = "TKCM"
	version         = 1
)

var errZero = errors.New("topk: the zero value has no serialized form: make one with its constructor")

// MarshalBinary returns the structure as bytes: 60 and 24 for each counter in
// use. The hash function is part of them; under a secret key they are as secret
// as the key. It fails only for a structure that was never built.
func (s *SpaceSaving) MarshalBinary() ([]byte, error) {
	return encode(spaceSavingName, s.params, []uint64{s.total}, s.summary.entries, true)
}

// AppendBinary appends to b what MarshalBinary returns.
func (s *SpaceSaving) AppendBinary(b []byte) ([]byte, error) { return appendTo(b, s.MarshalBinary) }

// MarshalBinary returns the structure as bytes: 68 and 16 for each counter in
// use. The hash function is part of them; under a secret key they are as secret
// as the key. It fails only for a structure that was never built.
func (s *MisraGries) MarshalBinary() ([]byte, error) {
	return encode(misraGriesName, s.params, []uint64{s.total, s.lowered}, s.sorted, false)
}

// AppendBinary appends to b what MarshalBinary returns.
func (s *MisraGries) AppendBinary(b []byte) ([]byte, error) { return appendTo(b, s.MarshalBinary) }

// MarshalBinary returns the structure as bytes: 60, 24 for each key kept, and
// those of the sketch. The hash function is part of them; under a secret key they
// are as secret as the key. It fails only for a structure that was never built.
func (s *CountMin) MarshalBinary() ([]byte, error) {
	if s.sketch == nil {
		return nil, errZero
	}
	table, err := s.sketch.MarshalBinary()
	if err != nil {
		return nil, err
	}
	list := s.summary.entries()
	h := frame.Header{
		Structure: countMinName, Version: version, Hash: s.Hash(), Geometry: []uint64{uint64(s.k), uint64(len(list))},
	}
	return frame.Marshal(h, 24*len(list)+len(table), func(b []byte) []byte {
		return append(appendEntries(b, list, true), table...)
	})
}

// AppendBinary appends to b what MarshalBinary returns.
func (s *CountMin) AppendBinary(b []byte) ([]byte, error) { return appendTo(b, s.MarshalBinary) }

func encode(name string, p Params, words []uint64, entries func() []entry, extra bool) ([]byte, error) {
	if p.K == 0 {
		return nil, errZero
	}
	list := entries()
	h := frame.Header{Structure: name, Version: version, Hash: p.Hash, Geometry: append([]uint64{uint64(p.K)}, words...)}
	return frame.Marshal(h, entryBytes(extra)*len(list), func(b []byte) []byte {
		return appendEntries(b, list, extra)
	})
}

func appendTo(b []byte, marshal func() ([]byte, error)) ([]byte, error) {
	data, err := marshal()
	if err != nil {
		return b, err
	}
	return append(b, data...), nil
}

func entryBytes(extra bool) int {
	if extra {
		return 24
	}
	return 16
}

func appendEntries(b []byte, list []entry, extra bool) []byte {
	for _, e := range list {
		b = binary.LittleEndian.AppendUint64(b, e.key)
		b = binary.LittleEndian.AppendUint64(b, e.count)
		if extra {
			b = binary.LittleEndian.AppendUint64(b, e.extra)
		}
	}
	return b
}

// UnmarshalBinary makes s the structure that data was written from, and shares
// nothing with it. Bytes that none can have written give an error, and s is then
// unchanged.
func (s *SpaceSaving) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, spaceSavingName, version, 2)
	if err != nil {
		return fmt.Errorf("topk: %w", err)
	}
	n := SpaceSaving{total: h.Geometry[1]}
	if n.params, n.summary, err = decode(h.Geometry[0], h.Hash, payload, true); err != nil {
		return corrupt(err)
	}
	if err := n.check(); err != nil {
		return corrupt(err)
	}
	*s = n
	return nil
}

// check keeps what the bounds rely on: an error is at most the least count, and
// the counts add up to the total, to less after a merge that dropped some.
func (s *SpaceSaving) check() error {
	sum, least := uint64(0), s.Least()
	for _, e := range s.summary.entries() {
		sum = addSaturating(sum, e.count)
		if e.extra > least || e.extra == e.count && e.count < math.MaxUint64 {
			return fmt.Errorf("key %d counts %d, over by %d, with a least count of %d", e.key, e.count, e.extra, least)
		}
	}
	if sum > s.total || sum < s.total && s.summary.held < s.params.K {
		return fmt.Errorf("counts add up to %d, the total is %d", sum, s.total)
	}
	return nil
}

// UnmarshalBinary makes s the structure that data was written from, and shares
// nothing with it. Bytes that none can have written give an error, and s is then
// unchanged.
func (s *MisraGries) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, misraGriesName, version, 3)
	if err != nil {
		return fmt.Errorf("topk: %w", err)
	}
	n := MisraGries{total: h.Geometry[1], lowered: h.Geometry[2]}
	if n.params, n.summary, err = decode(h.Geometry[0], h.Hash, payload, false); err != nil {
		return corrupt(err)
	}
	if err := n.check(); err != nil {
		return corrupt(err)
	}
	*s = n
	return nil
}

// check keeps what the bounds rely on: lowering k counters and the newcomer by
// one took k+1 of the stream each time.
func (s *MisraGries) check() error {
	list := s.summary.entries()
	sum := uint64(0)
	for i, e := range list {
		if e.count <= s.lowered {
			return fmt.Errorf("key %d is at %d, all are lowered by %d", e.key, e.count, s.lowered)
		}
		if i > 0 && list[i-1].count == e.count && list[i-1].key < e.key {
			return errors.New("the counters are not in order")
		}
		sum = addSaturating(sum, e.count-s.lowered)
	}
	if s.total == math.MaxUint64 {
		return nil // sums have stopped
	}
	// sum + (k+1) lowered <= total
	if rest := s.total - sum; sum > s.total || s.lowered > rest/(uint64(s.params.K)+1) || s.lowered == 0 && rest > 0 {
		return fmt.Errorf("values add up to %d after being lowered by %d, the total is %d", sum, s.lowered, s.total)
	}
	return nil
}

// UnmarshalBinary makes s the structure that data was written from, and shares
// nothing with it. Bytes that none can have written give an error, and s is then
// unchanged.
func (s *CountMin) UnmarshalBinary(data []byte) error {
	h, payload, err := frame.Decode(data, countMinName, version, 2)
	if err != nil {
		return fmt.Errorf("topk: %w", err)
	}
	k, held := h.Geometry[0], h.Geometry[1]
	if held > k || held > uint64(len(payload))/24 {
		return corrupt(fmt.Errorf("%d keys of at most %d, in %d bytes", held, k, len(payload)))
	}
	p, sum, err := decode(k, h.Hash, payload[:24*held], true)
	if err != nil {
		return corrupt(err)
	}
	var sketch countmin.Sketch
	if err := sketch.UnmarshalBinary(payload[24*held:]); err != nil {
		return fmt.Errorf("topk: %w", err)
	}
	n := CountMin{p.K, &sketch, sum}
	if err := n.check(h.Hash); err != nil {
		return corrupt(err)
	}
	*s = n
	return nil
}

// check keeps what the bounds rely on: a key was kept with an estimate of the
// table, which has only grown since.
func (s *CountMin) check(hash hashing.Hasher) error {
	if s.sketch.Hash() != hash {
		return errors.New("the table has another hash function")
	}
	for _, e := range s.summary.entries() {
		if now := s.sketch.Count(e.key); e.count > now || e.extra > e.count || e.extra == 0 {
			return fmt.Errorf("key %d counts %d, of which it was seen to have %d, the table says %d", e.key, e.count, e.extra, now)
		}
	}
	return nil
}

func corrupt(err error) error { return fmt.Errorf("topk: %w: %w", frame.ErrCorrupt, err) }

// decode reads counters in order: counts rise from 1, and keys differ.
func decode(k uint64, hash hashing.Hasher, payload []byte, extra bool) (Params, summary, error) {
	fail := func(err error) (Params, summary, error) { return Params{}, summary{}, err }
	p := Params{int(min(k, MaxK+1)), hash}
	if err := p.check(); err != nil {
		return fail(err)
	}
	size := entryBytes(extra)
	n := len(payload) / size
	if len(payload)%size != 0 || n > p.K {
		return fail(fmt.Errorf("%d bytes for at most %d counters of %d", len(payload), p.K, size))
	}
	list := make([]entry, n)
	for i := range list {
		at := payload[size*i:]
		list[i].key, list[i].count = binary.LittleEndian.Uint64(at), binary.LittleEndian.Uint64(at[8:])
		if extra {
			list[i].extra = binary.LittleEndian.Uint64(at[16:])
		}
		if list[i].count == 0 || i > 0 && list[i].count < list[i-1].count {
			return fail(errors.New("the counts do not rise from 1"))
		}
	}
	s := summary{index: index{hash: hash}}
	s.fill(list)
	for i, e := range list {
		if s.index.find(e.key) != int32(i) {
			return fail(fmt.Errorf("key %d has two counters", e.key))
		}
	}
	return p, s, nil
}
