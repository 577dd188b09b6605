package calibrate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sketchproof/sketchproof/record"
)

// sample is a calibration of this machine up to 1000 keys: the first points.
func sample(t *testing.T) record.Calibrated {
	t.Helper()
	here, err := Here(1000)
	if err != nil {
		t.Fatal(err)
	}
	c := record.Calibrated{Machine: here}
	for _, p := range grid(1000)[:3] {
		c.Rows = append(c.Rows, record.Calibration{
			Kind: p.Kind, Subject: p.Subject, Epsilon: p.Epsilon, Keys: p.Keys, Bytes: 7, Op: "miss", Rounds: 6, Seconds: 1e-9, Lo: 1e-9, Hi: 2e-9, Confidence: 0.97,
		})
	}
	return c
}

func TestCalibrationIsKept(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	if _, err := Load(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	want := sample(t)
	for range 2 { // the second replaces the first
		if err := save(folder, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := LoadCurrent(folder, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := LoadCurrent(folder, 1001); err == nil || !strings.Contains(err.Error(), "it goes up to 1000 keys, not 1001") {
		t.Errorf("more keys than were timed: %v", err)
	}
	other := want
	other.Machine.Go = "go0"
	if err := save(folder, other); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCurrent(folder, 1000); !errors.Is(err, ErrElsewhere) {
		t.Errorf("another compiler: %v", err)
	}
}

func TestBrokenCalibrationIsSaid(t *testing.T) {
	for what, spoil := range map[string]func(folder string) error{
		"calibration.csv: record": func(folder string) error {
			name := filepath.Join(folder, record.CalibrationName)
			data, err := os.ReadFile(name)
			return errors.Join(err, os.WriteFile(name, data[:len(data)-20], 0o644))
		},
		"is lost":     func(folder string) error { return os.Remove(filepath.Join(folder, record.CalibrationName)) },
		"has no rows": func(folder string) error { return save(folder, record.Calibrated{}) },
		"machine": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, record.MachineName), []byte("{"), 0o644)
		},
	} {
		folder := t.TempDir()
		if err := errors.Join(save(folder, sample(t)), spoil(folder)); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadCurrent(folder, 1000); err == nil || !strings.Contains(err.Error(), what) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v, want %q", err, what)
		}
	}
}

func TestResumeLeavesWhatIsMeasured(t *testing.T) {
	folder := t.TempDir()
	c := sample(t)
	if err := save(folder, c); err != nil {
		t.Fatal(err)
	}
	got, left, err := resume(folder, c.Machine)
	if err != nil || len(got.Rows) != 3 || len(left) != len(grid(1000))-3 {
		t.Errorf("%d rows, %d of %d points left, %v", len(got.Rows), len(left), len(grid(1000)), err)
	}
	larger := c.Machine
	larger.MaxKeys = 2000
	got, left, err = resume(folder, larger)
	if err != nil || len(got.Rows) != 0 || len(left) != len(grid(2000)) {
		t.Errorf("of another size: %d rows, %d of %d points left, %v", len(got.Rows), len(left), len(grid(2000)), err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what cannot be used is still there: %v", err)
	}
}

// No two points are the same place, and small ones come first.
func TestGrid(t *testing.T) {
	for _, most := range []int{LeastKeys, 50_000, MaxKeys, 100_000_000} {
		seen := map[string]bool{}
		largest := 0
		for _, p := range grid(most) {
			name := strings.Join([]string{p.Kind, p.Subject, record.Float(p.Epsilon), record.Float(float64(p.Keys))}, "/")
			if seen[name] || p.Keys > most {
				t.Errorf("up to %d: %+v", most, p)
			}
			seen[name] = true
			if p.Kind == "filter" {
				largest = max(largest, p.Keys)
			}
		}
		if largest != most {
			t.Errorf("up to %d: the largest is %d", most, largest)
		}
	}
}

// TestTimedRates counts the sizes of one subject's points in the grid.
func TestTimedRates(t *testing.T) {
	for _, most := range []int{LeastKeys, 100_000, MaxKeys} {
		sizes := map[float64]int{}
		for _, p := range grid(most) {
			if p.Kind == "filter" && p.Subject == "bloom" && p.KeyBytes == usualKeys {
				sizes[p.Epsilon]++
			}
		}
		for _, timed := range TimedRates(most) {
			if sizes[timed.Rate] != timed.Sizes {
				t.Errorf("up to %d keys, rate %v: %d sizes in the grid, said are %d", most, timed.Rate, sizes[timed.Rate], timed.Sizes)
			}
		}
	}
}

func TestRunRefusesTooFewKeys(t *testing.T) {
	if _, err := Run(t.Context(), Options{Folder: t.TempDir(), MaxKeys: 10}); err == nil || !strings.Contains(err.Error(), "at least 1000") {
		t.Errorf("%v", err)
	}
}
