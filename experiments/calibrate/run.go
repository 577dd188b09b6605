package calibrate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/record"
)

// Options say what Run does.
type Options struct {
	Folder  string // where the calibration is kept
	MaxKeys int    // 0 means [MaxKeys]
	Worker  func() *exec.Cmd
	// Progress is told what is at work, and how much of the expected work is done.
	Progress func(now string, done, total float64)
}

const (
	// together is how many points take their rounds together, as far as the memory
	// for their structures goes: more would be further apart in time, fewer disturbed
	// alike by what lasts for seconds.
	together = 64
	memory   = 512 << 20
)

// unfinished is the folder of what was measured so far, inside the folder of a
// calibration.
const unfinished = "unfinished"

// Run calibrates this machine and keeps the result in the folder. One that was
// interrupted goes on where it stopped.
func Run(ctx context.Context, o Options) (record.Calibrated, error) {
	if o.MaxKeys == 0 {
		o.MaxKeys = MaxKeys
	}
	if o.MaxKeys < LeastKeys {
		return record.Calibrated{}, fmt.Errorf("calibrate: up to %d keys; at least %d are needed to tell anything", o.MaxKeys, LeastKeys)
	}
	here, err := Here(o.MaxKeys)
	if err != nil {
		return record.Calibrated{}, err
	}
	part := filepath.Join(o.Folder, unfinished)
	c, points, err := resume(part, here)
	if err != nil {
		return c, err
	}
	g := Gauge{Worker: o.Worker, Rounds: rounds, Memory: memory}
	defer g.Close()
	p := progress{show: o.Progress, total: curvesCost}
	for _, x := range grid(o.MaxKeys) {
		p.total += cost(x)
	}
	p.done = p.total - curvesCost
	for _, x := range points {
		p.done -= cost(x)
	}
	for some := range slices.Chunk(points, together) {
		err := g.Measure(ctx, some, p.point, func(_ []speed.Point, rows [][]speed.Measurement) error {
			for _, m := range slices.Concat(rows...) {
				c.Rows = append(c.Rows, m.Calibration)
			}
			return save(part, c)
		})
		if err != nil {
			return c, err
		}
	}
	curves, err := g.Curves(ctx, footprints(), func(bytes int64) {
		p.advance(fmt.Sprintf("reads of memory, %d KiB", bytes>>10), curvesCost/float64(len(footprints())))
	})
	if err != nil {
		return c, err
	}
	c.Rows = append(c.Rows, curves...)
	if err := save(o.Folder, c); err != nil {
		return c, err
	}
	return c, os.RemoveAll(part)
}

// resume reads what a run that was killed has measured, and says which points
// are left. What is of another program or size, or broken, is left out.
func resume(part string, here record.Machine) (record.Calibrated, []speed.Point, error) {
	c, err := Load(part)
	points := grid(here.MaxKeys)
	if err != nil || !c.Machine.SameAs(here) || c.Machine.MaxKeys != here.MaxKeys {
		if err := os.RemoveAll(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return c, nil, err
		}
		return record.Calibrated{Machine: here}, points, nil
	}
	type place struct {
		kind, subject string
		eps           float64
		keys          int
	}
	known := map[place]bool{}
	for _, r := range c.Rows {
		known[place{r.Kind, r.Subject, r.Epsilon, r.Keys}] = true
	}
	left := slices.DeleteFunc(points, func(p speed.Point) bool {
		return known[place{p.Kind, p.Subject, p.Epsilon, p.Keys}]
	})
	return c, left, nil
}

// cost is the expected time of a point in all rounds, in seconds.
func cost(p speed.Point) float64 {
	builds := 6.
	if p.Keys > 400_000 {
		builds = 1.5
	}
	return 0.15 + builds*float64(max(p.Keys, 20_000))*80e-9
}

// curvesCost is that of the machine's curves.
const curvesCost = 3.

// A progress adds up the expected costs of what was done.
type progress struct {
	show        func(now string, done, total float64)
	done, total float64
}

func (p *progress) advance(now string, by float64) {
	p.done += by
	if p.show != nil {
		p.show(now, p.done, p.total)
	}
}

// point is called once in a round.
func (p *progress) point(at speed.Point) {
	p.advance(fmt.Sprintf("%s %s, %d keys", at.Kind, at.Subject, at.Keys), cost(at)/rounds)
}
