package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/record"
)

// timedAs is a market whose calibration goes up to 1000 keys: a look-up takes so many
// nanoseconds, give or take one, of keys that are there, of others, and of both by turns.
func timedAs(seconds map[string][3]float64) *choose.Market {
	c := record.Calibrated{Machine: record.Machine{CPU: "c", Cores: 1, MaxKeys: 1000, L1D: 1500, L2: 10_000}}
	for subject, times := range seconds {
		for i, op := range []string{"hit", "miss", "mixed"} {
			c.Rows = append(c.Rows, record.Calibration{
				Kind: choose.KindFilter, Subject: subject, Epsilon: 1. / 32, Keys: 768, Bytes: 800, Op: op, Rounds: 6,
				Seconds: times[i] * 1e-9, Lo: (times[i] - 1) * 1e-9, Hi: (times[i] + 1) * 1e-9,
			})
		}
	}
	return &choose.Market{Clock: choose.NewClock(c), Evidence: choose.NewEvidence(nil)}
}

// contest has a cuckoo filter that is sooner than Bloom for keys that are there and
// later for others.
func contest() map[string][3]float64 {
	return map[string][3]float64{
		plainCuckoo: {10, 10, 10}, plainBloom: {20, 3, 11.5}, splitBlockBloom: {3, 3, 3}, sortedCuckoo: {40, 40, 40}, countingBloom: {30, 30, 60},
	}
}

func TestDuels(t *testing.T) {
	all, err := duels(context.Background(), timedAs(contest()))
	if err != nil {
		t.Fatal(err)
	}
	rates := duelRates()
	if want := len(pairings) * len(duelShares) * len(rates); len(all) != want {
		t.Fatalf("%d duels, want %d", len(all), want)
	}
	for i, p := range pairings {
		for j, present := range duelShares {
			for k, rate := range rates {
				d := all[(i*len(duelShares)+j)*len(rates)+k]
				if d.pairing != p || d.present != present || d.keys != 1000 || d.rate != rate {
					t.Fatalf("%+v stands where %v, %v present, rate %v should", d, p, present, rate)
				}
				if d.one.rate > rate || p.equal == equalRate && (d.other.rate > 1.01*rate || d.other.rate < rate/2) {
					t.Errorf("%v at %v: rates of %v and %v", p, rate, d.one.rate, d.other.rate)
				}
				if off := d.other.bits/d.one.bits - 1; p.equal == equalBits && math.Abs(off) > 0.01 {
					t.Errorf("%v bits per key beside %v are not equal", d.other.bits, d.one.bits)
				}
			}
		}
	}
	at := func(pair, share int) duel { return all[(pair*len(duelShares)+share)*len(rates)] }
	for _, c := range []struct {
		pair, share    int
		faster         string
		factor, lo, hi float64
	}{
		{0, 0, plainBloom, 0.3, 2. / 11, 4. / 9},
		{0, 1, undecidedDuel, 1.15, 10.5 / 11, 12.5 / 9},
		{0, 2, plainCuckoo, 2, 19. / 11, 21. / 9},
		{1, 1, splitBlockBloom, 0.3, 2. / 11, 4. / 9},
		{5, 1, plainCuckoo, 6, 59. / 11, 61. / 9},
	} {
		d := at(c.pair, c.share)
		f := d.factor()
		for i, x := range []float64{f.Seconds / c.factor, f.Lo / c.lo, f.Hi / c.hi} {
			if math.Abs(x-1) > 1e-9 {
				t.Errorf("%v, %v present: factor %+v, number %d is off", d.pairing, d.present, f, i)
			}
		}
		if d.faster() != c.faster {
			t.Errorf("%v, %v present: %s is faster, want %s", d.pairing, d.present, d.faster(), c.faster)
		}
	}
}

func TestDuelsWantTimes(t *testing.T) {
	c := contest()
	delete(c, splitBlockBloom)
	if _, err := duels(context.Background(), timedAs(c)); err == nil || !strings.Contains(err.Error(), splitBlockBloom) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := duels(ctx, timedAs(contest())); err == nil {
		t.Error("it goes on after it was stopped")
	}
}

func TestDuelGrid(t *testing.T) {
	keys := duelKeys(10_000_000)
	if len(keys) != 9 || keys[0] != 1000 || keys[1] != 3162 || keys[8] != 10_000_000 {
		t.Errorf("%v", keys)
	}
	rates := duelRates()
	if len(rates) != 7 || math.Abs(rates[0]/1e-4-1) > 1e-9 || math.Abs(rates[6]/0.1-1) > 1e-9 || !slices.IsSorted(rates) {
		t.Errorf("%v", rates)
	}
}

func TestDuelsAreWrittenAndRead(t *testing.T) {
	market := timedAs(contest())
	all, err := duels(context.Background(), market)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/"+speedFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if err := writeDuels(&said, dir+"/"+speedFolder, market.Clock.Machine, all); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(said.String(), duelRowsName) || !strings.Contains(said.String(), duelFigureName) {
		t.Error(said.String())
	}
	if _, err := duelTable(os.DirFS(dir)); err != nil {
		t.Errorf("no table of what was written: %v", err)
	}
	back, err := readDuels(os.DirFS(dir))
	if err != nil || len(back) != len(all) {
		t.Fatalf("%d of %d, %v", len(back), len(all), err)
	}
	for i := range all {
		if !slices.Equal(back[i].strings(), all[i].strings()) {
			t.Fatalf("%v was read as %v", all[i].strings(), back[i].strings())
		}
	}
	p := duelFigure(market.Clock.Machine, all)
	if len(p.Panels) != 6 || len(p.Panels[0].Cells) != 7 || len(p.Panels[0].Cells[0]) != 1 || !strings.Contains(p.Note, "calibration of c") {
		t.Fatalf("%d panels; %s", len(p.Panels), p.Note)
	}
	if c := p.Panels[0].Cells[0][0]; c.Winner != plainBloom || c.Text != "3.3" || math.Abs(c.Margin-7./3) > 1e-9 {
		t.Errorf("%+v", c)
	}
	if c := p.Panels[1].Cells[3][0]; c.Winner != "" || c.Text != "" {
		t.Errorf("%+v is undecided", c)
	}
	if c := p.Panels[5].Cells[6][0]; c.Winner != splitBlockBloom || c.Text != "3.3" {
		t.Errorf("%+v", c)
	}
}
