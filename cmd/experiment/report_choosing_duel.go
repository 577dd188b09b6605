package main

import (
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/experiments/calibrate"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/report"
)

// duelTable answers the claim cuckoo/wall-clock: where a cuckoo filter is sooner
// than a Bloom filter. A row is a pairing at one rate and a share of keys that are
// there, a column a level of the memory.
func duelTable(folder fs.FS) (report.Table, error) {
	all, err := readDuels(folder)
	if err != nil {
		return report.Table{}, err
	}
	data, err := fs.ReadFile(folder, path.Join(speedFolder, duelMachineName))
	if err != nil {
		return report.Table{}, fmt.Errorf("%s without its machine: %s", duelRowsName, err) // not "there is no table"
	}
	m, err := record.ReadMachine(data)
	if err != nil {
		return report.Table{}, fmt.Errorf("%s: %w", duelMachineName, err)
	}
	t := report.Table{
		Title: "When a cuckoo filter beats a Bloom filter", Command: "experiment phase", File: path.Join(speedFolder, duelFigureName),
		Header: []string{"cuckoo filter", "against", "keys there"}, Note: duelNote(all, m),
	}
	levels := memoryLevels(m)
	for i := range levels {
		t.Header = append(t.Header, both(levels, i))
	}
	for _, p := range pairings {
		if p.equal != equalRate || p.against == countingBloom {
			continue // a sentence of the note
		}
		for _, present := range duelShares {
			some := chosenDuels(all, p, present)
			row := []string{p.cuckoo, p.against, choose.Share(present)}
			for i := range levels {
				row = append(row, tally(atDuelLevel(some, levels, i)))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

// both says which level holds both filters.
func both(levels []memoryLevel, i int) string {
	if i == len(levels)-1 {
		return "larger"
	}
	return "both fit " + levels[i].name
}

// chosenDuels are those of a pairing, at some shares or all.
func chosenDuels(all []duel, p pairing, present ...float64) (some []duel) {
	for _, d := range all {
		if d.pairing == p && (len(present) == 0 || slices.Contains(present, d.present)) {
			some = append(some, d)
		}
	}
	return some
}

// atDuelLevel are those of which both filters fit a level, and one does not fit the
// level before.
func atDuelLevel(all []duel, levels []memoryLevel, i int) (some []duel) {
	for _, d := range all {
		bytes := int64(math.Max(d.one.bits, d.other.bits) * float64(d.keys) / 8)
		if bytes <= levels[i].bytes && (i == 0 || bytes > levels[i-1].bytes) {
			some = append(some, d)
		}
	}
	return some
}

// tally says who is sooner in how many, and by the median how many times as long the
// other takes there.
func tally(all []duel) string {
	if len(all) == 0 {
		return ""
	}
	factors := map[string][]float64{}
	for _, d := range all {
		f := d.factor().Seconds
		factors[d.faster()] = append(factors[d.faster()], math.Max(f, 1/f))
	}
	var parts []string
	for _, subject := range []string{all[0].cuckoo, all[0].against} {
		if some := factors[subject]; len(some) > 0 {
			parts = append(parts, fmt.Sprintf("%s %d (%.2f times)", subject, len(some), quantile(some, 0.5)))
		}
	}
	if n := len(factors[undecidedDuel]); n > 0 {
		parts = append(parts, fmt.Sprintf("%s %d", undecidedDuel, n))
	}
	return strings.Join(parts, ", ")
}

// duelNote is the question, what it rests on, and the answer.
func duelNote(all []duel, m record.Machine) string {
	levels := memoryLevels(m)
	rate := chosenDuels(all, pairing{plainCuckoo, plainBloom, equalRate})
	bits := chosenDuels(all, pairing{plainCuckoo, plainBloom, equalBits})
	deletes := chosenDuels(all, pairing{plainCuckoo, countingBloom, equalRate})
	small, large := atDuelLevel(rate, levels, 0), atDuelLevel(rate, levels, len(levels)-1)
	return strings.Join([]string{
		`The claim cuckoo/wall-clock: "Bloom Filter", section 11 (Open Questions), asks when the cuckoo filter's layout wins over Bloom in wall-clock time; ` +
			"some benchmarks (Fan et al. 2014) show cuckoo ahead where filters are large, others Bloom where they fit L1.",
		fmt.Sprintf("Sooner here, of cuckoo and bloom: %s. Where both fit %s: %s. Where one is larger than %s: %s.",
			byShare(rate), levels[0].name, tally(small), levels[len(levels)-2].name, tally(large)),
		"Counted are workloads, each a number of keys and a rate that both are asked for, from which tag bits and hash functions follow. " +
			"A filter is sooner where the intervals of the two times of a look-up have no point in common; in brackets, how many times as long the other takes, the median. " +
			"At one rate wrong answers cost nearly the same, so that of the cost model of Lang et al. 2019 the look-up is left.",
		fmt.Sprintf("With bits per key held equal, Bloom having cuckoo's memory and the rate that follows: %s; at one rate it was %s; %s.",
			tally(bits), tally(rate), errsLess(bits)),
		fmt.Sprintf("Where keys are deleted, Bloom needs counters: %s; cuckoo has %s of the memory of %s.", tally(deletes), memoryShare(deletes), countingBloom),
		timedNote(m.MaxKeys),
		fmt.Sprintf("%s, %d cores, L1 %s, L2 %s, %s %s/%s, %s.", m.CPU, m.Cores, choose.Bytes(int64(m.L1D)), choose.Bytes(int64(m.L2)), m.Go, m.OS, m.Arch, m.Taken),
	}, "\n\n")
}

// timedNote says what was timed and what is interpolated.
func timedNote(maxKeys int) string {
	timed := calibrate.TimedRates(maxKeys)
	var parts []string
	for _, t := range timed {
		parts = append(parts, fmt.Sprintf("%s at %d", choose.Share(t.Rate), t.Sizes))
	}
	rates := duelRates()
	hashes := func(rate float64) float64 { return math.Round(-math.Log2(rate)) } // k of the least rate
	return fmt.Sprintf("Timed were filters built for rates of %s sizes; other rates and sizes are interpolated. "+
		"At %s the times are those of %s: a Bloom filter then has %.0f hash functions, where %.0f would do.",
		strings.Join(parts, ", of "), choose.Share(rates[len(rates)-1]), choose.Share(timed[0].Rate), hashes(timed[0].Rate), hashes(rates[len(rates)-1]))
}

// byShare is the tally of each share of keys that are there.
func byShare(all []duel) string {
	var parts []string
	for _, present := range duelShares {
		parts = append(parts, fmt.Sprintf("with %s of the keys there, %s", choose.Share(present), tally(chosenDuels(all, all[0].pairing, present))))
	}
	return strings.Join(parts, "; ")
}

// errsLess says at which rates cuckoo errs less often than Bloom of the same memory,
// whatever the number of keys.
func errsLess(all []duel) string {
	most := map[float64]float64{} // cuckoo's rate over Bloom's, by the rate asked for
	for _, d := range all {
		most[d.rate] = math.Max(most[d.rate], d.one.rate/d.other.rate)
	}
	from := 0.
	for _, rate := range slices.Sorted(maps.Keys(most)) {
		if most[rate] >= 1 {
			break
		}
		from = rate
	}
	if from == 0 {
		return "cuckoo then errs less often at none of these rates"
	}
	return "cuckoo then errs less often if asked for " + choose.Share(from) + " or less"
}

// memoryShare is what cuckoo takes of the other's memory.
func memoryShare(all []duel) string {
	least, most := math.Inf(1), 0.
	for _, d := range all {
		share := d.one.bits / d.other.bits
		least, most = math.Min(least, share), math.Max(most, share)
	}
	return fmt.Sprintf("%.0f to %.0f %%", 100*least, 100*most)
}

// readDuels reads what writeDuels wrote.
func readDuels(folder fs.FS) ([]duel, error) {
	raw, err := readColumns(folder, speedFolder, duelRowsName, duelHeader...)
	if err != nil {
		return nil, err
	}
	all := make([]duel, len(raw))
	for i, r := range raw {
		x, err := floats(r[3:16])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", duelRowsName, err)
		}
		read := func(x []float64) contender {
			return contender{x[0], x[1], choose.Estimate{Seconds: x[2], Lo: x[3], Hi: x[4]}}
		}
		all[i] = duel{
			pairing: pairing{r[0], r[1], r[2]}, present: x[0], keys: int(x[1]), rate: x[2],
			one: read(x[3:8]), other: read(x[8:13]),
		}
	}
	for _, p := range pairings {
		if len(chosenDuels(all, p)) == 0 {
			return nil, fmt.Errorf("%s has no rows of %s against %s at one %s", duelRowsName, p.cuckoo, p.against, p.equal)
		}
	}
	return all, nil
}
