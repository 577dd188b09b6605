package experiments

import (
	"encoding/binary"
	"math/bits"
)

// sixteen is a key of two words.
func sixteen(words [2]uint64) []byte {
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, 16), words[0])
	return binary.LittleEndian.AppendUint64(b, words[1])
}

// The two primes by which XXH64 mixes a word of input.
const (
	xxPrime1 = 11400714785074694791
	xxPrime2 = 14029467366897019727
)

// xxRound is what XXH64 makes of a word before it meets the state, and xxUnround
// the way back: both multiplications are by odd numbers.
func xxRound(word uint64) uint64 { return bits.RotateLeft64(word*xxPrime2, 31) * xxPrime1 }

func xxUnround(x uint64) uint64 {
	return bits.RotateLeft64(x*inverse(xxPrime1), -31) * inverse(xxPrime2)
}

// inverse is 1/odd modulo 2^64, by Newton's iteration: five steps from three bits.
func inverse(odd uint64) uint64 {
	x := odd
	for range 5 {
		x *= 2 - odd*x
	}
	return x
}

// twin is the other key of sixteen bytes with the same XXH64, whatever the seed.
// With state h, the first word makes h' = rotl(h xor round(w0), 27)*p1 + p4. Bit
// 36 of the round goes to bit 63, and no carry leads on from there: h' differs in
// bit 63 alone, which bit 63 of the second word's round cancels.
func twin(words [2]uint64) [2]uint64 {
	return [2]uint64{
		xxUnround(xxRound(words[0]) ^ 1<<36),
		xxUnround(xxRound(words[1]) ^ 1<<63),
	}
}
