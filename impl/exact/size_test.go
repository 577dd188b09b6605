package exact

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"testing"
)

// grown is how much live heap the call leaves behind, in what it keeps.
func grown(keep *any, build func() any) float64 {
	var before, after runtime.MemStats
	*keep = nil
	runtime.GC()
	runtime.GC() // the second empties what the first left in pools
	runtime.ReadMemStats(&before)
	*keep = build()
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&after)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}

// SizeBytes promises a tenth. The sizes lie below the first split of a table,
// between splits, and amid one.
func TestSizeIsTheHeapsGrowth(t *testing.T) {
	if strconv.IntSize != 64 {
		t.Skip("the estimate is for 64-bit machines")
	}
	var keep any
	for _, n := range []int{890, 5000, 20_000, 57_000} {
		for name, build := range map[string]func() (any, int){
			"map": func() (any, int) {
				m := NewMap()
				for i := range n {
					_ = m.Add(uint64(i))
				}
				return m, m.SizeBytes()
			},
			"texts": func() (any, int) {
				m := NewMap()
				for i := range n {
					_ = m.AddBytes(fmt.Appendf(nil, "%024d", i))
				}
				return m, m.SizeBytes()
			},
			"counter": func() (any, int) {
				c := NewCounter()
				for i := range n {
					c.Add(uint64(i), 1)
				}
				return c, c.SizeBytes()
			},
		} {
			var size int
			// Many copies, beside which the runtime's own allocations are small.
			copies := 60_000 / n
			heap := grown(&keep, func() any {
				all := make([]any, copies)
				for i := range all {
					all[i], size = build()
				}
				return all
			}) / float64(copies)
			if !(math.Abs(float64(size)-heap) <= 0.1*heap) {
				t.Errorf("%s n=%d: %d bytes, the heap grew by %.0f", name, n, size, heap)
			}
			runtime.KeepAlive(keep)
		}
	}
}

func TestSizeKeepsTheLargestDay(t *testing.T) {
	m := NewMap()
	for i := range uint64(1000) {
		_ = m.Add(i)
	}
	full := m.SizeBytes()
	for i := range uint64(1000) {
		_ = m.Remove(i)
	}
	if m.SizeBytes() != full || m.Len() != 0 {
		t.Errorf("%d bytes after %d, %d keys", m.SizeBytes(), full, m.Len())
	}
}
