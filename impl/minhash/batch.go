package minhash

import (
	"sync"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// batchLength is how many keys are hashed before their hashes are taken in, 2 KiB.
const batchLength = 256

// buffers are kept, because what is passed through an interface lies on the heap.
var buffers = sync.Pool{New: func() any { return new([batchLength]uint64) }}

type hashBatchAdder interface{ AddHashBatch(hashes []uint64) }

func addBatch(s hashBatchAdder, h hashing.Hasher, keys []uint64) {
	eachBatch(s, h.Uint64Each, keys)
}

func addBytesBatch(s hashBatchAdder, h hashing.Hasher, keys [][]byte) {
	eachBatch(s, h.BytesEach, keys)
}

func eachBatch[K any](s hashBatchAdder, hash func(dst []uint64, keys []K), keys []K) {
	buffer := buffers.Get().(*[batchLength]uint64)
	defer buffers.Put(buffer)
	for len(keys) > 0 {
		n := min(batchLength, len(keys))
		hash(buffer[:n], keys[:n])
		s.AddHashBatch(buffer[:n])
		keys = keys[n:]
	}
}
