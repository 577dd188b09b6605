package speed

import "time"

// chunk is how many probes are made ready while the clock stands still. Their
// keys fit the first cache beside what they probe.
const chunk = 1024

// per times ops calls, all in one, and returns seconds per call.
func per(ops int, f func()) float64 {
	start := time.Now()
	f()
	return time.Since(start).Seconds() / float64(ops)
}

// perChunk times ops calls and returns seconds per call. ready makes the probes
// number from to from+n-1, untimed; run makes n calls with them.
func perChunk(ops int, ready func(from, n int), run func(n int)) float64 {
	var total time.Duration
	for from := 0; from < ops; from += chunk {
		n := min(chunk, ops-from)
		ready(from, n)
		start := time.Now()
		run(n)
		total += time.Since(start)
	}
	return total.Seconds() / float64(ops)
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
