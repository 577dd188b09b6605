package splitblock

import (
	"errors"
	"fmt"
	"math"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// parquetHash is the only hash of the Parquet format.
var parquetHash = hashing.XX(0)

// ErrParquet is returned, wrapped with what is wrong, for bytes that are no bloom
// filter of a Parquet file, or not one of the kind that the format defines today.
var ErrParquet = errors.New("splitblock: not a Parquet bloom filter")

// FromParquet makes a filter of the bitset of a Parquet file's bloom filter: what
// follows the header. Its length is the header's numBytes, a multiple of 32 other
// than 0. The bits are copied.
func FromParquet(bitset []byte) (*Filter, error) {
	if len(bitset) == 0 || len(bitset)%blockBytes != 0 {
		return nil, fmt.Errorf("%w: a bitset of %d bytes: a multiple of %d, not 0, is allowed", ErrParquet, len(bitset), blockBytes)
	}
	f, err := New(Params{Blocks: uint64(len(bitset) / blockBytes), Hash: parquetHash})
	if err != nil {
		return nil, err
	}
	f.readBits(bitset)
	return f, nil
}

// ParquetBitset is the bitset that stands in a Parquet file for this filter. It is
// meaningful there only if the hash is XXH64 with seed 0; AppendParquet checks
// that.
func (f *Filter) ParquetBitset() []byte { return f.appendBits(make([]byte, 0, f.SizeBytes())) }

// ReadParquet reads a bloom filter as it stands in a Parquet file at the
// bloom_filter_offset of a column chunk: a BloomFilterHeader in Thrift's compact
// protocol, then the bitset. It returns how many bytes both took; what follows is
// not looked at. The error wraps ErrParquet for anything but a split block filter
// with XXH64, uncompressed, all of it there; nothing larger than data is allocated.
func ReadParquet(data []byte) (f *Filter, read int, err error) {
	size, rest, err := readHeader(data)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrParquet, err)
	}
	if size > len(rest) {
		return nil, 0, fmt.Errorf("%w: a bitset of %d bytes is announced, %d are there", ErrParquet, size, len(rest))
	}
	f, err = FromParquet(rest[:size])
	if err != nil {
		return nil, 0, err
	}
	return f, len(data) - len(rest) + size, nil
}

// AppendParquet appends the filter as it stands in a Parquet file, header and
// bitset. It returns an error, and b, when the hash is not XXH64 with seed 0 or the
// bitset does not fit the header's signed 32 bits (2^26 blocks or more). Some
// readers refuse more than 128 MiB or a number of blocks that is no power of two.
func (f *Filter) AppendParquet(b []byte) ([]byte, error) {
	if f.hash != parquetHash {
		return b, fmt.Errorf("splitblock: the hash is %v: Parquet's is %v", f.hash, parquetHash)
	}
	if f.SizeBytes() > math.MaxInt32 {
		return b, fmt.Errorf("splitblock: %d bytes: a Parquet file's filter has at most %d", f.SizeBytes(), math.MaxInt32)
	}
	return f.appendBits(appendHeader(b, f.SizeBytes())), nil
}
