package speed

import (
	"runtime"
	"slices"
	"time"
)

// chunk is how many probes are made ready while the clock stands still. Their
// keys fit the first cache beside what they probe.
const chunk = 1024

// per times ops calls, all in one, and returns seconds per call: of this thread
// where the system tells them, so that another program's turn is not counted.
func per(ops int, f func()) float64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadTime()
	f()
	return (threadTime() - start).Seconds() / float64(ops)
}

// perChunk times ops calls and returns seconds per call. ready makes the probes
// number from to from+n-1, untimed; run makes n calls with them.
func perChunk(ops int, ready func(from, n int), run func(n int)) float64 {
	var l laps
	for from := 0; from < ops; from += chunk {
		n := min(chunk, ops-from)
		ready(from, n)
		l.time(n, func() { run(n) })
	}
	return l.perCall()
}

// laps are the times of chunks of one reading.
type laps []lap

type lap struct {
	calls int
	took  time.Duration
}

func (l *laps) time(calls int, run func()) time.Duration {
	start := time.Now()
	run()
	took := time.Since(start)
	*l = append(*l, lap{calls, took})
	return took
}

// pause is what no chunk takes by itself beyond many times what the others take:
// the system let another program run, which takes it a millisecond at least.
const pause = 200 * time.Microsecond

// perCall is the mean time of a call in seconds, without the chunks that were
// interrupted.
func (l laps) perCall() float64 {
	each := make([]float64, len(l))
	for i, x := range l {
		each[i] = x.took.Seconds() / float64(x.calls)
	}
	slices.Sort(each)
	usual := each[len(each)/2]
	calls, total := 0, 0.0
	for _, x := range l {
		if took := x.took.Seconds(); took <= 8*usual*float64(x.calls)+pause.Seconds() {
			calls += x.calls
			total += took
		}
	}
	return total / float64(calls)
}

// each times a run over the keys number 0 to n-1, and returns seconds per key.
func (k keys) each(n int, run func(some []uint64)) float64 {
	var some [chunk]uint64
	return perChunk(n, func(from, n int) {
		for i := range n {
			some[i] = k.at(from + i)
		}
	}, func(n int) { run(some[:n]) })
}

// skewed is each over a stream of n keys of which few come often: the number of
// a key is uniform below a power of two that is itself drawn.
func (k keys) skewed(n int, run func(some []uint64)) float64 {
	var some [chunk]uint64
	return perChunk(n, func(from, n int) {
		for i := range n {
			draw := k.at(from + i)
			some[i] = k.at(int(draw >> 8 & (1<<(draw&15+1) - 1)))
		}
	}, func(n int) { run(some[:n]) })
}
