package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/perf/benchmath"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
)

// dataRounds is how often each finalist is built of the user's keys, with another
// seed each time: six are the least that have a 95 % interval.
const dataRounds = 6

// ownData are the user's keys and look-ups, nil without.
type ownData struct {
	keys    [][]byte // distinct
	lookups [][]byte // in their order, as often as they occur; nil if only keys were given
	present []bool   // of each look-up
}

// ownData reads the files that were given.
func (f *chooseFlags) ownData() (*ownData, error) {
	if f.keysFile == "" {
		switch {
		case f.lookups != "":
			return nil, usagef("--lookups-file needs --keys-file: the keys that are held")
		case f.column != "" || f.lookupsCol != "":
			return nil, usagef("--column and --lookups-column are of --keys-file and --lookups-file")
		}
		return nil, nil
	}
	if f.lookupsCol != "" && f.lookups == "" {
		return nil, usagef("--lookups-column is of --lookups-file")
	}
	if f.finalists < 1 {
		return nil, usagef("--finalists %d; at least one", f.finalists)
	}
	keys, err := readKeys(f.keysFile, f.column)
	if err != nil {
		return nil, usagef("%w", err)
	}
	d := &ownData{}
	held := make(map[string]bool, len(keys))
	for _, k := range keys {
		if !held[string(k)] {
			held[string(k)] = true
			d.keys = append(d.keys, k)
		}
	}
	if f.lookups == "" {
		return d, nil
	}
	column := f.lookupsCol
	if column == "" {
		column = f.column
	}
	if d.lookups, err = readKeys(f.lookups, column); err != nil {
		return nil, usagef("%w", err)
	}
	for _, k := range d.lookups {
		d.present = append(d.present, held[string(k)])
	}
	return d, nil
}

// shape takes from the data what no flag says: how many keys, how long, and how
// many look-ups find theirs.
func (d *ownData) shape(cmd *cobra.Command, w choose.Workload) choose.Workload {
	if d == nil {
		return w
	}
	given := cmd.Flags().Changed
	if !given("keys") {
		w.Keys = len(d.keys)
	}
	if !given("key-bytes") {
		total := 0
		for _, k := range d.keys {
			total += len(k)
		}
		w.KeyBytes = max((total+len(d.keys)/2)/len(d.keys), 1)
	}
	if d.lookups != nil && !given("present") {
		hits := 0
		for _, p := range d.present {
			if p {
				hits++
			}
		}
		w.Present = float64(hits) / float64(len(d.lookups))
	}
	return w
}

// A measured is what a finalist did with the user's own keys and look-ups: medians
// over freshly built filters, with their intervals.
type measured struct {
	Subject string          `json:"subject"`
	Rate    choose.Estimate `json:"rate"` // found, of look-ups of absent keys; not seconds; null where none was absent
	Bytes   int             `json:"bytes"`
	LookUp  choose.Estimate `json:"look-up"`
	Build   choose.Estimate `json:"build"` // the whole filter
	Lost    int             `json:"lost"`  // look-ups of present keys that were not found, over all rounds
	Lookups int             `json:"look-ups"`
	Rounds  int             `json:"rounds"`
	Err     string          `json:"err,omitempty"`
	rates   []float64
	lookup  []float64
	build   []float64
}

// measure builds the first offers of the user's keys, all in turn in every round,
// and looks up what the user looks up.
func (d *ownData) measure(ctx context.Context, a choose.Answer, finalists int) ([]measured, error) {
	if d == nil {
		return nil, nil
	}
	d.inventLookups(a.Workload.Present)
	offers := a.Offers[:min(finalists, len(a.Offers))]
	all := make([]measured, len(offers))
	for round := range dataRounds {
		for i, o := range offers {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if all[i].Subject = o.Subject; all[i].Err != "" {
				continue
			}
			if err := d.round(o, uint64(round+1), &all[i]); err != nil {
				all[i].Err = err.Error()
			}
		}
	}
	for i := range all {
		m := &all[i]
		if m.Err == "" {
			m.Rate, m.LookUp, m.Build = median(m.rates), median(m.lookup), median(m.build)
			m.Rounds, m.Lookups = dataRounds, len(d.lookups)
		}
	}
	return all, nil
}

// inventLookups makes look-ups of the keys where there are none: held ones by
// the share that is present, the others with something appended that no key has.
func (d *ownData) inventLookups(present float64) {
	if d.lookups != nil {
		return
	}
	held := make(map[string]bool, len(d.keys))
	for _, k := range d.keys {
		held[string(k)] = true
	}
	due := 0.0
	for i := range min(max(len(d.keys), 200_000), 1_000_000) {
		k := d.keys[i%len(d.keys)]
		due += present
		if due >= 1 {
			due--
		} else {
			k = slices.Concat(k, []byte("~"+strconv.Itoa(i)))
		}
		d.lookups, d.present = append(d.lookups, k), append(d.present, held[string(k)])
	}
}

// round builds one filter and times all look-ups.
func (d *ownData) round(o choose.Offer, seed uint64, m *measured) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	i := slices.IndexFunc(adapters.Filters, func(s adapters.Filter) bool { return s.Name == o.Subject })
	f, seconds, err := d.build(adapters.Filters[i], o.Asked, seed)
	if err != nil {
		return err
	}
	b, ok := f.(sketchproof.BytesFilter)
	if !ok {
		return errors.New("takes no byte strings")
	}
	found := make([]bool, len(d.lookups))
	start := time.Now()
	for i, k := range d.lookups {
		found[i] = b.ContainsBytes(k)
	}
	took := time.Since(start).Seconds() / float64(len(d.lookups))
	absent, wrong := 0, 0
	for i, p := range d.present {
		switch {
		case p && !found[i]:
			m.Lost++
		case !p:
			absent++
			if found[i] {
				wrong++
			}
		}
	}
	if absent > 0 {
		m.rates = append(m.rates, float64(wrong)/float64(absent))
	}
	m.lookup, m.build, m.Bytes = append(m.lookup, took), append(m.build, seconds), f.SizeBytes()
	return nil
}

// build makes a filter of the keys, whether it takes them now or later.
func (d *ownData) build(s adapters.Filter, eps float64, seed uint64) (sketchproof.Filter, float64, error) {
	spec := sketchproof.FilterSpec{Capacity: len(d.keys), Epsilon: eps, Seed: seed}
	start := time.Now()
	f, err := s.Build(spec)
	adder, ok := f.(sketchproof.BytesAdder)
	if err != nil || !ok {
		spec.ByteKeys = d.keys
		start = time.Now()
		f, err = s.Build(spec)
		return f, time.Since(start).Seconds(), err
	}
	for i, k := range d.keys {
		if err := adder.AddBytes(k); err != nil {
			return nil, 0, fmt.Errorf("key %d of %d: %w", i+1, len(d.keys), err)
		}
	}
	return f, time.Since(start).Seconds(), nil
}

// median is the median of a few rounds with its order-statistic interval, not known
// without a round.
func median(values []float64) choose.Estimate {
	if len(values) == 0 {
		return choose.Estimate{Seconds: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), 0.95)
	return choose.Estimate{Seconds: s.Center, Lo: s.Lo, Hi: s.Hi}
}

// rate is what was found of what was absent, in words.
func (m measured) rate() string {
	if math.IsNaN(m.Rate.Seconds) {
		return "rate unknown (every look-up was of a key that is held)"
	}
	return fmt.Sprintf("rate %s (%s to %s)", choose.Share(m.Rate.Seconds), choose.Share(m.Rate.Lo), choose.Share(m.Rate.Hi))
}

// writeMeasured tells what the finalists did.
func writeMeasured(b *strings.Builder, r reply) {
	if len(r.Measured) == 0 {
		return
	}
	lookups := 0
	for _, m := range r.Measured {
		lookups = max(lookups, m.Lookups)
	}
	fmt.Fprintf(b, "On your own keys, medians of %d filters over %s look-ups, with 95 %% intervals:\n", dataRounds, choose.Count(lookups))
	for _, m := range r.Measured {
		if m.Err != "" {
			fmt.Fprintf(b, "  %-18s failed: %s\n", m.Subject, m.Err)
			continue
		}
		fmt.Fprintf(b, "  %-18s %s, %s, look-up %s (%s), built in %s (%s)",
			m.Subject, m.rate(), choose.Bytes(int64(m.Bytes)),
			choose.Seconds(m.LookUp.Seconds), interval(m.LookUp), choose.Seconds(m.Build.Seconds), interval(m.Build))
		if m.Lost > 0 {
			fmt.Fprintf(b, "; LOST %d of your keys", m.Lost)
		}
		b.WriteString("\n")
	}
}
