package adapters

import (
	"bytes"
	"fmt"
	"math"

	"github.com/parquet-go/parquet-go/bloom"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/splitblock"
)

var parquetSplitBlock = Filter{
	Name:   "parquet-splitblock",
	Module: "github.com/parquet-go/parquet-go",
	Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) {
		if err := checkFilterSpec(spec); err != nil {
			return nil, err
		}
		// The library asks for bits a value: the least that reach the rate by the law.
		n := max(spec.Size(), 1)
		blocks, err := splitblock.Size(uint64(n), spec.Epsilon)
		if err != nil {
			return nil, err
		}
		if blocks > math.MaxInt32 {
			return nil, fmt.Errorf("adapters: parquet-splitblock: %d blocks; the library takes %d", blocks, math.MaxInt32)
		}
		bits := math.Ceil(float64(blocks) * 8 * bloom.BlockSize / float64(n))
		f := make(bloom.SplitBlockFilter, bloom.NumSplitBlocksOf(int64(n), uint(bits)))
		return holding(ParquetSplitBlock{f}, nil, spec.Keys)
	},
	Encode: func(f sketchproof.Filter) ([]byte, error) { return bytes.Clone(f.(ParquetSplitBlock).f.Bytes()), nil },
	Decode: func(data []byte) (sketchproof.Filter, error) {
		f := ParquetSplitBlock{bloom.MakeSplitBlockFilter(bytes.Clone(data))}
		if len(f.f) == 0 || f.SizeBytes() != len(data) {
			return nil, fmt.Errorf("adapters: parquet-splitblock: %d bytes are no blocks of %d", len(data), bloom.BlockSize)
		}
		return f, nil
	},
	Laws: []filterLaw{SplitBlockMixture},
	Promises: []sketchproof.Promise{
		{Of: sketchproof.Membership, Text: "probe for the possible presence of a hash key", Where: "bloom, type Filter"},
		{Of: sketchproof.Memory, Text: "a filter intended to hold the given number of values and bits of filter per value", Where: "bloom, func NumSplitBlocksOf"},
		{Of: sketchproof.Serialization, Text: "The method is intended to be used to serialize the bloom filter to a storage medium.", Where: "bloom, func (SplitBlockFilter) Bytes"},
		{Of: sketchproof.Concurrency, Text: "Hash instances must be safe to use concurrently from multiple goroutines.", Where: "bloom, type Hash"},
	},
}

// ParquetSplitBlock is a split block filter of github.com/parquet-go/parquet-go: XXH64
// without a seed, as the file format says.
type ParquetSplitBlock struct{ f bloom.SplitBlockFilter }

var parquetHash bloom.XXH64

func (p ParquetSplitBlock) Add(key uint64) error { return p.AddHash(parquetHash.Sum64Uint64(key)) }

func (p ParquetSplitBlock) Contains(key uint64) bool {
	return p.f.Check(parquetHash.Sum64Uint64(key))
}

func (p ParquetSplitBlock) AddBytes(key []byte) error { return p.AddHash(parquetHash.Sum64(key)) }

func (p ParquetSplitBlock) ContainsBytes(key []byte) bool { return p.f.Check(parquetHash.Sum64(key)) }
func (p ParquetSplitBlock) AddHash(hash uint64) error     { p.f.Insert(hash); return nil }
func (p ParquetSplitBlock) ContainsHash(hash uint64) bool { return p.f.Check(hash) }
func (p ParquetSplitBlock) Blocks() uint64                { return uint64(len(p.f)) }

// SizeBytes is the length of the blocks.
func (p ParquetSplitBlock) SizeBytes() int { return len(p.f) * bloom.BlockSize }
