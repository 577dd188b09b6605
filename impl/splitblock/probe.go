package splitblock

// salt are the eight odd multipliers of the Parquet format specification
// (BloomFilter.md, Algorithm): the top five bits of salt[i] times the low half of
// the hash number the bit of lane i.
var salt = [lanes]uint32{
	0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
	0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31,
}

// Add sets the key's bits. It always succeeds, also when the filter is long past
// the load it was sized for: the error is always nil.
func (f *Filter) Add(key uint64) error { return f.AddHash(f.hash.Uint64(key)) }

// AddBytes is Add for a byte string. A number and its eight bytes, little endian,
// are one key where the hash family says so (all but SHA256), as in Parquet.
func (f *Filter) AddBytes(key []byte) error { return f.AddHash(f.hash.Bytes(key)) }

// AddHash is Add for a good 64-bit hash in place of a key: what Add does for a key
// of that hash.
func (f *Filter) AddHash(hash uint64) error {
	if useAVX2 {
		addAVX2(f, hash)
	} else {
		f.addPortable(hash)
	}
	return nil
}

// Contains reports whether all of the key's bits are set: false is certain.
func (f *Filter) Contains(key uint64) bool { return f.ContainsHash(f.hash.Uint64(key)) }

// ContainsBytes is Contains for a byte string.
func (f *Filter) ContainsBytes(key []byte) bool {
	hash := f.hash.Bytes(key)
	if useAVX2 { // not left to ContainsHash: one call less is a fifth of the time
		return containsAVX2(f, hash)
	}
	return f.containsPortable(hash)
}

// ContainsHash is Contains for a hash that AddHash would take.
func (f *Filter) ContainsHash(hash uint64) bool {
	if useAVX2 {
		return containsAVX2(f, hash)
	}
	return f.containsPortable(hash)
}

// blockOf is the block of a hash: its high half, scaled to the number of blocks.
func (f *Filter) blockOf(hash uint64) *block {
	return &f.blocks[hash>>32*uint64(len(f.blocks))>>32]
}

func (f *Filter) addPortable(hash uint64) {
	b, low := f.blockOf(hash), uint32(hash)
	for i := range b {
		b[i] |= 1 << (low * salt[i] >> 27)
	}
}

// containsPortable tests all lanes before it branches: eight shifts that overlap
// cost less than one mispredicted branch.
func (f *Filter) containsPortable(hash uint64) bool {
	b, low := f.blockOf(hash), uint32(hash)
	set := b[0] >> (low * salt[0] >> 27)
	set &= b[1] >> (low * salt[1] >> 27)
	set &= b[2] >> (low * salt[2] >> 27)
	set &= b[3] >> (low * salt[3] >> 27)
	set &= b[4] >> (low * salt[4] >> 27)
	set &= b[5] >> (low * salt[5] >> 27)
	set &= b[6] >> (low * salt[6] >> 27)
	set &= b[7] >> (low * salt[7] >> 27)
	return set&1 == 1
}
