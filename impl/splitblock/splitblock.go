package splitblock

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

const (
	// BlockBits is the number of bits in a block.
	BlockBits = 8 * blockBytes
	// MaxBlocks is the largest number of blocks, 128 GiB: a block is chosen by 32
	// bits of the hash, which reach no more. New refuses more with an error; it
	// cannot know how much memory the machine has.
	MaxBlocks uint64 = 1 << 32

	lanes      = 8
	laneBits   = 32
	blockBytes = lanes * laneBits / 8

	// maxBlocks is MaxBlocks, or on a 32-bit machine the most that one slice can
	// hold.
	maxBlocks = min(MaxBlocks, math.MaxInt/blockBytes)
)

// A block is eight lanes.
type block [lanes]uint32

// Params say which filter to make.
type Params struct {
	// Blocks is the number of blocks of 256 bits, from 1 to MaxBlocks. It need not
	// be a power of two.
	Blocks uint64
	// Hash is the hash function; its zero value is refused. The Parquet format's is
	// hashing.XX(0).
	Hash hashing.Hasher
}

func (p Params) check() error {
	if p.Blocks < 1 || p.Blocks > maxBlocks {
		return fmt.Errorf("splitblock: %d blocks of %d bytes: 1 to %d are allowed", p.Blocks, blockBytes, uint64(maxBlocks))
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("splitblock: %w", err)
	}
	return nil
}

// A Filter is a split block Bloom filter. Make one with New, ForRate, FromParquet
// or ReadParquet; the zero value is good for UnmarshalBinary only.
type Filter struct {
	blocks []block
	hash   hashing.Hasher
	inline inlineXXH3
}

var (
	_ sketchproof.Filter           = (*Filter)(nil)
	_ sketchproof.Adder            = (*Filter)(nil)
	_ sketchproof.BytesFilter      = (*Filter)(nil)
	_ sketchproof.BytesAdder       = (*Filter)(nil)
	_ sketchproof.HashFilter       = (*Filter)(nil)
	_ sketchproof.HashAdder        = (*Filter)(nil)
	_ sketchproof.BatchFilter      = (*Filter)(nil)
	_ sketchproof.BatchAdder       = (*Filter)(nil)
	_ sketchproof.HashBatchFilter  = (*Filter)(nil)
	_ sketchproof.HashBatchAdder   = (*Filter)(nil)
	_ sketchproof.BytesBatchFilter = (*Filter)(nil)
	_ sketchproof.BytesBatchAdder  = (*Filter)(nil)
	_ sketchproof.Merger[*Filter]  = (*Filter)(nil)
)

// New makes an empty filter. It returns an error for parameters out of range,
// before it allocates anything.
func New(p Params) (*Filter, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	return &Filter{make([]block, p.Blocks), p.Hash, inlineHash(p.Hash)}, nil
}

// ForRate makes an empty filter that is sized for n keys at the false-positive
// rate eps; see Size for what is allowed.
func ForRate(n uint64, eps float64, hash hashing.Hasher) (*Filter, error) {
	blocks, err := Size(n, eps)
	if err != nil {
		return nil, err
	}
	return New(Params{Blocks: blocks, Hash: hash})
}

// Blocks is the number of blocks.
func (f *Filter) Blocks() uint64 { return uint64(len(f.blocks)) }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.hash }

// Params are what New makes an empty filter like this one of.
func (f *Filter) Params() Params { return Params{Blocks: f.Blocks(), Hash: f.hash} }

// SizeBytes is the memory of the blocks, 32 bytes each.
func (f *Filter) SizeBytes() int { return blockBytes * len(f.blocks) }
