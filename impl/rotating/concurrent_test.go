package rotating

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

// Writers publish each key once Add has returned, and wait at a barrier so often
// that no key is more than a period old when it is looked for. Readers look up
// what was published while the filters rotate under them: none may be missed.
func TestReadersNeverMissAKeyOfTheWindow(t *testing.T) {
	const writers, readers, rounds, perRound = 3, 3, 60, 50
	// A period takes at least limit/K = 512 keys, more than two rounds of all
	// writers; the filter keeps the one before as well.
	f := mustNew(t, Params{M: 4096, K: 4, Hash: hashing.XX(6)})
	var missed, rotations atomic.Int64
	last := f.pair.Load()
	for round := range uint64(rounds) {
		var published [writers]atomic.Uint64
		var group sync.WaitGroup
		for w := range uint64(writers) {
			group.Go(func() {
				for i := range uint64(perRound) {
					_ = f.Add(key(round, w, i))
					published[w].Store(i + 1)
				}
			})
		}
		for range readers {
			group.Go(func() {
				for done := false; !done; {
					done = true
					runtime.Gosched() // on one processor writers must come in between
					for w := range uint64(writers) {
						n := published[w].Load()
						done = done && n == perRound
						for i := range n {
							if !f.Contains(key(round, w, i)) {
								missed.Add(1)
							}
						}
						if round > 0 && !f.Contains(key(round-1, w, perRound-1)) {
							missed.Add(1)
						}
					}
				}
			})
		}
		group.Wait()
		if now := f.pair.Load(); now != last {
			rotations.Add(1)
			last = now
		}
	}
	if missed.Load() > 0 || rotations.Load() < 3 {
		t.Errorf("%d keys missed, %d rotations", missed.Load(), rotations.Load())
	}
}

func key(round, writer, i uint64) uint64 { return round<<32 | writer<<16 | i }

// An addition knows when rotations overtook it, and is then done again. Here it
// holds on to a pair that is gone.
func TestAnOvertakenKeyIsAddedAgain(t *testing.T) {
	f := mustNew(t, Params{M: 1 << 12, K: 4, Fill: NoFill, Hash: hashing.XX(0)})
	stale := f.pair.Load()
	f.Rotate()
	for range 2 { // once more: the bits are set by then
		if f.addTo(stale, 1) {
			t.Error("an addition does not know that it was overtaken")
		}
	}
	f.Rotate()
	if f.ContainsHash(1) {
		t.Error("the filter that is gone is asked")
	}
	if !f.addTo(f.pair.Load(), 1) || !f.ContainsHash(1) {
		t.Error("an addition that nothing overtook was not enough")
	}
}

// One rotation at most is under way during an addition and the look-up after it:
// the key is found, wherever it went.
func TestAKeyIsFoundWhileARotationIsUnderWay(t *testing.T) {
	f := mustNew(t, Params{M: 1 << 12, K: 4, Fill: NoFill, Hash: hashing.XX(0)})
	const keys = 3000
	turns := make(chan bool)
	var group sync.WaitGroup
	group.Go(func() {
		for range turns {
			f.Rotate()
		}
	})
	missed := 0
	for key := range uint64(keys) {
		turns <- true // and the rotation before is over
		_ = f.Add(key)
		if !f.Contains(key) {
			missed++
		}
	}
	close(turns)
	group.Wait()
	if missed > 0 {
		t.Errorf("%d of %d keys missed", missed, keys)
	}
}

// Bits set by several writers at once are each counted once, and all there.
func TestWritersLoseNothing(t *testing.T) {
	f := mustNew(t, Params{M: 5000, K: 5, Fill: NoFill, Hash: hashing.XX(8)})
	want := f.Clone()
	const writers, keys = 4, 1000
	addKeys(want, 0, keys)
	var group sync.WaitGroup
	for w := range uint64(writers) {
		group.Go(func() { // all of the keys, from different places
			for i := range uint64(keys) {
				_ = f.Add((i + w*keys/writers) % keys)
			}
		})
	}
	group.Wait()
	if !f.Equal(want) || f.Fill() != want.Fill() {
		t.Errorf("fill %v, want %v", f.Fill(), want.Fill())
	}
}

// Everything at once, for the race detector.
func TestAllAtOnce(t *testing.T) {
	f := mustNew(t, Params{M: 1024, K: 3, Age: 1, Hash: hashing.XX(0)})
	var group sync.WaitGroup
	for w := range uint64(4) {
		group.Go(func() {
			keys := make([]uint64, 300)
			for i := range keys {
				keys[i] = w<<32 + uint64(i)
			}
			_, _ = f.AddBatch(keys)
			f.CountBatch(keys)
			_, _, _, _ = f.RateEstimate(), f.Fill(), f.SizeBytes(), f.Equal(f.Clone())
			if _, err := f.MarshalBinary(); err != nil {
				t.Error(err)
			}
			f.Rotate()
			if w == 0 {
				f.Reset()
			}
		})
	}
	group.Wait()
}
