package blocked

import (
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// A Kind says what a block is and where in it a key's k bits lie.
type Kind uint8

const (
	// Line is a block of 512 bits, one cache line. Each of a key's k bits is drawn
	// from the whole line, independently of the others: two may be one.
	Line Kind = iota
	// Sectors is a block of 512 bits cut into sectors of equal size, each of which
	// gets as many of the k bits: for k of 1, 2, 4 or 8, k sectors of 512/k bits with
	// one bit each; for k of 16, 24 or 32, eight sectors of 64 bits with k/8 bits each,
	// drawn independently: two may be one (the sectorized filter of Lang, Neumann,
	// Kemper, Boncz 2019).
	Sectors
	// Word is a block of 64 bits, one machine word ("register-blocked" in Lang et al.
	// 2019). Each of the k bits is drawn from the whole word, independently of the
	// others: two may be one.
	Word
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{Line, Sectors, Word} }

// Valid reports whether k is one of the kinds above.
func (k Kind) Valid() bool { return k <= Word }

// String is the kind's name: line, sectors or word.
func (k Kind) String() string {
	switch k {
	case Line:
		return "line"
	case Sectors:
		return "sectors"
	case Word:
		return "word"
	default:
		return fmt.Sprintf("unknown kind %d", uint8(k))
	}
}

// BlockBits is the number of bits in a block.
func (k Kind) BlockBits() uint64 {
	if k == Word {
		return wordBits
	}
	return lineBits
}

// Probes lists the numbers of bits a key that the kind allows, in order.
func (k Kind) Probes() []int {
	if k == Sectors {
		return []int{1, 2, 4, 8, 16, 24, 32}
	}
	all := make([]int, MaxK)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// allows reports whether a key may have that many bits.
func (k Kind) allows(probes int) bool {
	if k != Sectors || probes >= lineWords {
		return probes >= 1 && probes <= MaxK && (k != Sectors || probes%lineWords == 0)
	}
	return probes >= 1 && lineWords%probes == 0
}

const (
	wordBits  = 64
	lineWords = 8
	lineBits  = lineWords * wordBits

	// MaxBits is the largest filter, 128 GiB. New refuses more with an error; it
	// cannot know how much memory the machine has.
	MaxBits uint64 = 1 << 40
	// MaxK is the largest number of bits a key.
	MaxK = 32

	// maxWords is MaxBits in words, or on a 32-bit machine the most that one slice
	// can hold.
	maxWords = min(MaxBits/wordBits, math.MaxInt/8)
)

// maxBlocks is the largest number of blocks of the kind.
func (k Kind) maxBlocks() uint64 { return maxWords * wordBits / k.BlockBits() }

// Params say which filter to make.
type Params struct {
	// Kind is what a block is. The zero value is Line.
	Kind Kind
	// Blocks is the number of blocks, at least 1, MaxBits bits in all at most. It need
	// not be a power of two.
	Blocks uint64
	// K is the number of bits a key, 1 to MaxK, one of Probes for Sectors.
	K int
	// Hash is the hash function; its zero value is refused.
	Hash hashing.Hasher
}

// check returns an error that says what is allowed.
func (p Params) check() error {
	switch {
	case !p.Kind.Valid():
		return fmt.Errorf("blocked: %v: the kinds are %v", p.Kind, Kinds())
	case p.Blocks < 1 || p.Blocks > p.Kind.maxBlocks():
		return fmt.Errorf("blocked: %d blocks of %d bits: 1 to %d are allowed", p.Blocks, p.Kind.BlockBits(), p.Kind.maxBlocks())
	case !p.Kind.allows(p.K):
		return fmt.Errorf("blocked: %d bits a key: for kind %v it is one of %v", p.K, p.Kind, p.Kind.Probes())
	}
	if err := p.Hash.Check(); err != nil {
		return fmt.Errorf("blocked: %w", err)
	}
	return nil
}

// words is the number of words of all blocks.
func (p Params) words() uint64 { return p.Blocks * (p.Kind.BlockBits() / wordBits) }

// A Filter is a blocked Bloom filter. Make one with New or ForRate; the zero value
// is good for UnmarshalBinary only.
type Filter struct {
	words  []uint64 // bit i of a block is bit i%64 of its word i/64
	blocks uint64
	k      int
	kind   Kind
	hash   hashing.Hasher
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
	return &Filter{words: make([]uint64, p.words()), blocks: p.Blocks, k: p.K, kind: p.Kind, hash: p.Hash}, nil
}

// ForRate makes an empty filter of the kind that is sized for n keys at the false-
// positive rate eps; see Size for what is allowed.
func ForRate(n uint64, eps float64, kind Kind, hash hashing.Hasher) (*Filter, error) {
	p, err := Size(n, eps, kind)
	if err != nil {
		return nil, err
	}
	p.Hash = hash
	return New(p)
}

// Kind is what a block is.
func (f *Filter) Kind() Kind { return f.kind }

// Blocks is the number of blocks.
func (f *Filter) Blocks() uint64 { return f.blocks }

// K is the number of bits a key.
func (f *Filter) K() int { return f.k }

// Hash is the hash function.
func (f *Filter) Hash() hashing.Hasher { return f.hash }

// Params are what New makes an empty filter like this one of.
func (f *Filter) Params() Params {
	return Params{Kind: f.kind, Blocks: f.blocks, K: f.k, Hash: f.hash}
}

// SizeBytes is the memory of the blocks.
func (f *Filter) SizeBytes() int { return 8 * len(f.words) }
