package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/experiments/calibrate"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/record"
)

type regretFlags struct {
	workloads, maxKeys int
	seed               uint64
	out, calibration   string
}

func newRegret() *cobra.Command {
	f := regretFlags{maxKeys: 10_000_000}
	cmd := &cobra.Command{
		Use:   "regret",
		Short: "Measure what the recommended choice costs more than the best",
		Long: "regret draws workloads, asks choose for each of them, and then measures every subject that is eligible on that very\n" +
			"workload: its keys, its share of present keys in an order that nothing predicts. The leading ones are measured again on\n" +
			"fresh rounds to find the best, and the best and the recommended one once more to tell the difference, as otherwise the\n" +
			"luckiest reading would win. What breaks a promise is not eligible where the recommended one keeps its own.",
		Example: "  experiment regret\n  experiment regret --workloads 20 --max-keys 1M --seed 1 --out /tmp/regret",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.IntVar(&f.workloads, "workloads", 200, "draw `N` workloads")
	flags.Var(valueOf(&f.maxKeys, choose.ParseCount, "N"), "max-keys", "of up to `N` keys")
	flags.Uint64Var(&f.seed, "seed", judgedSeed, "`SEED` of the sample; the default is the one that is judged, others are for tuning")
	flags.StringVar(&f.out, "out", "", "`DIR` to write regret.csv and summary.txt to; by default it is not written")
	flags.StringVar(&f.calibration, "calibration", "", "`DIR` of the calibration that the choice rests on")
	return cmd
}

// How often the rounds are of all subjects, of the finalists, and of the best and
// the recommended one.
const (
	allRounds, finalRounds, lastRounds = 2, 3, 6
	finalistsOf                        = 6
)

func (f regretFlags) run(cmd *cobra.Command) error {
	if f.workloads < 1 || f.maxKeys < leastRegretKeys {
		return usagef("%d workloads of up to %d keys; at least 1 and %d", f.workloads, f.maxKeys, leastRegretKeys)
	}
	market, err := (&chooseFlags{calibration: f.calibration}).market(cmd)
	if err != nil {
		return err
	}
	stderr := cmd.ErrOrStderr()
	gauge := calibrate.Gauge{Worker: gaugeCommand, Memory: 512 << 20}
	defer gauge.Close()
	began, last := time.Now(), time.Time{}
	var rows []regretRow
	for i := range f.workloads {
		w := drawWorkload(f.seed, i, f.maxKeys).WithDefaults()
		row, err := judgeWorkload(cmd.Context(), market, &gauge, w, f.seed+uint64(i))
		if err != nil {
			if len(rows) == 0 {
				return fmt.Errorf("workload %d: %w", i, err)
			}
			fmt.Fprintf(stderr, "ended after %d of %d workloads, of which this tells: %v\n", i, f.workloads, err)
			break
		}
		row.number = i
		rows = append(rows, row)
		if time.Since(last) > 10*time.Second {
			last = time.Now()
			fmt.Fprintf(stderr, "%d of %d workloads, %s left\n", i+1, f.workloads,
				left(engine.Progress{Done: float64(i + 1), Total: float64(f.workloads)}, time.Since(began)))
		}
	}
	var summary bytes.Buffer
	if err := summarizeRegret(&summary, f.seed, rows); err != nil {
		return err
	}
	if f.out != "" {
		if err := f.keep(market.Clock.Machine, rows, summary.Bytes()); err != nil {
			return err
		}
	}
	_, err = summary.WriteTo(cmd.OutOrStdout())
	return err
}

// The folder below results that regret is kept in, and its files. The first line of
// the summary is the command.
const (
	regretFolder      = "choose"
	regretRowsName    = "regret.csv"
	regretSummaryName = "summary.txt"
)

// keep writes what was found.
func (f regretFlags) keep(m record.Machine, rows []regretRow, summary []byte) error {
	err := record.WriteFile(filepath.Join(f.out, regretRowsName), func(w io.Writer) error { return writeRegret(w, f.seed, rows) })
	if err != nil {
		return err
	}
	return record.WriteFile(filepath.Join(f.out, regretSummaryName), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "experiment regret --workloads %d --max-keys %s --seed %d\n%s, %s, %s\n%s",
			f.workloads, choose.Count(f.maxKeys), f.seed, m.CPU, m.Go, m.Taken, summary)
		return err
	})
}

// A regretRow is what was found for one workload.
type regretRow struct {
	number    int
	workload  choose.Workload
	first     choose.Offer // recommended
	best      string       // of those measured
	cost      float64      // of the recommended one, measured
	bestCost  float64
	measured  regretReading   // of the recommended one
	others    []regretReading // of all offers
	offers    int
	fault     string // of the recommended one: it could not be measured
	noneFits  bool
	following []string // the finalists by what they cost, the best first
}

// A regretReading sets what was predicted of an offer beside what was measured.
type regretReading struct {
	offer         choose.Offer
	lookUp, build float64 // seconds, measured; build per key
	bytes         int64
	found, absent int
}

// cost is what the offer costs in the workload by what was measured. The work that
// wrong answers cause goes by the law: in so few look-ups rare ones do not show.
func (r regretReading) cost(w choose.Workload) float64 {
	c := r.lookUp
	if w.By == choose.ByCost {
		c += r.offer.Rate * (1 - w.Present) * w.Work
		if w.LookupsPerKey > 0 {
			c += r.build / w.LookupsPerKey
		}
	}
	return c
}

// regret is what the recommended one costs more, as a share.
func (r regretRow) regret() float64 { return math.Max(r.cost/r.bestCost-1, 0) }

// judgeWorkload asks for a choice and measures it and all others.
func judgeWorkload(ctx context.Context, market *choose.Market, g *calibrate.Gauge, w choose.Workload, seed uint64) (regretRow, error) {
	row := regretRow{workload: w}
	var err error
	if market.Candidates, err = filterCandidates(ctx, w.Keys, w.Rate); err != nil {
		return row, err
	}
	answer, err := market.Rank(w)
	if err != nil {
		row.noneFits = true
		return row, ctx.Err()
	}
	refineFilters(ctx, market.Candidates, answer)
	if answer, err = market.Rank(w); err != nil {
		row.noneFits = true
		return row, ctx.Err()
	}
	offers := slices.DeleteFunc(slices.Clone(answer.Offers), func(o choose.Offer) bool {
		return o.Verdicts.Broken > 0 && answer.Offers[0].Verdicts.Broken == 0
	})
	row.first, row.offers = offers[0], len(offers)
	all, err := measureOffers(ctx, g, w, offers, allRounds, seed)
	if err != nil {
		return row, err
	}
	if _, ok := all[row.first.Subject]; !ok {
		row.fault = "could not be measured"
		return row, nil
	}
	for _, o := range offers {
		if r, ok := all[o.Subject]; ok {
			row.others = append(row.others, r)
		}
	}
	cheapest(w, offers, all)
	finalists := slices.Clone(offers[:min(finalistsOf, len(offers))])
	if !slices.ContainsFunc(finalists, func(o choose.Offer) bool { return o.Subject == row.first.Subject }) {
		finalists = append(finalists, row.first)
	}
	again, err := measureOffers(ctx, g, w, finalists, finalRounds, seed^1<<62)
	if err != nil {
		return row, err
	}
	cheapest(w, finalists, again)
	for _, o := range finalists {
		row.following = append(row.following, o.Subject)
	}
	pair := []choose.Offer{row.first}
	if row.best = finalists[0].Subject; row.best != row.first.Subject {
		pair = append(pair, finalists[0])
	}
	final, err := measureOffers(ctx, g, w, pair, lastRounds, seed^1<<63)
	if err != nil {
		return row, err
	}
	row.measured = final[row.first.Subject]
	row.cost, row.bestCost = row.measured.cost(w), final[row.best].cost(w)
	return row, nil
}

// cheapest sorts offers by what they were measured to cost; what could not be
// measured is last.
func cheapest(w choose.Workload, offers []choose.Offer, by map[string]regretReading) {
	slices.SortStableFunc(offers, func(a, b choose.Offer) int {
		x, okX := by[a.Subject]
		y, okY := by[b.Subject]
		switch {
		case okX && okY:
			return compareFloats(x.cost(w), y.cost(w))
		case okX:
			return -1
		case okY:
			return 1
		}
		return 0
	})
}

// measureOffers measures offers in their workload. What fails is left out.
func measureOffers(ctx context.Context, g *calibrate.Gauge, w choose.Workload, offers []choose.Offer, rounds int, seed uint64) (map[string]regretReading, error) {
	g.Rounds, g.Root = rounds, seed
	var points []speed.Point
	for _, o := range offers {
		points = append(points, regretPoint(w, o))
	}
	found := map[string]regretReading{}
	err := g.Measure(ctx, points, func(speed.Point) {}, func(points []speed.Point, rows [][]speed.Measurement) error {
		for i, p := range points {
			r := regretReading{offer: offers[slices.IndexFunc(offers, func(o choose.Offer) bool { return o.Subject == p.Subject })]}
			for _, m := range rows[i] {
				switch {
				case m.Err != "":
				case slices.Contains(builds(w), m.Op):
					r.build = m.Seconds
				case r.lookUp == 0 || m.Op == lookUps(w)[0]:
					r.lookUp, r.bytes, r.found, r.absent = m.Seconds, m.Bytes, m.Found, m.Absent
				}
			}
			if r.lookUp > 0 {
				found[p.Subject] = r
			}
		}
		return nil
	})
	return found, err
}

var regretHeader = []string{
	"seed", "workload", "keys", "rate", "work", "present", "lookups_per_key", "key_bytes", "needs", "eligible", "recommended", "best",
	"cost", "best_cost", "regret", "predicted_seconds", "seconds", "predicted_bytes", "bytes", "rate_lo", "rate_hi", "found", "absent",
}

func writeRegret(w io.Writer, seed uint64, rows []regretRow) error {
	var raw [][]string
	for _, r := range rows {
		if r.noneFits || r.fault != "" {
			continue
		}
		x := r.workload
		raw = append(raw, []string{
			strconv.FormatUint(seed, 10), strconv.Itoa(r.number), strconv.Itoa(x.Keys), record.Float(x.Rate), record.Float(x.Work), record.Float(x.Present),
			record.Float(x.LookupsPerKey), strconv.Itoa(x.KeyBytes), strings.Join(x.Needs, " "), strconv.Itoa(r.offers), r.first.Subject, r.best,
			record.Float(r.cost), record.Float(r.bestCost), record.Float(r.regret()), record.Float(r.first.LookUp.Seconds), record.Float(r.measured.lookUp),
			strconv.FormatInt(r.first.Bytes, 10), strconv.FormatInt(r.measured.bytes, 10), record.Float(r.first.RateLo), record.Float(r.first.RateHi),
			strconv.Itoa(r.measured.found), strconv.Itoa(r.measured.absent),
		})
	}
	return record.WriteRaw(w, regretHeader, raw)
}
