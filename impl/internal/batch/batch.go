package batch

import (
	"sync"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/impl/hashing"
)

// length is how many keys are hashed before they are probed: enough to overlap
// their cache misses many times over, 2 KiB.
const length = 256

// buffers are kept, because what is passed through an interface lies on the heap.
var buffers = sync.Pool{New: func() any { return new([length]uint64) }}

// A hashEach writes the hash of each key to dst.
type hashEach[K any] func(h hashing.Hasher, dst []uint64, keys []K)

// Contains answers for numeric keys.
func Contains(f sketchproof.HashBatchFilter, h hashing.Hasher, keys []uint64, found []bool) {
	contains(f, h, hashing.Hasher.Uint64Each, keys, found)
}

// ContainsBytes answers for byte strings.
func ContainsBytes(f sketchproof.HashBatchFilter, h hashing.Hasher, keys [][]byte, found []bool) {
	contains(f, h, hashing.Hasher.BytesEach, keys, found)
}

func contains[K any](f sketchproof.HashBatchFilter, h hashing.Hasher, hash hashEach[K], keys []K, found []bool) {
	found = found[:len(keys)]
	buffer := buffers.Get().(*[length]uint64)
	for len(keys) > 0 {
		n := min(length, len(keys))
		hash(h, buffer[:n], keys[:n])
		f.ContainsHashBatch(buffer[:n], found[:n])
		keys, found = keys[n:], found[n:]
	}
	buffers.Put(buffer)
}

// Count counts the numeric keys that are found.
func Count(f sketchproof.HashBatchFilter, h hashing.Hasher, keys []uint64) int {
	return count(f, h, hashing.Hasher.Uint64Each, keys)
}

// CountBytes counts the byte strings that are found.
func CountBytes(f sketchproof.HashBatchFilter, h hashing.Hasher, keys [][]byte) int {
	return count(f, h, hashing.Hasher.BytesEach, keys)
}

func count[K any](f sketchproof.HashBatchFilter, h hashing.Hasher, hash hashEach[K], keys []K) int {
	buffer := buffers.Get().(*[length]uint64)
	found := 0
	for len(keys) > 0 {
		n := min(length, len(keys))
		hash(h, buffer[:n], keys[:n])
		found += f.CountHashBatch(buffer[:n])
		keys = keys[n:]
	}
	buffers.Put(buffer)
	return found
}

// Add adds numeric keys up to the first that is refused.
func Add(f sketchproof.HashBatchAdder, h hashing.Hasher, keys []uint64) (int, error) {
	return add(f, h, hashing.Hasher.Uint64Each, keys)
}

// AddBytes adds byte strings up to the first that is refused.
func AddBytes(f sketchproof.HashBatchAdder, h hashing.Hasher, keys [][]byte) (int, error) {
	return add(f, h, hashing.Hasher.BytesEach, keys)
}

func add[K any](f sketchproof.HashBatchAdder, h hashing.Hasher, hash hashEach[K], keys []K) (int, error) {
	buffer := buffers.Get().(*[length]uint64)
	defer buffers.Put(buffer)
	added := 0
	for added < len(keys) {
		some := keys[added:min(added+length, len(keys))]
		hash(h, buffer[:len(some)], some)
		n, err := f.AddHashBatch(buffer[:len(some)])
		added += n
		if err != nil {
			return added, err
		}
	}
	return added, nil
}
