package calibrate

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/internal/conversation"
	"github.com/sketchproof/sketchproof/record"
)

// A request asks a worker process for points, or for the machine's curves.
type request struct {
	Points []speed.Point
	Curves []int64 // footprints in bytes
	Rounds int
	Root   uint64
	Memory int64
}

// A reply is one of the messages that answer a request, the last with Done.
type reply struct {
	Now   *speed.Point          // at work next
	Group [][]speed.Measurement // the rows of the points that come next in the request
	Curve []record.Calibration
	Err   string // the harness failed
	Done  bool
}

// Serve is a worker process: it measures what it is asked for until in ends. If
// in ends meanwhile nobody waits for the answer, and it ends the process, as a
// subject may hang.
func Serve(in io.Reader, out io.Writer) error {
	asked := make(chan request)
	go func() {
		for d := gob.NewDecoder(in); ; {
			var r request
			if err := d.Decode(&r); err != nil {
				os.Exit(0)
			}
			asked <- r
		}
	}()
	replies := gob.NewEncoder(out)
	for r := range asked {
		err := r.serve(func(x reply) error { return replies.Encode(x) })
		last := reply{Done: true}
		if err != nil {
			last.Err = err.Error()
		}
		if err := replies.Encode(last); err != nil {
			return err
		}
	}
	return nil
}

func (r request) serve(send func(reply) error) error {
	for _, bytes := range r.Curves {
		if err := send(reply{Curve: speed.Curve(bytes, r.Rounds)}); err != nil {
			return err
		}
	}
	var lost error
	o := speed.Options{Rounds: r.Rounds, Root: r.Root, Memory: r.Memory, Now: func(p speed.Point) {
		if err := send(reply{Now: &p}); err != nil {
			lost = err
		}
	}}
	return speed.Measure(context.Background(), r.Points, o, func(rows [][]speed.Measurement) error {
		return errors.Join(lost, send(reply{Group: rows}))
	})
}

// A Gauge measures points in a worker process: a subject that hangs, or takes the
// process with it, costs its own rows. That is why it is a process: no recover
// catches a hang, a failed map or a machine without memory.
type Gauge struct {
	// Worker makes the command of a fresh worker, a program that calls Serve.
	Worker func() *exec.Cmd
	Rounds int
	Root   uint64 // every seed follows from it
	Memory int64  // bytes of structures that take their rounds together

	worker conversation.Worker[request, reply]
}

// patience is how long a worker may be silent while it works at a point, to the
// second, as a fault says it.
func patience(p *speed.Point) time.Duration {
	if p == nil {
		return time.Minute
	}
	return (time.Minute + time.Duration(p.Keys)*30*time.Microsecond).Round(time.Second)
}

// Measure measures points and hands over the rows of each, group by group in the
// order of the points. now is told what is at work. A point at which a worker
// died twice has one row that says so, and so have its subject's later points.
func (g *Gauge) Measure(ctx context.Context, points []speed.Point, now func(speed.Point), done func([]speed.Point, [][]speed.Measurement) error) error {
	deaths := map[string]int{}
	for len(points) > 0 {
		took, at, fault, err := g.attempt(ctx, points, now, done)
		points = points[took:]
		if err != nil {
			return err
		}
		if fault == "" {
			return nil
		}
		name := ""
		if at != nil {
			name = at.Kind + " " + at.Subject
		}
		if deaths[name]++; deaths[name] < 2 {
			continue
		}
		if at == nil {
			return errors.New("calibrate: " + fault)
		}
		var left, lost []speed.Point
		var rows [][]speed.Measurement
		for _, p := range points {
			if p.Kind+" "+p.Subject != name {
				left = append(left, p)
				continue
			}
			lost = append(lost, p)
			rows = append(rows, []speed.Measurement{speed.Fault(p, fault)})
		}
		points = left
		if err := done(lost, rows); err != nil {
			return err
		}
	}
	return nil
}

// attempt goes on until all points are measured or the worker dies: then it says
// of what, and at which point.
func (g *Gauge) attempt(ctx context.Context, points []speed.Point, now func(speed.Point), done func([]speed.Point, [][]speed.Measurement) error) (took int, at *speed.Point, fault string, err error) {
	if err := g.ask(ctx, request{Points: points, Rounds: g.Rounds, Root: g.Root, Memory: g.Memory}); err != nil {
		return 0, nil, "", err
	}
	for {
		r, err := g.worker.Next(ctx, patience(at))
		if died, ok := errors.AsType[*conversation.DeathError](err); ok {
			return took, at, died.Cause, nil
		}
		switch {
		case err != nil:
			return took, at, "", err
		case r.Err != "":
			return took, at, "", errors.New(r.Err)
		case r.Done:
			return took, nil, "", nil
		case r.Now != nil:
			at = r.Now
			now(*at)
		case r.Group != nil:
			if err := done(points[took:took+len(r.Group)], r.Group); err != nil {
				return took, nil, "", err
			}
			took += len(r.Group)
		}
	}
}

// Curves measures the machine's own curves at footprints.
func (g *Gauge) Curves(ctx context.Context, footprints []int64, now func(bytes int64)) (rows []record.Calibration, err error) {
	if err := g.ask(ctx, request{Curves: footprints, Rounds: g.Rounds}); err != nil {
		return nil, err
	}
	for {
		r, err := g.worker.Next(ctx, patience(nil))
		if r.Err != "" {
			err = errors.New(r.Err)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("calibrate: the machine's own curve: %w", err)
		case r.Done:
			return rows, nil
		}
		rows = append(rows, r.Curve...)
		now(r.Curve[0].Bytes)
	}
}

func (g *Gauge) ask(ctx context.Context, r request) error {
	g.worker.Command = g.Worker
	if err := g.worker.Ask(ctx, r); err != nil {
		return fmt.Errorf("calibrate: %w", err)
	}
	return nil
}

// Close ends the worker, if there is one.
func (g *Gauge) Close() { g.worker.Close() }
