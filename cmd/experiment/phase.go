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

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/plots"
	"github.com/sketchproof/sketchproof/record"
)

// The files of a phase diagram.
const (
	phaseRowsName   = "phase.csv"
	phaseFigureName = "phase.png"
)

// A phaseCell is what choose answers for one workload.
type phaseCell struct {
	set            string // phaseStatic or phaseChanging
	keys           int
	work           float64 // seconds that a true negative saves
	winner, second string
	cost           float64 // seconds per look-up, of the winner
	secondCost     float64
	pays           bool
}

// margin is what the second costs more than the winner, as a share.
func (c phaseCell) margin() float64 {
	if c.second == "" {
		return math.Inf(1)
	}
	return c.secondCost/c.cost - 1
}

const (
	phaseStatic   = "keys stay"
	phaseChanging = "keys are added"
	phasePresent  = 0.1 // share of look-ups whose key is there
	leastWork     = 1e-8
	mostWork      = 1e-3
	leastPhase    = 1_000 // keys
)

func newPhase() *cobra.Command {
	var f chooseFlags
	var out string
	cmd := &cobra.Command{
		Use:   "phase",
		Short: "Draw which filter costs least, over the number of keys and the work that it saves",
		Long: "phase asks choose for workloads over keys and work, for sets that stay and for sets that keys are added to, with a tenth\n" +
			"of look-ups of keys that are there. It writes phase.csv and phase.png. Then it sets cuckoo filters beside Bloom filters over\n" +
			"keys, rates and the share of look-ups whose key is there, in phase-cuckoo.csv and phase-cuckoo.png. Times come from\n" +
			"`experiment calibrate`, up to as many keys as were calibrated; phase-cuckoo.json says of which machine.",
		Example: "  experiment phase --out /tmp/phase",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			market, err := f.market(cmd)
			if err != nil {
				return err
			}
			cells, err := phaseCells(cmd.Context(), market)
			if err != nil {
				return err
			}
			pairs, err := duels(cmd.Context(), market)
			if err != nil {
				return err
			}
			m := market.Clock.Machine
			return errors.Join(
				writePhase(cmd.OutOrStdout(), out, m, cells),
				writeDuels(cmd.OutOrStdout(), out, m, pairs),
			)
		},
	}
	cmd.Flags().StringVar(&out, "out", filepath.Join("results", speedFolder), "`DIR` to write to")
	cmd.Flags().StringVar(&f.calibration, "calibration", "", "`DIR` of a calibration of another machine")
	return cmd
}

// phaseCells asks for every workload of the diagram, sets that stay first, then by
// keys, then by work.
func phaseCells(ctx context.Context, market *choose.Market) ([]phaseCell, error) {
	var still, changing []phaseCell
	known := map[int][]choose.Candidate{}
	for _, n := range phaseKeys(market.Clock.Machine.MaxKeys) {
		base, shift := halved(n, tried)
		if known[base] == nil {
			var err error
			if known[base], err = filterCandidates(ctx, base, 0); err != nil {
				return nil, err
			}
		}
		market.Candidates = slices.Clone(known[base])
		for i := range market.Candidates {
			market.Candidates[i].Keys = n
			market.Candidates[i].Bytes <<= shift
		}
		for _, work := range works() {
			w := choose.Workload{Kind: choose.KindFilter, Keys: n, Work: work, Present: phasePresent}
			cell, err := askPhase(market, w, phaseChanging)
			if err != nil {
				return nil, err
			}
			changing = append(changing, cell)
			w.Needs = []string{choose.NeedStatic}
			if cell, err = askPhase(market, w, phaseStatic); err != nil {
				return nil, err
			}
			still = append(still, cell)
		}
	}
	return append(still, changing...), nil
}

func askPhase(market *choose.Market, w choose.Workload, set string) (phaseCell, error) {
	cell := phaseCell{set: set, keys: w.Keys, work: w.Work}
	answer, err := market.Rank(w)
	if err != nil {
		return cell, fmt.Errorf("%s keys, %v s of work: %w", choose.Count(w.Keys), w.Work, err)
	}
	first := answer.Offers[0]
	cell.winner, cell.cost, cell.pays = first.Subject, first.Cost.Seconds, answer.Pays != nil && answer.Pays.Pays
	if len(answer.Offers) > 1 {
		cell.second, cell.secondCost = answer.Offers[1].Subject, answer.Offers[1].Cost.Seconds
	}
	return cell, nil
}

// phaseKeys are a number of keys for every doubling: what is beyond what candidates
// are built with is a power of two of what is built.
func phaseKeys(most int) (list []int) {
	for n := leastPhase; n <= most; n *= 2 {
		list = append(list, n)
	}
	return list
}

// works are two numbers of seconds for every power of ten.
func works() (list []float64) {
	for i := 0; ; i++ {
		work := leastWork * math.Pow(10, float64(i)/2)
		if work > mostWork*1.01 {
			return list
		}
		list = append(list, work)
	}
}

func writePhase(w io.Writer, dir string, m record.Machine, cells []phaseCell) error {
	var raw [][]string
	for _, c := range cells {
		raw = append(raw, []string{
			c.set, strconv.Itoa(c.keys), record.Float(c.work), c.winner, record.Float(c.cost), c.second, record.Float(c.secondCost),
			record.Float(c.margin()), strconv.FormatBool(c.pays),
		})
	}
	header := []string{"set", "keys", "work", "winner", "cost", "second", "second_cost", "margin", "pays"}
	rows, figure := filepath.Join(dir, phaseRowsName), filepath.Join(dir, phaseFigureName)
	if err := writeDiagram(rows, header, raw, figure, phaseFigure(m, cells)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d workloads: %s, %s\n", len(cells), rows, figure)
	return err
}

// writeDiagram writes the rows of a diagram, and the diagram.
func writeDiagram(rows string, header []string, raw [][]string, figure string, p plots.Phase) error {
	if err := record.WriteFile(rows, func(w io.Writer) error { return record.WriteRaw(w, header, raw) }); err != nil {
		return err
	}
	return record.WriteFile(figure, p.Draw)
}

// phaseFigure draws the cells, which are in the order of phaseCells.
func phaseFigure(m record.Machine, cells []phaseCell) plots.Phase {
	p := plots.Phase{
		Title: "Which filter costs least",
		X:     plots.Axis{Title: "keys", Log: true},
		Y:     plots.Axis{Title: "seconds of work that a true negative saves", Log: true},
		Empty: "no filter pays",
		Note: fmt.Sprintf("One look-up of a number at a time, %.0f %% of them of keys that are there; the cost is the look-up and the work that wrong answers "+
			"cause, at the rate that is best for each; memory and build are not counted. %s.", 100*phasePresent, m.CPU),
	}
	rows := len(works())
	columns := len(cells) / 2 / rows
	for len(cells) > 0 {
		panel := plots.PhasePanel{Title: cells[0].set, Y: works(), Cells: make([][]plots.PhaseCell, rows)}
		for i, c := range cells[:columns*rows] {
			if i%rows == 0 {
				panel.X = append(panel.X, float64(c.keys))
			}
			cell := plots.PhaseCell{Winner: c.winner, Margin: c.margin()}
			if !c.pays {
				cell.Winner = ""
			}
			panel.Cells[i%rows] = append(panel.Cells[i%rows], cell)
		}
		p.Panels = append(p.Panels, panel)
		cells = cells[columns*rows:]
	}
	return p
}
