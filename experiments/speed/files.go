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
	RacesName      = "ratios.csv"
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
		RacesName:      r.writeRaces,
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
			t.Kind, t.Subject, t.Module, built(t.Eps), strconv.Itoa(t.Keys), t.Op, strconv.Itoa(len(t.Rounds)),
			digits(t.Median), digits(t.Lo), digits(t.Hi), record.Float(t.Confidence), wrong(t.Kind, t.Rate), t.Err,
		})
	}
	return record.WriteRaw(w, []string{
		"kind", "subject", "module", "eps", "n", "op", "rounds", "sec/op", "lo", "hi", "confidence", "false-positives/absent", "err",
	}, rows)
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
			m.Kind, m.Subject, m.Module, built(m.Eps), strconv.Itoa(m.Keys), strconv.Itoa(m.Told), strconv.Itoa(m.Heap), strconv.Itoa(m.Stored),
			bits(m.Told), bits(m.Heap), bits(m.Stored), m.Err,
		})
	}
	return record.WriteRaw(w, []string{
		"kind", "subject", "module", "eps", "n", "told-bytes", "heap-bytes", "stored-bytes", "told-bits/key", "heap-bits/key", "stored-bits/key", "err",
	}, rows)
}

func (r Result) writeRaces(w io.Writer) error {
	var rows [][]string
	for _, x := range r.Races {
		rows = append(rows, []string{
			x.Subject, built(x.Eps), x.Op, x.Peer, x.PeerOp, strconv.Itoa(x.Keys), strconv.Itoa(x.Rounds),
			digits(x.Ratio), digits(x.Lo), digits(x.Hi), record.Float(x.Confidence), digits(x.AtLeast), digits(x.Rate), digits(x.PeerRate), x.Err,
		})
	}
	return record.WriteRaw(w, []string{
		"subject", "eps", "op", "peer", "peer-op", "n", "rounds", "ratio", "lo", "hi", "confidence", "target",
		"false-positives/absent", "peer-false-positives/absent", "err",
	}, rows)
}

// built is the rate that a filter was built for, "" for a sketch.
func built(eps float64) string {
	if eps == 0 {
		return ""
	}
	return record.Float(eps)
}

// wrong is the measured rate of a filter, "" for a sketch.
func wrong(kind string, rate float64) string {
	if kind != "filter" {
		return ""
	}
	return digits(rate)
}

// digits prints a measured figure with four digits: more would be noise.
func digits(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
