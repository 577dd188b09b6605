package choose

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/sketchproof/sketchproof/record"
)

func TestClockInterpolates(t *testing.T) {
	long := row("s", "miss-bytes", 0.01, 1024, 50)
	long.KeyBytes = 100
	short := row("s", "miss-bytes", 0.01, 1024, 10)
	short.KeyBytes = 20
	c := NewClock(record.Calibrated{Rows: []record.Calibration{
		row("s", "miss", 1./4, 1<<10, 10), row("s", "miss", 1./4, 1<<20, 40),
		row("s", "miss", 1./64, 1<<10, 20), row("s", "miss", 1./64, 1<<20, 80),
		long, short,
		{Kind: record.KindMachine, Op: record.OpLatency, Bytes: 1 << 10, Seconds: 1e-9},
		{Kind: record.KindMachine, Op: record.OpLatency, Bytes: 1 << 20, Seconds: 11e-9},
		{Kind: record.KindMachine, Op: record.OpLatency, Bytes: 1 << 22, Seconds: 21e-9},
		{Kind: KindFilter, Subject: "s", Op: "hit", Err: "no time"},
	}})
	for name, x := range map[string]struct {
		eps      float64
		bytes    int64
		keyBytes int
		op       string
		want     float64 // ns
	}{
		"measured":         {1. / 4, 1 << 10, 0, "miss", 10},
		"between sizes":    {1. / 4, 1 << 15, 0, "miss", 20}, // half way in logarithms: √(10·40)
		"between rates":    {1. / 16, 1 << 10, 0, "miss", 15},
		"below the rates":  {1e-9, 1 << 10, 0, "miss", 20},
		"below the sizes":  {1. / 4, 1, 0, "miss", 10},
		"between lengths":  {0.01, 1 << 10, 60, "miss-bytes", 30},
		"beyond the sizes": {1. / 4, 1 << 22, 0, "miss", 40 + 3*10}, // it waited for 30/10 = 3 lines; each takes 10 ns more
	} {
		got, ok := c.Time(KindFilter, "s", x.eps, x.bytes, x.keyBytes, "nothing", x.op)
		if !ok || math.Abs(got.Seconds*1e9-x.want) > 1e-6 {
			t.Errorf("%s: %v ns, %v; want %v", name, got.Seconds*1e9, ok, x.want)
		}
		if got.Beyond != (name == "beyond the sizes") || got.Lo > got.Seconds || got.Hi < got.Seconds {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if _, ok := c.Time(KindFilter, "s", 0.01, 1, 0, "hit"); ok {
		t.Error("a row without a time has one")
	}
}

func TestATimeReadOnceHasAnInterval(t *testing.T) {
	r := row("s", "build", 0.01, 1024, 50)
	r.Lo, r.Hi = math.Inf(-1), math.Inf(1)
	got, ok := NewClock(record.Calibrated{Rows: []record.Calibration{r}}).Time(KindFilter, "s", 0.01, 1024, 0, "build")
	if want := (Estimate{Seconds: r.Seconds, Lo: r.Seconds / 2, Hi: r.Seconds * 2}); !ok || got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAMixtureCostsMoreThanItsParts(t *testing.T) {
	ns := func(x float64) Estimate { return Estimate{Seconds: x, Lo: x, Hi: x} }
	for present, want := range map[float64]float64{0: 4, 1: 8, 0.5: 10, 0.25: 5 + 4*0.75} { // at one half 4 more than 6; at a quarter 3/4 of that
		if got := mixture(ns(8), ns(4), ns(10), present); math.Abs(got.Seconds-want) > 1e-12 {
			t.Errorf("%v present: %v, want %v", present, got.Seconds, want)
		}
	}
	if got := mixture(ns(8), ns(4), unknown, 0.5); got.Seconds != 6 {
		t.Errorf("without a measured mixture: %v", got.Seconds)
	}
}

func TestAnUnknownTimeIsNull(t *testing.T) {
	data, err := json.Marshal(Estimate{Seconds: math.NaN(), Lo: math.Inf(-1), Hi: 1})
	if err != nil || string(data) != `{"seconds":null,"lo":null,"hi":1}` {
		t.Errorf("%s, %v", data, err)
	}
}
