package peel

import (
	"math/bits"
	"slices"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	// CountMask are the bits of a slot that count its keys.
	CountMask = 31
	// MaxKeys is the largest set. At 2^30 keys the 59 bits of a mixed hash make
	// two of them alike in two attempts of three, which only costs attempts.
	MaxKeys = 1 << 30
	// MaxAttempts ends a build that finds no way, which no set of fair hashes
	// comes near to.
	MaxAttempts = 256
)

// Growth is the factor by which an attempt, from 1, is larger than the first:
// a sixteenth more after every four failures.
func Growth(attempt int) float64 { return 1 + float64((attempt-1)/4)/16 }

// Seed is that of an attempt, from 1.
func Seed(attempt int) uint64 { return hashing.Mix(uint64(attempt) * hashing.Gamma) }

// Mix turns a good 64-bit hash into a fresh one for each seed: one wide
// multiplication, folded. Its lowest five bits are zero. It is no bijection: two
// hashes may become one under one seed, and differ under the next.
func Mix(hash, seed uint64) uint64 {
	hi, lo := bits.Mul64(hash^seed, 0xd6e8feb86659fd93)
	return (hi ^ lo) &^ CountMask
}

// A Source is the hashes of a filter's keys.
type Source interface {
	Len() int
	// Hashes writes the hashes of the keys number from, from+1 ... to dst.
	Hashes(dst []uint64, from int)
}

// Hashes is a Source of hashes as they are.
type Hashes []uint64

func (s Hashes) Len() int                      { return len(s) }
func (s Hashes) Hashes(dst []uint64, from int) { copy(dst, s[from:]) }

// Keys is a Source of numeric keys.
type Keys struct {
	Hash hashing.Hasher
	Keys []uint64
}

func (s Keys) Len() int { return len(s.Keys) }
func (s Keys) Hashes(dst []uint64, from int) {
	s.Hash.Uint64Each(dst, s.Keys[from:from+len(dst)])
}

// Bytes is a Source of byte strings.
type Bytes struct {
	Hash hashing.Hasher
	Keys [][]byte
}

func (s Bytes) Len() int { return len(s.Keys) }
func (s Bytes) Hashes(dst []uint64, from int) {
	s.Hash.BytesEach(dst, s.Keys[from:from+len(dst)])
}

// Distinct returns the distinct hashes of a source, sorted, in memory of their
// own.
func Distinct(s Source) Hashes {
	all := make([]uint64, s.Len())
	s.Hashes(all, 0)
	slices.Sort(all)
	return slices.Compact(all)
}

// chunk is how many hashes are made before they are mixed, while they are still
// in the first cache.
const chunk = 1024

// MixEach writes the mixed hashes of all keys to dst.
func MixEach(dst []uint64, s Source, seed uint64) {
	for from := 0; from < len(dst); from += chunk {
		part := dst[from:min(from+chunk, len(dst))]
		s.Hashes(part, from)
		for i, hash := range part {
			part[i] = Mix(hash, seed)
		}
	}
}

// Partition writes the mixed hashes of all keys to sorted, in the order of their
// highest bits, 1 to MaxPartitionBits of them, so that those which meet in the
// graph are near one another. It uses room, which is at least as long.
func Partition(sorted, room []uint64, s Source, seed uint64, bits int) {
	room = room[:len(sorted)]
	shift := 64 - bits
	var at [1 << MaxPartitionBits]int
	for from := 0; from < len(room); from += chunk {
		part := room[from:min(from+chunk, len(room))]
		s.Hashes(part, from)
		for i, hash := range part {
			h := Mix(hash, seed)
			part[i] = h
			at[h>>shift%(1<<MaxPartitionBits)]++
		}
	}
	sum := 0
	for i, n := range at {
		at[i] = sum
		sum += n
	}
	for _, h := range room {
		b := h >> shift % (1 << MaxPartitionBits)
		sorted[at[b]] = h
		at[b]++
	}
}

// MaxPartitionBits is the largest number of bits that Partition sorts by: as
// many streams as are written to at once.
const MaxPartitionBits = 9

// Whole reports whether the counts of all slots add up to want: no count went
// over into the hash beside it.
func Whole(slots []uint64, want int) bool {
	sum := uint64(0)
	for _, w := range slots {
		sum += w & CountMask
	}
	return sum == uint64(want)
}

// QueueSize is the length of the ring in which slots wait that have one key
// left, a power of two: 64 KiB, which stay in the second cache. What the ring
// has no room for is dropped, and looked for again.
const QueueSize = 1 << 14

// Single is 1 for a slot from which one (1, or else 0) key was taken and which
// has a single one left, or else 0.
func Single(slot, one uint64) uint {
	if slot&CountMask == one {
		return uint(one)
	}
	return 0
}
