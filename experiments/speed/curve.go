package speed

import (
	"math"
	"runtime"

	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
)

// line is the number of bytes that memory moves at a time.
const line = 64

// Curve measures the machine itself at one footprint: what a read of a random
// cache line takes when the next address is in it, and what a byte takes of
// those read one after the other.
func Curve(bytes int64, rounds int) []record.Calibration {
	lines := max(int(bytes/line), 2)
	words := cycle(lines)
	var latency, bandwidth []float64
	at, sum := uint64(0), uint64(0)
	for range rounds {
		for range min(lines, 1<<15) { // into the caches
			at = words[at*line/8]
		}
		const steps = 1 << 15
		latency = append(latency, per(steps, func() {
			for range steps {
				at = words[at*line/8]
			}
		}))
		times := max(1, 1<<20/len(words))
		bandwidth = append(bandwidth, per(8*len(words)*times, func() {
			for range times {
				sum += total(words)
			}
		}))
	}
	runtime.KeepAlive(at + sum) // they have to be computed
	return []record.Calibration{
		curveRow(record.OpLatency, lines*line, latency), curveRow(record.OpBandwidth, lines*line, bandwidth),
	}
}

// cycle is memory of so many lines, the first word of each the number of the next:
// one cycle through all of them in random order (Sattolo 1986).
func cycle(lines int) []uint64 {
	order := make([]uint32, lines)
	for i := range order {
		order[i] = uint32(i)
	}
	for i := lines - 1; i > 0; i-- {
		j := int(hashing.Mix(uint64(i)*hashing.Gamma) % uint64(i))
		order[i], order[j] = order[j], order[i]
	}
	words := make([]uint64, lines*line/8)
	for i, next := range order {
		words[i*line/8] = uint64(next)
	}
	return words
}

// total adds up words, four sums at a time so that none waits for another.
func total(words []uint64) uint64 {
	var a, b, c, d uint64
	for ; len(words) >= 8; words = words[8:] {
		a += words[0] + words[4]
		b += words[1] + words[5]
		c += words[2] + words[6]
		d += words[3] + words[7]
	}
	return a + b + c + d
}

func curveRow(op string, bytes int, seconds []float64) record.Calibration {
	c := record.Calibration{Kind: record.KindMachine, Bytes: int64(bytes), Op: op, Rounds: len(seconds)}
	c.Seconds, c.Lo, c.Hi, c.Confidence = interval(seconds)
	if math.IsNaN(c.Seconds) {
		c.Err = "no reading"
	}
	return c
}
