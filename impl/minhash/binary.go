package minhash

import (
	"encoding/binary"
	"fmt"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/impl/internal/frame"
)

// The first geometry word is k, the second that of a BBit and of a BBitSignature
// is b. Payloads are words, little endian: the minima, the bins, the packed bits,
// the hashes ascending.
const (
	signatureName     = "MINH"
	permutationName   = "MHOP"
	bottomKName       = "MHBK"
	bbitName          = "MHBB"
	bbitSignatureName = "MHBS"
	version           = 1
)

func encode(name string, p Params, words []uint64, more ...uint64) []byte {
	h := frame.Header{
		Structure: name, Version: version, Hash: p.Hash,
		Geometry: append([]uint64{uint64(p.K)}, more...),
	}
	return frame.Encode(h, 8*len(words), func(b []byte) []byte {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	})
}

// decode reads a frame whose payload is whole words, and checks k.
func decode(data []byte, name string, geometry int) (p Params, more, words []uint64, err error) {
	h, payload, err := frame.Decode(data, name, version, geometry)
	if err != nil {
		return Params{}, nil, nil, fmt.Errorf("minhash: %w", err)
	}
	k := h.Geometry[0]
	if k < 1 || k > MaxK {
		return Params{}, nil, nil, corrupt("k = %d, must be from 1 to %d", k, MaxK)
	}
	if len(payload)%8 != 0 {
		return Params{}, nil, nil, corrupt("%d bytes are no whole words", len(payload))
	}
	words = make([]uint64, len(payload)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(payload[8*i:])
	}
	return Params{int(k), h.Hash}, h.Geometry[1:], words, nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("minhash: %w: %s", frame.ErrCorrupt, fmt.Sprintf(format, args...))
}

func mustBeBuilt(p Params) error {
	if p.K == 0 {
		return fmt.Errorf("minhash: the zero value has no serialized form: make one with New")
	}
	return nil
}

// MarshalBinary returns the signature as bytes: 8 for each value, and 52. The hash
// function is part of them; under a secret key they are as secret as the key. It
// fails only for what was never built.
func (s *Signature) MarshalBinary() ([]byte, error) {
	if err := mustBeBuilt(s.params); err != nil {
		return nil, err
	}
	return encode(signatureName, s.params, s.values), nil
}

// AppendBinary appends what MarshalBinary returns.
func (s *Signature) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes s the signature that data was written from, with memory of
// its own. Bytes that no signature can have written give an error, and s is then
// unchanged.
func (s *Signature) UnmarshalBinary(data []byte) error {
	p, _, words, err := decode(data, signatureName, 1)
	if err != nil {
		return err
	}
	if err := checkMinima(p, words); err != nil {
		return err
	}
	*s = Signature{p, words}
	return nil
}

// checkMinima checks each minimum against the next function's: the key that has set
// it, of hash v/a_i, has a value there too, which is no less than the minimum.
func checkMinima(p Params, words []uint64) error {
	if len(words) != p.K {
		return corrupt("%d minima for k = %d", len(words), p.K)
	}
	if !anySet(words) {
		return nil
	}
	a := multipliers()
	for i, v := range words {
		j := (i + 1) % p.K
		// That of 2^64-1 too: it stands where all keys have that very value.
		if h := v * inverse(a[i]); h*a[j] < words[j] {
			return corrupt("the key of minimum %d is below minimum %d", i, j)
		}
	}
	return nil
}

// inverse is 1/a modulo 2^64, for odd a, by Newton's iteration: a·a = 1 modulo 8,
// and each step doubles the number of right bits.
func inverse(a uint64) uint64 {
	x := a
	for range 5 {
		x *= 2 - a*x
	}
	return x
}

// MarshalBinary returns the signature as bytes: 8 for each bin, and 52. The hash
// function is part of them; under a secret key they are as secret as the key. It
// fails only for what was never built.
func (s *OnePermutation) MarshalBinary() ([]byte, error) {
	if err := mustBeBuilt(s.params); err != nil {
		return nil, err
	}
	return encode(permutationName, s.params, s.bins), nil
}

// AppendBinary appends what MarshalBinary returns.
func (s *OnePermutation) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes s the signature that data was written from, with memory of
// its own. Bytes that no signature can have written give an error, and s is then
// unchanged.
func (s *OnePermutation) UnmarshalBinary(data []byte) error {
	p, _, words, err := decode(data, permutationName, 1)
	if err != nil {
		return err
	}
	if len(words) != p.K {
		return corrupt("%d bins for k = %d", len(words), p.K)
	}
	for i, w := range words {
		if w != none && hashing.Reduce(w, uint64(p.K)) != uint64(i) {
			return corrupt("bin %d holds a hash of another", i)
		}
	}
	*s = OnePermutation{p, words, walkSeed(p.Hash)}
	return nil
}

// MarshalBinary returns the signature as bytes: 8 for each hash kept, and 52. The
// hash function is part of them; under a secret key they are as secret as the key.
// It fails only for what was never built.
func (s *BottomK) MarshalBinary() ([]byte, error) {
	if err := mustBeBuilt(s.params); err != nil {
		return nil, err
	}
	return encode(bottomKName, s.params, s.hashes), nil
}

// AppendBinary appends what MarshalBinary returns.
func (s *BottomK) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes s the signature that data was written from, with memory of
// its own. Bytes that no signature can have written give an error, and s is then
// unchanged. It has room for the hashes of data only, and grows when keys come.
func (s *BottomK) UnmarshalBinary(data []byte) error {
	p, _, words, err := decode(data, bottomKName, 1)
	if err != nil {
		return err
	}
	if len(words) > p.K {
		return corrupt("%d hashes for k = %d", len(words), p.K)
	}
	for i := 1; i < len(words); i++ {
		if words[i-1] >= words[i] {
			return corrupt("hash %d is not above the one before", i)
		}
	}
	*s = BottomK{p, words}
	return nil
}

// MarshalBinary returns the values as bytes: k·b bits in whole words, and 60 bytes.
// The hash function is part of them; under a secret key they are as secret as the
// key. It fails only for what was never built.
func (c *BBit) MarshalBinary() ([]byte, error) {
	if err := mustBeBuilt(c.params); err != nil {
		return nil, err
	}
	return encode(bbitName, c.params, c.words, uint64(c.bits)), nil
}

// AppendBinary appends what MarshalBinary returns.
func (c *BBit) AppendBinary(b []byte) ([]byte, error) {
	data, err := c.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes c what data was written from, with memory of its own. Bytes
// that no BBit can have written give an error, and c is then unchanged.
func (c *BBit) UnmarshalBinary(data []byte) error {
	p, more, words, err := decode(data, bbitName, 2)
	if err != nil {
		return err
	}
	if err := checkBits(more[0]); err != nil {
		return corrupt("%v", err)
	}
	b := int(more[0])
	if len(words) != bitWords(p.K, b) {
		return corrupt("%d words for %d values of %d bits", len(words), p.K, b)
	}
	if used := p.K * b % 64; used != 0 && words[len(words)-1]>>used != 0 {
		return corrupt("bits are set after the last value")
	}
	*c = BBit{p, b, words}
	return nil
}

// MarshalBinary returns the signature as bytes: 8 for each minimum, and 60. The
// hash function is part of them; under a secret key they are as secret as the key.
// It fails only for what was never built.
func (s *BBitSignature) MarshalBinary() ([]byte, error) {
	if err := mustBeBuilt(s.full.params); err != nil {
		return nil, err
	}
	return encode(bbitSignatureName, s.full.params, s.full.values, uint64(s.bits)), nil
}

// AppendBinary appends what MarshalBinary returns.
func (s *BBitSignature) AppendBinary(b []byte) ([]byte, error) {
	data, err := s.MarshalBinary()
	return append(b, data...), err
}

// UnmarshalBinary makes s the signature that data was written from, with memory of
// its own. Bytes that no signature can have written give an error, and s is then
// unchanged.
func (s *BBitSignature) UnmarshalBinary(data []byte) error {
	p, more, words, err := decode(data, bbitSignatureName, 2)
	if err != nil {
		return err
	}
	if err := checkBits(more[0]); err != nil {
		return corrupt("%v", err)
	}
	if err := checkMinima(p, words); err != nil {
		return err
	}
	*s = BBitSignature{Signature{p, words}, int(more[0])}
	return nil
}
