package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/plots"
	"github.com/sketchproof/sketchproof/record"
)

// The files of cuckoo against Bloom. The machine is the one whose times they rest on.
const (
	duelRowsName    = "phase-cuckoo.csv"
	duelFigureName  = "phase-cuckoo.png"
	duelMachineName = "phase-cuckoo.json"
)

// What is held equal between the two filters of a duel.
const (
	equalRate = "rate"     // both are asked for it
	equalBits = "bits/key" // the second has the memory of the first, at the rate that it then has
)

const (
	plainCuckoo     = "cuckoo"
	sortedCuckoo    = "cuckoo-semisorted"
	plainBloom      = "bloom"
	splitBlockBloom = "splitblock"
	countingBloom   = "counting-4"
	undecidedDuel   = "undecided"
)

// A pairing is a cuckoo filter, what it is compared with, and on which terms.
type pairing struct{ cuckoo, against, equal string }

var pairings = []pairing{
	{plainCuckoo, plainBloom, equalRate},
	{plainCuckoo, splitBlockBloom, equalRate},
	{sortedCuckoo, plainBloom, equalRate},
	{sortedCuckoo, splitBlockBloom, equalRate},
	{plainCuckoo, plainBloom, equalBits},
	{plainCuckoo, countingBloom, equalRate}, // a Bloom filter that deletes
}

// duelShares are the shares of look-ups whose key is there.
var duelShares = []float64{0, 0.5, 1}

// A duel is which of two filters answers sooner in one workload.
type duel struct {
	pairing
	present float64
	keys    int
	rate    float64 // that the cuckoo filter was asked for
	one     contender
	other   contender
}

// A contender is a filter with what its law says of its rate, and the time of its
// look-ups, hits and misses in the shares of the workload.
type contender struct {
	rate, bits float64 // bits per key
	time       choose.Estimate
}

// factor is how many times as long the other takes. Where the intervals of the two
// times have a point in common, its interval has 1.
func (d duel) factor() choose.Estimate {
	a, b := d.one.time, d.other.time
	return choose.Estimate{Seconds: b.Seconds / a.Seconds, Lo: b.Lo / a.Hi, Hi: b.Hi / a.Lo}
}

// faster is the subject whose interval lies below the other's.
func (d duel) faster() string {
	switch f := d.factor(); {
	case f.Lo > 1:
		return d.cuckoo
	case f.Hi < 1:
		return d.against
	}
	return undecidedDuel
}

// duelKeys are two numbers of keys for every power of ten.
func duelKeys(most int) (list []int) {
	for i := 0; ; i++ {
		n := int(math.Round(leastPhase * math.Pow(10, float64(i)/2)))
		if n > most {
			return list
		}
		list = append(list, n)
	}
}

// duelRates are two for every power of ten, rising.
func duelRates() (list []float64) {
	for i := range 7 {
		list = append(list, math.Pow(10, -4+float64(i)/2))
	}
	return list
}

// A ring builds the filters of duels, each once, and reads their times off a clock.
type ring struct {
	market *choose.Market
	sample []uint64
	built  map[built]choose.Candidate
}

// A built is a filter of a subject for so many keys, asked for a rate.
type built struct {
	subject string
	keys    int
	asked   float64
}

// duels are in the order of pairings, shares, keys and rates.
func duels(ctx context.Context, market *choose.Market) ([]duel, error) {
	r := ring{market, numbered(tried), map[built]choose.Candidate{}}
	var all []duel
	for _, p := range pairings {
		for _, present := range duelShares {
			for _, n := range duelKeys(market.Clock.Machine.MaxKeys) {
				for _, rate := range duelRates() {
					d, err := r.duel(duel{pairing: p, present: present, keys: n, rate: rate})
					if err = errors.Join(err, ctx.Err()); err != nil {
						return nil, err
					}
					all = append(all, d)
				}
			}
		}
	}
	return all, nil
}

// duel fills in the two contenders.
func (r ring) duel(d duel) (duel, error) {
	var err error
	if d.one, err = r.contender(built{d.cuckoo, d.keys, d.rate}, d.present); err != nil {
		return d, err
	}
	asked := d.rate
	if d.equal == equalBits {
		asked = rateOfBloom(d.one.bits)
	}
	d.other, err = r.contender(built{d.against, d.keys, asked}, d.present)
	return d, err
}

// rateOfBloom is the rate of a Bloom filter that has so many bits per key: bloom.BitsPerKey the
// other way round.
func rateOfBloom(bits float64) float64 { return math.Exp(-bits * math.Ln2 * math.Ln2) }

func (r ring) contender(b built, present float64) (contender, error) {
	c, ok := r.built[b]
	if !ok {
		base, shift := halved(b.keys, tried)
		s := adapters.Filters[slices.IndexFunc(adapters.Filters, func(s adapters.Filter) bool { return s.Name == b.subject })]
		powers, err := filterPowers(s)
		if err != nil {
			return contender{}, err
		}
		if c, err = filterCandidate(s, r.sample[:base], b.asked); err != nil {
			return contender{}, fmt.Errorf("%s of %d keys at a rate of %v: %w", b.subject, base, b.asked, err)
		}
		c.Powers = powers
		c.Keys, c.Bytes = b.keys, c.Bytes<<shift
		r.built[b] = c
	}
	// What is limited is the memory, to what the filter has: no other is asked.
	r.market.Candidates = []choose.Candidate{c}
	a, err := r.market.Rank(choose.Workload{Kind: choose.KindFilter, Keys: c.Keys, Memory: c.Bytes, Present: present, By: choose.ByTime})
	if err != nil {
		return contender{}, fmt.Errorf("%s of %d keys: %w", b.subject, b.keys, err)
	}
	if !a.Offers[0].Timed {
		return contender{}, fmt.Errorf("%s was not timed on this machine", b.subject)
	}
	return contender{rate: c.Rate, bits: 8 * float64(c.Bytes) / float64(c.Keys), time: a.Offers[0].LookUp}, nil
}

var duelHeader = []string{
	"cuckoo", "against", "equal", "present", "keys", "eps", "rate", "bits/key", "seconds", "lo", "hi",
	"against_rate", "against_bits/key", "against_seconds", "against_lo", "against_hi", "factor", "factor_lo", "factor_hi", "faster",
}

// strings is the CSV line.
func (d duel) strings() []string {
	line := []string{d.cuckoo, d.against, d.equal, record.Float(d.present), strconv.Itoa(d.keys), record.Float(d.rate)}
	for _, c := range []contender{d.one, d.other} {
		for _, x := range []float64{c.rate, c.bits, c.time.Seconds, c.time.Lo, c.time.Hi} {
			line = append(line, record.Float(x))
		}
	}
	f := d.factor()
	return append(line, record.Float(f.Seconds), record.Float(f.Lo), record.Float(f.Hi), d.faster())
}

func writeDuels(w io.Writer, dir string, m record.Machine, all []duel) error {
	raw := make([][]string, len(all))
	for i, d := range all {
		raw[i] = d.strings()
	}
	rows, figure := filepath.Join(dir, duelRowsName), filepath.Join(dir, duelFigureName)
	if err := writeDiagram(rows, duelHeader, raw, figure, duelFigure(m, all)); err != nil {
		return err
	}
	err := record.WriteFile(filepath.Join(dir, duelMachineName), func(w io.Writer) error { _, err := w.Write(m.Encode()); return err })
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%d duels of a cuckoo and a Bloom filter: %s, %s\n", len(all), rows, figure)
	return err
}

// duelFigure draws the first two pairings, a row of panels each and a panel for
// each share.
func duelFigure(m record.Machine, all []duel) plots.Phase {
	p := plots.Phase{
		Title: "Where a cuckoo filter answers sooner than a Bloom filter",
		X:     plots.Axis{Title: "keys", Log: true},
		Y:     plots.Axis{Title: "false positives per absent key that both were asked for", Log: true, Percent: true},
		Empty: "undecided",
		Note: fmt.Sprintf("The number in a cell is how many times as long the slower one takes for a look-up. Undecided: the intervals of the two times have a "+
			"point in common. Times are of the calibration of %s, %s; look-ups are of numbers, one at a time.", m.CPU, m.Taken),
	}
	rates := duelRates()
	for size := len(all) / len(pairings) / len(duelShares); len(p.Panels) < 2*len(duelShares); all = all[size:] {
		panel := plots.PhasePanel{
			Title: fmt.Sprintf("against %s, %.0f %% of keys there", all[0].against, 100*all[0].present),
			Y:     rates, Cells: make([][]plots.PhaseCell, len(rates)),
		}
		for i, d := range all[:size] {
			if i%len(rates) == 0 {
				panel.X = append(panel.X, float64(d.keys))
			}
			panel.Cells[i%len(rates)] = append(panel.Cells[i%len(rates)], d.cell())
		}
		p.Panels = append(p.Panels, panel)
	}
	return p
}

func (d duel) cell() plots.PhaseCell {
	f, winner := d.factor().Seconds, d.faster()
	if winner == undecidedDuel {
		return plots.PhaseCell{}
	}
	f = math.Max(f, 1/f)
	return plots.PhaseCell{Winner: winner, Margin: f - 1, Text: strconv.FormatFloat(f, 'f', 1, 64)}
}
