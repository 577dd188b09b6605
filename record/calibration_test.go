package record

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestCalibrationsRoundTrip(t *testing.T) {
	rows := []Calibration{
		{
			Kind: "filter", Subject: "x", Module: "example.com/x@v1.2.3", Epsilon: 0.01, Keys: 1000, Bytes: 1 << 40,
			Op: "miss-bytes", KeyBytes: 16, Rounds: 7, Seconds: 3e-9, Lo: 2e-9, Hi: 4e-9, Confidence: 0.98,
		},
		{Kind: KindMachine, Bytes: 1 << 20, Op: OpLatency, Rounds: 7, Seconds: 1e-8, Lo: 9e-9, Hi: 2e-8, Confidence: 0.98},
		{Kind: "filter", Subject: "y", Op: "add", Seconds: math.NaN(), Lo: math.Inf(-1), Hi: math.Inf(1), Confidence: math.NaN(), Err: "no room, \"quoted\""},
	}
	var b bytes.Buffer
	if err := WriteCalibrations(&b, rows); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCalibrations(&b)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(rows, got, cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
}

func TestReadCalibrationsNamesTheLine(t *testing.T) {
	good := strings.Join(CalibrationHeader, ",") + "\nfilter,x,,0.01,10,20,add,0,6,1e-9,1e-9,1e-9,0.9,\n"
	if _, err := ReadCalibrations(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":            "EOF",
		"kind,keys\n": "header",
		good + "filter,x,,0.01,ten,20,add,0,6,1e-9,1e-9,1e-9,0.9,\n": "line 3",
		good + "filter,x,,0.01,10,20,add,0,6,fast,1e-9,1e-9,0.9,\n":  "line 3",
	} {
		if _, err := ReadCalibrations(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestSameMachine(t *testing.T) {
	m := Machine{Taken: "2026-01-01", CPU: "c", L2: 1, OS: "linux", Arch: "amd64/v1", Go: "go1.26", Modules: map[string]string{"a": "v1"}, MaxKeys: 10}
	got, err := ReadMachine(m.Encode())
	if err != nil || !cmp.Equal(got, m) || !m.SameAs(got) {
		t.Errorf("%+v, %v", got, err)
	}
	later := got
	later.Taken, later.MaxKeys = "2026-02-02", 100
	if !m.SameAs(later) {
		t.Error("another day and larger sizes are the same machine")
	}
	for name, change := range map[string]func(*Machine){
		"CPU": func(m *Machine) { m.CPU = "d" }, "cache": func(m *Machine) { m.L2 = 2 }, "Go": func(m *Machine) { m.Go = "go1.27" },
		"library": func(m *Machine) { m.Modules = map[string]string{"a": "v2"} },
	} {
		other := m
		change(&other)
		if m.SameAs(other) {
			t.Errorf("another %s passes for the same machine", name)
		}
	}
	if _, err := ReadMachine([]byte(`{"cpus": 1}`)); err == nil {
		t.Error("an unknown field was accepted")
	}
}
