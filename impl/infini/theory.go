package infini

import (
	"math"
	"math/bits"
)

// The laws of the filter. Log and FingerprintBits are those of the table that it
// started with, a generation is the number of doublings that came before a key.

// FingerprintBitsOf is the length of the fingerprints of generation g, F +
// floor(2 log2((g+c)/c)) with F = FingerprintBits and c = Stretch: the rates of
// the generations fall like 1/g^2, so that their sum is finite (Dayan, Bercea,
// Reviriego, Pagh 2023, section 4, with c = 1).
func (p Params) FingerprintBitsOf(g int) int {
	c := uint64(p.Stretch)
	x := uint64(g) + c
	return p.FingerprintBits + bits.Len64(x*x/(c*c)) - 1
}

// Capacity is the number of entries that a table of 2^log slots takes before it
// doubles, nine tenths of the slots.
func Capacity(log int) uint64 { return (uint64(1) << log) * 9 / 10 }

// GrowthFPR is the false-positive rate after n distinct keys were added and none
// removed: 1 - exp(-sum of 2^-bits over the keys), where a key of generation g
// is stored as the first Log + g + FingerprintBitsOf(g) bits of its hash, which
// an absent key shares with chance 2^-bits. Derived; Dayan et al. 2023, section
// 4, gives the sum. For n beyond what the filter takes it is the rate of a full
// one, the most that it can be.
func GrowthFPR(p Params, n uint64) float64 {
	var matches float64
	last := p.lastLog()
	var keys [maxLog + 1]float64 // of each generation
	for g := 0; ; g++ {
		log := p.Log + g
		room := float64(Capacity(log))
		for h := range g {
			if h+p.FingerprintBitsOf(h) > g { // not spent
				room -= keys[h]
			}
		}
		added := math.Min(math.Max(room, 0), float64(n))
		keys[g] = added
		matches += math.Ldexp(added, -(log + p.FingerprintBitsOf(g)))
		n -= uint64(added)
		if n == 0 || log >= last {
			return -math.Expm1(-matches)
		}
	}
}

// Bound is the false-positive rate that no growth exceeds, for distinct keys.
func Bound(p Params) float64 { return GrowthFPR(p, math.MaxUint64) }

// FPR is the false-positive rate of a table of 2^log quotients, lengths[0] of
// which match everything, with lengths[i] fingerprints of i bits: 1 - (1 -
// lengths[0]/2^log) exp(-sum of lengths[i] 2^-(log+i)), since each of those is
// met by chance in one quotient of 2^log and one fingerprint of 2^i. Derived, as
// GrowthFPR.
func FPR(log int, lengths []uint64) float64 {
	var matches float64
	for i, n := range lengths[1:] {
		matches += math.Ldexp(float64(n), -(log + 1 + i))
	}
	void := math.Ldexp(float64(lengths[0]), -log)
	return void - (1-void)*math.Expm1(-matches)
}

// BitsPerSlot is the memory of a slot after g doublings, the slack aside: the
// longest fingerprint, its end mark, two bits for rank and select, and a
// quarter for the spill. One more comes when the first fingerprint is spent.
func (p Params) BitsPerSlot(g int) float64 { return float64(p.FingerprintBitsOf(g)) + 1 + 2.25 }
