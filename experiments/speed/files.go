package speed

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/sketchproof/sketchproof/record"
)

// The files of a folder of timings.
const (
	TimingsName    = "speed.csv"
	WeightsName    = "memory.csv"
	BenchmarksName = "bench.txt"
	ProvenanceName = "provenance.json"
)

// Provenance is where, when and with what timings were taken.
type Provenance struct {
	Command    string `json:"command"`
	Taken      string `json:"taken"` // day, UTC
	CPU        string `json:"cpu"`
	Cores      int    `json:"cores"`
	L1D        string `json:"l1d"`
	L2         string `json:"l2"`
	L3         string `json:"l3"`
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Go         string `json:"go"`
	GOMAXPROCS int    `json:"gomaxprocs"`
}

// Here is the provenance of what this process measures now.
func Here(command string) Provenance {
	cache := func(bytes int) string {
		if bytes <= 0 {
			return "unknown"
		}
		return strconv.Itoa(bytes>>10) + " KiB"
	}
	return Provenance{
		Command: command, Taken: time.Now().UTC().Format(time.DateOnly),
		CPU: cpuid.CPU.BrandName, Cores: runtime.NumCPU(),
		L1D: cache(cpuid.CPU.Cache.L1D), L2: cache(cpuid.CPU.Cache.L2), L3: cache(cpuid.CPU.Cache.L3),
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), GOMAXPROCS: runtime.GOMAXPROCS(0),
	}
}

// Write writes all files of a run into a folder, made if need be.
func (r Result) Write(dir string, p Provenance) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, fill := range map[string]func(io.Writer) error{
		TimingsName:    r.writeTimings,
		WeightsName:    r.writeWeights,
		BenchmarksName: func(w io.Writer) error { return r.WriteBenchmarks(w, p) },
		ProvenanceName: p.write,
	} {
		if err := record.WriteFile(filepath.Join(dir, name), fill); err != nil {
			return err
		}
	}
	return nil
}

func (p Provenance) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

func (r Result) writeTimings(w io.Writer) error {
	var rows [][]string
	for _, t := range r.Timings {
		rows = append(rows, []string{
			t.Kind, t.Subject, t.Module, strconv.Itoa(t.Keys), t.Op, strconv.Itoa(len(t.Rounds)),
			seconds(t.Median), seconds(t.Lo), seconds(t.Hi), record.Float(t.Confidence), t.Err,
		})
	}
	return record.WriteRaw(w, []string{"kind", "subject", "module", "n", "op", "rounds", "sec/op", "lo", "hi", "confidence", "err"}, rows)
}

func (r Result) writeWeights(w io.Writer) error {
	var rows [][]string
	for _, m := range r.Weights {
		bits := func(bytes int) string {
			if bytes == 0 {
				return ""
			}
			return strconv.FormatFloat(8*float64(bytes)/float64(m.Keys), 'g', 4, 64)
		}
		rows = append(rows, []string{
			m.Kind, m.Subject, m.Module, strconv.Itoa(m.Keys), strconv.Itoa(m.Told), strconv.Itoa(m.Heap), strconv.Itoa(m.Stored),
			bits(m.Told), bits(m.Heap), bits(m.Stored), m.Err,
		})
	}
	return record.WriteRaw(w, []string{
		"kind", "subject", "module", "n", "told-bytes", "heap-bytes", "stored-bytes", "told-bits/key", "heap-bits/key", "stored-bits/key", "err",
	}, rows)
}

// seconds prints a time with four digits: more would be noise.
func seconds(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
