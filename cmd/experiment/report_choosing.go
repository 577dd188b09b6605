package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strconv"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/report"
)

// choosingTables makes the report's tables of choices from a folder of results:
// none of what is not there.
func choosingTables(folder fs.FS) ([]report.Table, error) {
	var tables []report.Table
	for _, make := range []func(fs.FS) (report.Table, error){winnersTable, duelTable, regretTable} {
		t, err := make(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

// winnersTable says where each filter of the phase diagram wins.
func winnersTable(folder fs.FS) (report.Table, error) {
	raw, err := readColumns(folder, speedFolder, phaseRowsName, "set", "winner", "keys", "work", "margin", "pays")
	if err != nil {
		return report.Table{}, err
	}
	t := report.Table{
		Title: "Which filter costs least", Command: "experiment phase", File: path.Join(speedFolder, phaseFigureName),
		Header: []string{"set", "winner", "workloads", "keys", "work saved", "ahead of the second"},
		Note: fmt.Sprintf("The cost of a look-up is its time and the work that wrong answers cause, %.0f %% of the keys looked up being there, at the rate "+
			"that is best for each filter; neither its memory nor its build is counted. Ahead is the median over the workloads that it wins.", 100*phasePresent),
	}
	type place struct{ set, winner string }
	won, of := map[place][][]float64{}, map[string]int{}
	var places []place
	for _, r := range raw {
		at := place{r[0], r[1]}
		if r[5] != "true" {
			at.winner = nonePays
		}
		numbers, err := floats(r[2:5])
		if err != nil {
			return t, fmt.Errorf("%s: %w", phaseRowsName, err)
		}
		if won[at] == nil {
			places = append(places, at)
		}
		won[at] = append(won[at], numbers)
		of[at.set]++
	}
	slices.SortStableFunc(places, func(a, b place) int {
		if a.set != b.set {
			return 0
		}
		return len(won[b]) - len(won[a])
	})
	for _, at := range places {
		column := func(i int) (all []float64) {
			for _, r := range won[at] {
				all = append(all, r[i])
			}
			slices.Sort(all)
			return all
		}
		keys, work, n := column(0), column(1), len(won[at])
		ahead := ""
		if at.winner != nonePays {
			ahead = percent(quantile(column(2), 0.5))
		}
		t.Rows = append(t.Rows, []string{
			at.set, at.winner, fmt.Sprintf("%d of %d", n, of[at.set]),
			fromTo(choose.Count(int(keys[0])), choose.Count(int(keys[n-1]))), fromTo(choose.Seconds(work[0]), choose.Seconds(work[n-1])), ahead,
		})
	}
	return t, nil
}

// regretTable sums up what regret has measured.
func regretTable(folder fs.FS) (report.Table, error) {
	raw, err := readColumns(folder, regretFolder, regretRowsName,
		"regret", "predicted_seconds", "seconds", "predicted_bytes", "bytes", "keys")
	if err != nil {
		return report.Table{}, err
	}
	text, err := fs.ReadFile(folder, path.Join(regretFolder, regretSummaryName))
	if err != nil {
		return report.Table{}, err
	}
	command, _, _ := bytes.Cut(text, []byte("\n"))
	var regrets, seconds, sizes []float64
	most := 0.
	for _, r := range raw {
		x, err := floats(r)
		if err != nil {
			return report.Table{}, fmt.Errorf("%s: %w", regretRowsName, err)
		}
		regrets, seconds, sizes = append(regrets, x[0]), append(seconds, off(x[1], x[2])), append(sizes, off(x[3], x[4]))
		most = math.Max(most, x[5])
	}
	if len(regrets) == 0 {
		return report.Table{}, fmt.Errorf("%s has no rows", regretRowsName)
	}
	row := func(what string, value, limit float64) []string {
		return []string{what, percent(value), percent(limit)}
	}
	return report.Table{
		Title: "What a choice costs more than the best", Command: string(command),
		Header: []string{"of the recommended filter", "measured", "set out for, at most"},
		Rows: [][]string{
			row("regret, median", quantile(regrets, 0.5), regretMedian),
			row("regret, 95th percentile", quantile(regrets, 0.95), regretMost),
			row("time of a look-up off what was predicted, median", quantile(seconds, 0.5), secondsWithin),
			row("bytes off what was predicted, 95th percentile", quantile(sizes, 0.95), bytesWithin),
		},
		Note: fmt.Sprintf("%d drawn workloads of up to %s keys, on each of which every eligible filter was built and measured; regret is what the recommended "+
			"one costs more than the best of them, as finalists measured again on fresh rounds. The sample is none that anything was tuned on.", len(regrets), choose.Count(int(most))),
	}, nil
}

const nonePays = "no filter pays"

// fromTo is a range in words.
func fromTo(a, b string) string {
	if a == b {
		return a
	}
	return a + " to " + b
}

// percent prints a share.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

func floats(cells []string) ([]float64, error) {
	list := make([]float64, len(cells))
	for i, c := range cells {
		var err error
		if list[i], err = record.ParseFloat(c, math.Inf(1)); err != nil {
			return nil, err
		}
	}
	return list, nil
}
