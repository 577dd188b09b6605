package hashing

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/dchest/siphash"
	"github.com/zeebo/xxh3"
)

// A Family is a named family of 64-bit hash functions. The number is part of
// every serialized form and is never re-used.
type Family uint8

const (
	// XXHash is XXH64 with its 64-bit seed: fast, for input nobody forges.
	XXHash Family = 1
	// SipHash is SipHash-2-4 under a 128-bit key: an adversary who does not
	// know the key cannot find colliding keys (Aumasson & Bernstein 2012).
	SipHash Family = 2
	// SHA256 is the first eight bytes, big endian, of SHA-256 over the text
	// "seed:key", where a numeric key is its decimal digits. It is slow and
	// exists to replay printed figures.
	SHA256 Family = 3
	// XXH3 is the 64-bit form of XXH3 with its 64-bit seed: faster than XXHash on
	// short keys, as little meant for forged input.
	XXH3 Family = 4
)

var names = map[Family]string{XXHash: "xxhash64", SipHash: "siphash-2-4", SHA256: "sha256", XXH3: "xxh3"}

func (f Family) String() string {
	if s, ok := names[f]; ok {
		return s
	}
	return "unknown hash family " + strconv.Itoa(int(f))
}

// Valid reports whether f is one of the families above.
func (f Family) Valid() bool { _, ok := names[f]; return ok }

// ErrFamily is returned for a family that does not exist.
var ErrFamily = errors.New("hashing: unknown hash family")

// A Hasher is one hash function: a family and its seed or key. The zero value
// is of no family, and every structure refuses it (see Check): there is no seed
// that nobody chose. Hashers are comparable: equal Hashers are the same function.
type Hasher struct {
	family Family
	k0, k1 uint64
}

// New returns the function of a family with a 64-bit seed. For SipHash the
// seed is the first half of the key, and a number anybody can guess is no
// secret: use Keyed where input may be forged.
func New(f Family, seed uint64) (Hasher, error) {
	if !f.Valid() {
		return Hasher{}, fmt.Errorf("%w: %d", ErrFamily, f)
	}
	return Hasher{family: f, k0: seed}, nil
}

// XX returns the XXH64 function with the seed.
func XX(seed uint64) Hasher { return Hasher{family: XXHash, k0: seed} }

// XX3 returns the XXH3 function with the seed.
func XX3(seed uint64) Hasher { return Hasher{family: XXH3, k0: seed} }

// Keyed returns SipHash-2-4 under a secret 128-bit key. The key is written
// into serialized forms, which are then as secret as the key.
func Keyed(key [16]byte) Hasher {
	return Hasher{SipHash, binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])}
}

// FromParts rebuilds a Hasher from what Parts returned.
func FromParts(f Family, k0, k1 uint64) (Hasher, error) {
	if !f.Valid() {
		return Hasher{}, fmt.Errorf("%w: %d", ErrFamily, f)
	}
	if f != SipHash && k1 != 0 {
		return Hasher{}, fmt.Errorf("hashing: %v takes a 64-bit seed, not a 128-bit key", f)
	}
	return Hasher{f, k0, k1}, nil
}

// Parts returns what FromParts needs.
func (h Hasher) Parts() (f Family, k0, k1 uint64) { return h.family, h.k0, h.k1 }

// Check returns an error that wraps ErrFamily for the zero Hasher, the only one
// that is no function.
func (h Hasher) Check() error {
	if h.family.Valid() {
		return nil
	}
	return fmt.Errorf("%w: Hash is the zero Hasher: XX3(seed) is a function, and Keyed(key) one for keys that may be forged", ErrFamily)
}

// Family returns the family of h.
func (h Hasher) Family() Family { return h.family }

// At returns the i-th of a sequence of functions that act as independent: the
// same family with i added to its seed.
func (h Hasher) At(i uint64) Hasher {
	h.k0 += i
	return h
}

func (h Hasher) String() string {
	if h.family == SipHash {
		return h.family.String() // never print a key
	}
	return fmt.Sprintf("%v seed %d", h.family, h.k0)
}

// Uint64 hashes a numeric key: its eight bytes, little endian (SHA256: its
// decimal digits).
func (h Hasher) Uint64(key uint64) uint64 {
	if h.family == XXHash {
		return xx64(key, h.k0)
	}
	return h.uint64Slow(key)
}

// Uint64Each sets dst[i] to the hash of the numeric key keys[i]. dst is at least
// as long as keys, and may be keys itself.
func (h Hasher) Uint64Each(dst, keys []uint64) {
	dst = dst[:len(keys)]
	if h.family == XXHash {
		for i, key := range keys {
			dst[i] = xx64(key, h.k0)
		}
		return
	}
	for i, key := range keys {
		dst[i] = h.uint64Slow(key)
	}
}

// BytesEach sets dst[i] to the hash of the byte string keys[i]. dst is at least
// as long as keys.
func (h Hasher) BytesEach(dst []uint64, keys [][]byte) {
	dst = dst[:len(keys)]
	for i, key := range keys {
		dst[i] = h.Bytes(key)
	}
}

func (h Hasher) uint64Slow(key uint64) uint64 {
	if h.family == XXH3 {
		return xx3of8(key, h.k0)
	}
	var buf [20]byte
	if h.family == SHA256 {
		return h.Bytes(strconv.AppendUint(buf[:0], key, 10))
	}
	binary.LittleEndian.PutUint64(buf[:], key)
	return siphash.Hash(h.k0, h.k1, buf[:8])
}

// Bytes hashes a byte string. It does not keep the slice.
func (h Hasher) Bytes(key []byte) uint64 {
	switch h.family {
	case XXHash:
		if len(key) < 32 {
			return xx64Short(key, h.k0)
		}
		if h.k0 == 0 {
			return xxhash.Sum64(key)
		}
		var d xxhash.Digest
		d.ResetWithSeed(h.k0)
		_, _ = d.Write(key) // never fails
		return d.Sum64()
	case XXH3:
		return xxh3.HashSeed(key, h.k0)
	case SipHash:
		return siphash.Hash(h.k0, h.k1, key)
	default:
		text := strconv.AppendUint(make([]byte, 0, 21+len(key)), h.k0, 10)
		text = append(text, ':')
		sum := sha256.Sum256(append(text, key...))
		return binary.BigEndian.Uint64(sum[:])
	}
}

// The primes of the XXH64 specification.
const (
	prime1 = 11400714785074694791
	prime2 = 14029467366897019727
	prime3 = 1609587929392839161
	prime4 = 9650029242287828579
	prime5 = 2870177450012600261
)

// xx64 is XXH64 of the eight bytes of key, little endian: what xxhash.Digest
// computes, without the digest (a fifth of its time; a test keeps them equal).
func xx64(key, seed uint64) uint64 {
	return avalanche(xxRound(seed+prime5+8, key))
}

// xx64Short is XXH64 of fewer than 32 bytes, which the algorithm takes eight,
// four and one at a time: what xxhash.Digest computes, which is the library's
// only way to a seed, in a fifth of its time.
func xx64Short(b []byte, seed uint64) uint64 {
	h := seed + prime5 + uint64(len(b))
	for ; len(b) >= 8; b = b[8:] {
		h = xxRound(h, binary.LittleEndian.Uint64(b))
	}
	if len(b) >= 4 {
		h ^= uint64(binary.LittleEndian.Uint32(b)) * prime1
		h = bits.RotateLeft64(h, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h ^= uint64(c) * prime5
		h = bits.RotateLeft64(h, 11) * prime1
	}
	return avalanche(h)
}

func xxRound(h, word uint64) uint64 {
	h ^= bits.RotateLeft64(word*prime2, 31) * prime1
	return bits.RotateLeft64(h, 27)*prime1 + prime4
}

func avalanche(h uint64) uint64 {
	h ^= h >> 33
	h *= prime2
	h ^= h >> 29
	h *= prime3
	return h ^ h>>32
}

// xx3of8 is XXH3 of the eight bytes of key, little endian: what xxh3.HashSeed
// computes, without the slice (a test keeps them equal). flip is the
// exclusive or of two words of the algorithm's default secret.
func xx3of8(key, seed uint64) uint64 {
	const flip, prime = 0x1cad21f72c81017c ^ 0xdb979083e96dd4de, 0x9fb21c651e98df25
	seed ^= uint64(bits.ReverseBytes32(uint32(seed))) << 32
	h := bits.RotateLeft64(key, 32) ^ (flip - seed)
	h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
	h *= prime
	h ^= h>>35 + 8
	h *= prime
	return h ^ h>>28
}

// Mix is the finalizer of splitmix64 (Steele, Lea, Flood 2014, variant 13): a
// bijection of 64 bits in which every input bit moves every output bit.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Gamma is splitmix64's increment: Mix(s + i*Gamma) for i = 1, 2, ... is the
// generator's stream from state s, no value twice.
const Gamma = 0x9e3779b97f4a7c15

// Reduce maps a well-mixed hash to [0, n) by its high bits (Lemire 2019): the
// multiplication in place of a modulus.
func Reduce(hash, n uint64) uint64 {
	hi, _ := bits.Mul64(hash, n)
	return hi
}
