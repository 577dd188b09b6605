package calibrate

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/sketchproof/sketchproof/experiments/speed"
)

// The test program is a worker too: a real one, or one that misbehaves at the
// points of some subjects.
func TestMain(m *testing.M) {
	switch os.Getenv("CALIBRATE_WORKER") {
	case "real":
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case "mad":
		mad()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func workerOf(kind string) func() *exec.Cmd {
	return func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "CALIBRATE_WORKER="+kind)
		return cmd
	}
}

// mad answers for every point at once, but dies at those of a subject that is
// "deadly", and is silent for ever at "silent".
func mad() {
	in, out := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
	var r request
	for in.Decode(&r) == nil {
		for _, p := range r.Points {
			_ = out.Encode(reply{Now: &p})
			switch p.Subject {
			case "deadly":
				os.Exit(3)
			case "silent":
				time.Sleep(time.Hour)
			}
			_ = out.Encode(reply{Group: [][]speed.Measurement{{speed.Fault(p, "fine")}}})
		}
		_ = out.Encode(reply{Done: true})
		r = request{}
	}
}

func pointsOf(subjects ...string) (points []speed.Point) {
	for i, s := range subjects {
		points = append(points, speed.Point{Kind: "filter", Subject: s, Keys: i + 1})
	}
	return points
}

// A subject that kills its worker costs its own rows: the others are measured, each
// once.
func TestDeathCostsItsOwnRows(t *testing.T) {
	g := Gauge{Worker: workerOf("mad"), Rounds: 1}
	defer g.Close()
	got := map[int]string{}
	err := g.Measure(t.Context(), pointsOf("a", "deadly", "b", "deadly", "c"), func(speed.Point) {}, func(points []speed.Point, rows [][]speed.Measurement) error {
		for i, p := range points {
			if _, twice := got[p.Keys]; twice || len(rows[i]) != 1 || rows[i][0].Keys != p.Keys {
				t.Errorf("rows %+v for %+v", rows[i], p)
			}
			got[p.Keys] = rows[i][0].Err
		}
		return nil
	})
	died := "the worker died: exit status 3"
	want := map[int]string{1: "fine", 2: died, 3: "fine", 4: died, 5: "fine"}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestPatience(t *testing.T) {
	if a, b := patience(nil), patience(&speed.Point{Keys: 10_000_001}); a != time.Minute || b != 6*time.Minute {
		t.Errorf("%v and %v for 10^7 keys and one, want 1m and 6m", a, b)
	}
}

func TestMeasureIsInterrupted(t *testing.T) {
	g := Gauge{Worker: workerOf("mad"), Rounds: 1}
	defer g.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err := g.Measure(ctx, pointsOf("silent"), func(speed.Point) { cancel() }, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A real worker measures what Measure measures, and the memory.
func TestWorkerMeasures(t *testing.T) {
	g := Gauge{Worker: workerOf("real"), Rounds: 2, Memory: 1 << 20}
	defer g.Close()
	points := []speed.Point{
		{Kind: "filter", Subject: "splitblock", Epsilon: 0.01, Keys: 1000, Present: 0.5, Ops: []string{"add", "miss"}},
		{Kind: "filter", Subject: "nobody", Keys: 1},
	}
	var ops, faults []string
	now := 0
	err := g.Measure(t.Context(), points, func(speed.Point) { now++ }, func(_ []speed.Point, rows [][]speed.Measurement) error {
		for _, m := range slices.Concat(rows...) {
			if m.Err != "" {
				faults = append(faults, m.Err)
				continue
			}
			ops = append(ops, m.Op)
			if m.Rounds != 2 || !(m.Seconds > 0) {
				t.Errorf("%+v", m)
			}
		}
		return nil
	})
	if err != nil || !slices.Equal(ops, []string{"add", "miss"}) || len(faults) != 1 || now != 3 {
		t.Errorf("%q, faults %q, %d turns, %v", ops, faults, now, err)
	}
	rows, err := g.Curves(t.Context(), []int64{1 << 14, 1 << 15}, func(int64) {})
	if err != nil || len(rows) != 4 || rows[3].Bytes != 1<<15 {
		t.Errorf("%+v, %v", rows, err)
	}
}
