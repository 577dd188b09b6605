package infini

import (
	"encoding"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

var (
	_ encoding.BinaryMarshaler   = (*Filter)(nil)
	_ encoding.BinaryAppender    = (*Filter)(nil)
	_ encoding.BinaryUnmarshaler = (*Filter)(nil)
)

const (
	structure = "INFI"
	version   = 1
	geometry  = 6 // log, fingerprint bits and stretch of the start, log now, whether quotients are void, keys
)

// MarshalBinary writes parameters, hash function and table. It fails only for a
// filter that was never made.
func (f *Filter) MarshalBinary() ([]byte, error) {
	p, t := f.params, &f.table
	if t.log == 0 {
		return nil, errors.New("infini: the zero Filter has no serialized form: make one with New")
	}
	h := frame.Header{Structure: structure, Version: version, Hash: p.Hash, Geometry: []uint64{
		uint64(p.Log), uint64(p.FingerprintBits), uint64(p.Stretch), uint64(t.log), t.voids(), f.keys,
	}}
	return frame.Marshal(h, int(payload(t.log, t.width, t.voids())), func(b []byte) []byte {
		for _, words := range t.words() {
			for _, w := range words {
				b = binary.LittleEndian.AppendUint64(b, w)
			}
		}
		for _, s := range t.spill {
			b = binary.LittleEndian.AppendUint16(b, s)
		}
		return b
	})
}

// AppendBinary appends what MarshalBinary returns.
func (f *Filter) AppendBinary(b []byte) ([]byte, error) {
	data, err := f.MarshalBinary()
	return append(b, data...), err
}

// words are all words of the table but the last one of slots, always 0.
func (t *table) words() [4][]uint64 {
	return [4][]uint64{t.taken, t.ends, t.slots[:len(t.slots)-1], t.void}
}

// voids is 1 if there are void quotients, and otherwise 0.
func (t *table) voids() uint64 {
	if t.void == nil {
		return 0
	}
	return 1
}

// payload is the number of bytes of a table.
func payload(log int, width, voids uint64) uint64 {
	return blocksOf(log)*(8*(2+width)+2) + voids<<(log-3)
}

// UnmarshalBinary makes f the filter that MarshalBinary wrote. It returns an
// error, and leaves f as it was, for bytes that MarshalBinary cannot have
// written; it allocates no more than the bytes that it was given.
func (f *Filter) UnmarshalBinary(data []byte) error {
	h, body, err := frame.Decode(data, structure, version, geometry)
	if err != nil {
		return fmt.Errorf("infini: %w", err)
	}
	corrupt := func(what string, args ...any) error {
		return fmt.Errorf("infini: %w: %s", frame.ErrCorrupt, fmt.Sprintf(what, args...))
	}
	for _, g := range h.Geometry[:5] {
		if g > maxLog { // the most that any of these is allowed
			return corrupt("geometry %v", h.Geometry)
		}
	}
	p := Params{
		Log: int(h.Geometry[0]), FingerprintBits: int(h.Geometry[1]), Stretch: int(h.Geometry[2]), Hash: h.Hash,
	}
	if err := p.check(); err != nil {
		return fmt.Errorf("%w: %w", frame.ErrCorrupt, err)
	}
	log, voids, keys := int(h.Geometry[3]), h.Geometry[4], h.Geometry[5]
	if log < p.Log || !p.fits(log) || voids > 1 {
		return corrupt("grown from 2^%d to 2^%d slots, void %d", p.Log, log, voids)
	}
	width := p.width(log - p.Log)
	if uint64(len(body)) != payload(log, width, voids) {
		return corrupt("a table of %d bytes, want %d", len(body), payload(log, width, voids))
	}
	t := newTable(log, width)
	if voids == 1 {
		t.void = make([]uint64, t.quotients()/64)
	}
	for _, words := range t.words() {
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(body[8*i:])
		}
		body = body[8*len(words):]
	}
	for i := range t.spill {
		t.spill[i] = binary.LittleEndian.Uint16(body[2*i:])
	}
	entries, ok := t.valid()
	if !ok || entries > Capacity(log) {
		return corrupt("no table of runs has these bits")
	}
	if keys < entries || voids == 0 && keys > entries || keys > mostKeys {
		return corrupt("%d keys in %d entries", keys, entries)
	}
	*f = Filter{params: p, table: t, keys: keys, entries: entries}
	return nil
}

// mostKeys is far above what is ever added, and far below where a count ends.
const mostKeys = 1 << 48

// valid reports whether the bits are those of some table: every taken quotient
// has a run, as near as can be, every entry is in a run and has a bit, and the
// spills are what follows. It returns the number of entries.
func (t *table) valid() (entries uint64, ok bool) {
	var next, block uint64
	empty := func(to uint64) bool { // from next on
		for ; next < to; next++ {
			if t.at(next) != 0 || bit(t.ends, next) {
				return false
			}
		}
		return true
	}
	spills := func(to uint64) bool {
		for ; block < to; block++ {
			if spill := max(next, 64*block) - 64*block; uint64(t.spill[block]) != spill || spill > maxReach {
				return false
			}
		}
		return true
	}
	if t.void != nil && !slices.ContainsFunc(t.void, func(w uint64) bool { return w != 0 }) {
		return 0, false
	}
	for x, ok := t.nextTaken(0); ok; x, ok = t.nextTaken(x + 1) {
		if x >= t.quotients() || !spills(x/64+1) || !empty(x) {
			return 0, false
		}
		for more := true; more; next++ {
			if next >= t.length() || t.at(next)&(1<<(t.width-1)-1) == 0 {
				return 0, false
			}
			entries++
			more = !bit(t.ends, next)
		}
	}
	return entries, spills(uint64(len(t.spill))) && empty(t.length())
}
