package speed

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchmath"
)

// A Race sets one of our subjects against a peer, a library's or our own, that
// does the same job. Ratio is the peer's time over ours, round by round.
type Race struct {
	Subject, Op   string
	Eps           float64 // the rate that the subject was built for
	Peer, PeerOp  string
	Keys          int
	AtLeast       float64 // what we set out to reach
	Rounds        int
	Ratio, Lo, Hi float64
	Confidence    float64 // of the interval
	// The measured false-positive rates of both: a race at unlike rates flatters
	// the one that errs more.
	Rate, PeerRate float64
	Err            string // why it was not run, if it was not
}

// races lists what our structures are to be measured by, at each number of keys.
func races() []Race {
	million, ten, hundred := 1_000_000, 10_000_000, 100_000_000
	var list []Race
	add := func(subject, op string, eps float64, peer, peerOp string, atLeast float64, sizes ...int) {
		for _, n := range sizes {
			list = append(list, Race{Subject: subject, Op: op, Eps: eps, Peer: peer, PeerOp: peerOp, Keys: n, AtLeast: atLeast})
		}
	}
	// Where a peer takes a 64-bit key as a hash, ours is given a hash.
	add("splitblock", opMissBytes, rate, "bits-and-blooms", opMissBytes, 10, million, ten)
	add("splitblock", opMissBatch, rate, "ristretto-bloom", opMissHash, 8, million)
	add("splitblock", opMissBatch, rate, "ristretto-bloom", opMissHash, 6, hundred)
	add("bloom", opMissHash, rate, "holiman-bloom", opMissHash, 1.5, million, ten)
	add("bloom", opAdd, rate, "holiman-bloom", opAdd, 1.5, million, ten)
	add("fuse3-8", opMissHash, rate, "fastfilter-fuse8", opMiss, 1.2, million, ten)
	add("fuse3-8", opMissBatch, rate, "fastfilter-fuse8", opMiss, 1.5, ten)
	add("fuse3-8", opAdd, rate, "fastfilter-fuse8", opAdd, 1.2, million, ten)
	add("xor8", opAdd, rate, "fastfilter-xor8", opAdd, 1, million, ten)
	add("cuckoo", opHit, eightBits, "seiflotfy-cuckoo", opHit, 3, million)
	add("cuckoo", opMiss, eightBits, "seiflotfy-cuckoo", opMiss, 3, million)
	add("cuckoo", opAdd, eightBits, "seiflotfy-cuckoo", opAdd, 1.7, million)
	add("quotient", opHit, rate, "seiflotfy-cuckoo", opHit, 1/1.3, million, ninety)
	add("quotient", opMiss, rate, "seiflotfy-cuckoo", opMiss, 1/1.3, million, ninety)
	add("ribbon-homogeneous", opAdd, rate, "fuse3-8", opAdd, 1/1.5, million)
	add("hll", opAddHash, 0, "axiomhq-hll", opAddHash, 3.5, million)
	// One at a time, each side pays a call through an interface, as long as an add.
	add("hll", opAddBatch, 0, "axiomhq-hll", opAddHash, 3.5, million)
	add("hll", opEstimate, 0, "axiomhq-hll", opEstimate, 1000, million)
	add("hll", opMerge, 0, "axiomhq-hll", opMerge, 25, million)
	add("hll-sparse", opAddFew, 0, "axiomhq-hll", opAddFew, 4, million)
	add("ull", opAddHash, 0, "hll", opAddHash, 1/1.3, million)
	add("countmin", opAdd, 0, "boom-countmin", opAdd, 3, million)
	add("countmin", opCountOne, 0, "boom-countmin", opCountOne, 5, million)
	add("jump", opOwner, 0, "go-jump", opOwner, 1, million)
	add("ring-100", opOwner, 0, "serialx-hashring", opOwner, 1, million)
	add("maglev", opOwner, 0, "serialx-hashring", opOwner, 1, million)
	return list
}

// ninety is 90 % of 2^20 slots, the load at which quotient filters are compared.
const ninety = 943_718

// race computes the ratios of all races of which both sides were timed.
func (r *Result) race() {
	type entry struct {
		subject, op string
		eps         float64
		keys        int
	}
	timed := map[entry]Timing{}
	for _, t := range r.Timings {
		timed[entry{t.Subject, t.Op, t.Eps, t.Keys}] = t
	}
	for _, race := range races() {
		ours, ok := timed[entry{race.Subject, race.Op, race.Eps, race.Keys}]
		peer, also := timed[entry{race.Peer, race.PeerOp, min(race.Eps, rate), race.Keys}]
		if !ok || !also {
			continue // another scale's size
		}
		race.run(ours, peer)
		r.Races = append(r.Races, race)
	}
}

// run fills in what was measured: the ratio in each round, its median and its
// order-statistic interval.
func (r *Race) run(ours, peer Timing) {
	r.Ratio, r.Lo, r.Hi, r.Confidence = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	r.Rate, r.PeerRate = ours.Rate, peer.Rate
	for _, t := range []Timing{ours, peer} {
		if t.Err != "" {
			r.Err = fmt.Sprintf("%s: %s", t.Subject, t.Err)
			return
		}
	}
	ratios := make([]float64, len(ours.Rounds))
	for i, sec := range ours.Rounds {
		ratios[i] = peer.Rounds[i] / sec
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(ratios, &benchmath.DefaultThresholds), 0.95)
	r.Rounds, r.Ratio, r.Lo, r.Hi, r.Confidence = len(ratios), s.Center, s.Lo, s.Hi, s.Confidence
}
