package sketchtest

import (
	"encoding/binary"
	"math"

	"github.com/sketchproof/sketchproof"
)

// byteKey is key number i as a byte string of 8 to 39 bytes.
func (k keys) byteKey(buf []byte, i int) []byte {
	buf = binary.LittleEndian.AppendUint64(buf[:0], k.at(i))
	return append(buf, "abcdefghijklmnopqrstuvwxyz012345"[:i%32]...)
}

// lend passes n byte keys on: each in memory of its own, or all in one buffer that
// is overwritten after each.
func (k keys) lend(n int, reused bool, take func(key []byte) error) error {
	buf := make([]byte, 0, 64)
	for i := range n {
		key := k.byteKey(buf, i)
		if !reused {
			key = k.byteKey(nil, i)
		}
		if err := take(key); err != nil {
			return err
		}
		if reused {
			for j := range key {
				key[j] = 0xaa
			}
		}
	}
	return nil
}

// lent builds a structure of a slice of keys, which stays as it was and is not kept.
func (p probe[S]) lent(f *finding, k keys, n int) error {
	if p.lends == nil {
		return nil
	}
	s, changed, err := p.lends(k, n)
	if err != nil {
		return err
	}
	if changed {
		f.fail("built of %d keys: the caller's slice of them has changed", n)
	}
	for i, answer := range p.answers(s, k, n) {
		if answer == 0 {
			f.fail("built of %d keys, and the caller's slice of them overwritten: %s is not found", n, p.about(k, i))
			break
		}
	}
	return nil
}

// filterBytes is the buffers' part of a filter's probe, nil where it takes no byte
// strings.
func filterBytes(s sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]) func(keys, int, bool) ([]uint64, error) {
	f, err := s.Build(sketchproof.FilterSpec{Capacity: 64, Epsilon: 0.01})
	_, asks := f.(sketchproof.BytesFilter)
	_, adds := f.(sketchproof.BytesAdder)
	_, grows := f.(sketchproof.Adder)
	if err != nil || !asks || grows && !adds {
		return nil
	}
	return func(k keys, n int, reused bool) ([]uint64, error) {
		spec := sketchproof.FilterSpec{Capacity: max(64, 2*n), Epsilon: 0.01, Seed: k.seed()}
		if !adds {
			for i := range n {
				spec.ByteKeys = append(spec.ByteKeys, k.byteKey(nil, i))
			}
		}
		f, err := s.Build(spec)
		if err != nil {
			return nil, err
		}
		if adds {
			err = k.lend(n, reused, f.(sketchproof.BytesAdder).AddBytes)
		} else if reused {
			for _, key := range spec.ByteKeys {
				clear(key)
			}
		}
		found := make([]uint64, asked(n))
		for i := range found {
			if f.(sketchproof.BytesFilter).ContainsBytes(k.byteKey(nil, i)) {
				found[i] = 1
			}
		}
		return found, err
	}
}

func cardinalityBytes(s sketchproof.Subject[sketchproof.Cardinality, sketchproof.CardinalitySpec]) func(keys, int, bool) ([]uint64, error) {
	c, err := s.Build(sketchproof.CardinalitySpec{Precision: precision})
	if _, ok := c.(sketchproof.BytesCardinality); err != nil || !ok {
		return nil
	}
	return func(k keys, n int, reused bool) ([]uint64, error) {
		c, err := s.Build(sketchproof.CardinalitySpec{Precision: precision, Seed: k.seed()})
		if err != nil {
			return nil, err
		}
		err = k.lend(n, reused, func(key []byte) error { c.(sketchproof.BytesCardinality).AddBytes(key); return nil })
		return []uint64{math.Float64bits(c.Estimate())}, err
	}
}

func frequencyBytes(s sketchproof.Subject[sketchproof.Frequency, sketchproof.FrequencySpec]) func(keys, int, bool) ([]uint64, error) {
	spec := sketchproof.FrequencySpec{Width: 272, Depth: 4}
	f, err := s.Build(spec)
	if _, ok := f.(sketchproof.BytesFrequency); err != nil || !ok {
		return nil
	}
	return func(k keys, n int, reused bool) ([]uint64, error) {
		spec := spec
		spec.Seed = k.seed()
		f, err := s.Build(spec)
		if err != nil {
			return nil, err
		}
		err = k.lend(n, reused, func(key []byte) error { f.(sketchproof.BytesFrequency).AddBytes(key, 1); return nil })
		counts := make([]uint64, n)
		for i := range counts {
			counts[i] = f.(sketchproof.BytesFrequency).CountBytes(k.byteKey(nil, i))
		}
		return counts, err
	}
}
