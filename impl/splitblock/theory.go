package splitblock

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/internal/mixture"
)

// FPR is the false-positive rate of a filter of that many blocks after n distinct
// keys. A key meets the i keys of its own block, and one bit in each of eight lanes
// of 32 is set with probability (1 - (31/32)^i)^8 (Putze, Sanders, Singler 2007, the
// mixture; Broder & Mitzenmacher 2004, section 2, a lane a probe); i is binomial:
// Poisson for many blocks, which the Parquet literature takes it for, n for one.
//
// Two things of the format are in it besides. The bits come from 32 bits of the
// hash, so that a key is found too when it agrees in them with one of its block: this
// adds about i 2^-32, a ten-thousandth of the rate at 40 bits per key. And a block
// is chosen by 32 bits, so that blocks get floor(2^32/blocks) or one more of the 2^32
// values: near 1 % this raises the rate by less than 0.1 % up to 2^26 blocks (2 GiB,
// 1.5e9 keys), but by up to 16 % at 2^30 blocks that are no power of two.
//
// It is NaN for no blocks or more than MaxBlocks.
func FPR(blocks, n uint64) float64 {
	if blocks < 1 || blocks > MaxBlocks {
		return math.NaN()
	}
	// Where even the emptiest block has 64 keys for each bit of a lane, which leaves one
	// unset with a chance of e^-64, everything is found. The mean below would be over
	// numbers that differ by the million.
	if mean := float64(n) / float64(blocks); mean/2 > 64*laneBits+12*math.Sqrt(mean) {
		return 1
	}
	const choices = 1 << 32
	fewer, more := uint64(choices)/blocks, uint64(choices)%blocks // more blocks get fewer+1 values
	p := float64(fewer) / choices
	rate := float64(blocks-more) * p * mixture.Binomial(n, p, inBlock)
	if more > 0 {
		p += 1.0 / choices
		rate += float64(more) * p * mixture.Binomial(n, p, inBlock)
	}
	return rate
}

// inBlock is the rate of a block of i keys.
func inBlock(i uint64) float64 {
	lane := -math.Expm1(float64(i) * math.Log1p(-1.0/laneBits))
	two := lane * lane
	four := two * two
	all := four * four
	return all + (1-all)*-math.Expm1(float64(i)*math.Log1p(-0x1p-32))
}

// MinRate is the least rate that a size can be had for, 2^-32: 32 bits of the hash
// place a key in its block, and so lone keys in their blocks are told apart no better.
// Less could only be had by blocks that stand empty, at any number of bytes a key.
const MinRate = 0x1p-32

// Size is the smallest number of blocks with FPR(blocks, n) <= eps. No keys are
// sized as one. It returns an error for eps outside [MinRate, 1) and where more than
// MaxBlocks would be needed. (Beyond 2^21 blocks, where the law is not perfectly
// monotonic, it may be a few blocks more than the smallest.)
func Size(n uint64, eps float64) (blocks uint64, err error) {
	guess, err := SizeSpecified(n, eps)
	if err != nil {
		return 0, err
	}
	n = max(n, 1)
	blocks = mixture.Smallest(guess, MaxBlocks, func(b uint64) bool { return FPR(b, n) <= eps })
	if blocks > MaxBlocks {
		return 0, fmt.Errorf("splitblock: %d keys at rate %v ask for more than %d blocks", n, eps, MaxBlocks)
	}
	return blocks, nil
}

// SizeSpecified is the number of blocks by the formula of the Parquet format
// specification, -8n/ln(1 - eps^(1/8)) bits, rounded up to whole blocks. It takes
// every block to hold the average number of keys, and so is too small: the rate of
// large filters is 1.13, 1.46, 2.08 and 3.22 times eps at 10^-1 to 10^-4. (Writers
// of Parquet, parquet-java and arrow-rs among them, then round up to a power of two,
// at most 128 MiB, which hides most of it, some of the time.) Errors are those of
// Size.
func SizeSpecified(n uint64, eps float64) (blocks uint64, err error) {
	if !(eps >= MinRate && eps < 1) {
		return 0, fmt.Errorf("splitblock: the rate %v is not inside [%.3g, 1)", eps, MinRate)
	}
	bits := -lanes * float64(max(n, 1)) / math.Log1p(-math.Pow(eps, 1.0/lanes))
	if bits > float64(MaxBlocks)*BlockBits {
		return 0, fmt.Errorf("splitblock: %d keys at rate %v ask for %.4g bytes: at most %d blocks of %d",
			n, eps, bits/8, MaxBlocks, blockBytes)
	}
	return uint64(math.Max(1, math.Ceil(bits/BlockBits))), nil
}
