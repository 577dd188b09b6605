package cuckoo

import (
	"math/rand/v2"
	"testing"

	"github.com/sketchproof/sketchproof/impl/hashing"
)

func TestPartnerOfThePartnerIsTheBucket(t *testing.T) {
	for buckets := uint64(1); buckets <= 130; buckets++ {
		p := newPairing(buckets)
		for tag := uint64(1); tag < 256; tag++ {
			alone := uint64(0)
			for i := range buckets {
				j := p.other(i, tag)
				if j >= buckets || p.other(j, tag) != i {
					t.Fatalf("%d buckets, tag %d: %d -> %d -> %d", buckets, tag, i, j, p.other(j, tag))
				}
				if i == j {
					alone++
				}
			}
			// A permutation of order two on an odd number of buckets has a fixed
			// point; c - 2i = 0 has one solution, and none for odd c in an even ring.
			if alone != buckets%2 {
				t.Fatalf("%d buckets, tag %d: %d are their own partners", buckets, tag, alone)
			}
		}
	}
}

func TestPartnersInLargeTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, buckets := range []uint64{1 << 32, 1<<32 - 1, 1<<32 - 2, 1<<31 + 1, 1_000_003, 999_998} {
		p := newPairing(buckets)
		for range 20000 {
			i, tag := r.Uint64N(buckets), 1+r.Uint64N(1<<32-1)
			if j := p.other(i, tag); j >= buckets || p.other(j, tag) != i {
				t.Fatalf("%d buckets, tag %d: %d -> %d -> %d", buckets, tag, i, j, p.other(j, tag))
			}
		}
	}
}

func TestPartnersAreSpread(t *testing.T) {
	// 65535 tags over 64 partners of bucket 0: 1024 each with standard deviation
	// 32; six of them is a chance of 1e-7 over both tables. An odd c halves the
	// choice for the even table.
	for buckets, reach := range map[uint64]int{64: 63, 62: 31, 63: 63} {
		p := newPairing(buckets)
		seen := map[uint64]int{}
		for tag := uint64(1); tag < 1<<16; tag++ {
			seen[p.other(0, tag)]++
		}
		if len(seen) != reach {
			t.Errorf("%d buckets: %d partners, want %d", buckets, len(seen), reach)
		}
		mean := float64(1<<16-1) / float64(reach)
		for j, n := range seen {
			if d := float64(n) - mean; d*d > 36*mean {
				t.Errorf("%d buckets: partner %d of %d tags, want about %.0f", buckets, j, n, mean)
			}
		}
	}
}

func TestBucketAndTagTogetherAreUniform(t *testing.T) {
	// Evenly spaced hashes fall into the 3 * 15 equal parts of the unit interval
	// evenly, to one at each end.
	const steps = 1 << 16
	var seen [3][16]int
	for h := range uint64(steps) {
		i, tag := split(h<<48, 3, 15)
		seen[i][tag]++
	}
	for i := range seen {
		if seen[i][0] != 0 {
			t.Errorf("bucket %d: tag 0 was given out", i)
		}
		for tag := 1; tag < 16; tag++ {
			if n := seen[i][tag]; n < steps/45-1 || n > steps/45+2 {
				t.Errorf("bucket %d, tag %d: %d hashes of %d", i, tag, n, steps)
			}
		}
	}
}

func TestPlaceIsWhereAKeyGoes(t *testing.T) {
	for _, p := range []Params{{FingerprintBits: 8}, {FingerprintBits: 12}, {FingerprintBits: 12, SemiSorted: true}} {
		p.Buckets, p.Slots, p.Hash = 10, 4, hashing.XX(1)
		f, err := New(p)
		if err != nil {
			t.Fatal(err)
		}
		for key := range uint64(100) {
			f.Reset()
			hash := p.Hash.Uint64(key)
			i, j, tag := f.Place(hash)
			if j != f.AlternateBucket(i, tag) {
				t.Fatalf("key %d: bucket %d is not the alternate of %d", key, j, i)
			}
			if err := f.AddHash(hash); err != nil {
				t.Fatal(err)
			}
			if !f.forget(i, uint64(tag)) || f.Contains(key) {
				t.Fatalf("key %d: tag %d is not in bucket %d alone", key, tag, i)
			}
		}
	}
}

func TestAlternateBucketRefusesWhatIsNotThere(t *testing.T) {
	f, err := New(Params{Buckets: 10, Slots: 4, FingerprintBits: 8, Hash: hashing.XX(1)})
	if err != nil {
		t.Fatal(err)
	}
	if j := f.AlternateBucket(3, 255); f.AlternateBucket(j, 255) != 3 {
		t.Error("the alternate of the alternate is another bucket")
	}
	for _, bad := range []struct {
		i   uint64
		tag uint32
	}{{10, 1}, {0, 0}, {0, 256}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("bucket %d, tag %d: no panic", bad.i, bad.tag)
				}
			}()
			f.AlternateBucket(bad.i, bad.tag)
		}()
	}
}
