package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/plots"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/results"
)

// chooseFlags are what all questions have in common.
type chooseFlags struct {
	workload           choose.Workload
	needs              map[string]*bool
	file, calibration  string
	figure             string
	json               bool
	keysFile, lookups  string
	column, lookupsCol string
	finalists          int
}

func newChoose() *cobra.Command {
	f := &chooseFlags{workload: choose.Workload{Kind: choose.KindFilter}}
	cmd := &cobra.Command{
		Use:   "choose",
		Short: "Choose a filter, or another structure, for a workload",
		Long: "choose ranks the structures of the catalogue for a workload, by what they cost on this machine and by\n" +
			"what the results say of their promises. It tells whether a filter pays at all, what would change the answer, and\n" +
			"the code to paste. Times come from `experiment calibrate`. The commands below ask for other structures.",
		Example: "  experiment choose --keys 50M --rate 0.1%\n" +
			"  experiment choose --keys 50M --memory 64MiB --delete\n" +
			"  experiment choose --keys 50M --cost 100us --present 20% --lookups-per-key 10 --key-bytes 24\n" +
			"  experiment choose --keys-file keys.txt.gz --lookups-file log.csv --lookups-column host --rate 1%\n" +
			"  experiment choose --workload cache.toml --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			return f.filter(cmd)
		},
	}
	f.common(cmd)
	flags := cmd.Flags()
	flags.Var(valueOf(&f.workload.Keys, choose.ParseCount, "N"), "keys", "`N` keys held: 50M, 1e9")
	flags.Var(valueOf(&f.workload.Rate, rateFlag, "RATE"), "rate", "at most this `RATE` of absent keys may be found: 0.1%, 1/1000")
	flags.Var(valueOf(&f.workload.Work, choose.ParseSeconds, "TIME"), "cost", "`TIME` of the work that a true negative saves: 100us, 2ms")
	flags.Var(valueOf(&f.workload.Present, choose.ParseShare, "SHARE"), "present", "`SHARE` of look-ups whose key is held: 20%")
	flags.Float64Var(&f.workload.LookupsPerKey, "lookups-per-key", 0, "look-ups of each key before the filter is built anew; then the build is part of the cost")
	flags.IntVar(&f.workload.KeyBytes, "key-bytes", 0, "length of keys that are byte strings, 0 for numbers")
	flags.StringVar(&f.keysFile, "keys-file", "", "`FILE` of your keys, one a line or a column of a CSV, .gz too: the finalists are built of them and measured")
	flags.StringVar(&f.lookups, "lookups-file", "", "`FILE` of your look-ups, in their order")
	flags.StringVar(&f.column, "column", "", "`COLUMN` of the keys file, a number from 1 or a name of its first line")
	flags.StringVar(&f.lookupsCol, "lookups-column", "", "`COLUMN` of the look-ups file, if it is another")
	flags.IntVar(&f.finalists, "finalists", 5, "how many to build of your own keys")
	for _, c := range otherQuestions() {
		cmd.AddCommand(c)
	}
	return cmd
}

// common registers what every question has.
func (f *chooseFlags) common(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "workload", "", "TOML `FILE` with flags by their names; flags given beside it win")
	flags.Var(valueOf(&f.workload.Memory, choose.ParseBytes, "SIZE"), "memory", "at most this `SIZE`: 64MiB")
	flags.StringVar(&f.workload.By, "by", "", "what is to be least: cost, time, memory or rate; by default what the workload says")
	flags.StringVar(&f.calibration, "calibration", "", "`DIR` of a calibration of another machine")
	flags.StringVar(&f.figure, "figure", "", "`FILE` for a figure of memory against time (PNG)")
	flags.BoolVar(&f.json, "json", false, "answer in JSON")
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "mergeable" { // as one says of a sketch
			name = choose.NeedMerge
		}
		return pflag.NormalizedName(name)
	})
	f.needs = map[string]*bool{}
	for _, n := range choose.Needs {
		if n.For(f.workload.Kind) {
			f.needs[n.Name] = flags.Bool(n.Name, false, n.Says)
		}
	}
	_ = cmd.RegisterFlagCompletionFunc("by", cobra.FixedCompletions([]string{"cost", "time", "memory", "rate"}, cobra.ShellCompDirectiveNoFileComp))
}

// rateFlag reads a rate and refuses what is none: 0 stands for "not given".
func rateFlag(s string) (float64, error) {
	x, err := choose.ParseShare(s)
	if err == nil && !(x > 0 && x < 1) {
		err = fmt.Errorf("a rate of %s: it is the share of absent keys that are found, above 0 and below 1, as 0.1%% or 1/1000; what never errs is a map", s)
	}
	return x, err
}

// read completes the workload from its file and the needs.
func (f *chooseFlags) read(cmd *cobra.Command) error {
	if f.file != "" {
		if err := readWorkload(cmd, f.file); err != nil {
			return &engine.UsageError{Err: err}
		}
	}
	for _, n := range choose.Needs {
		if on := f.needs[n.Name]; on != nil && *on {
			f.workload.Needs = append(f.workload.Needs, n.Name)
		}
	}
	return nil
}

// filter answers for a filter.
func (f *chooseFlags) filter(cmd *cobra.Command) error {
	if err := f.read(cmd); err != nil {
		return err
	}
	data, err := f.ownData()
	if err != nil {
		return err
	}
	f.workload = data.shape(cmd, f.workload).WithDefaults()
	if err := f.workload.Check(); err != nil {
		return &engine.UsageError{Err: err}
	}
	market, err := f.market(cmd)
	if err != nil {
		return err
	}
	if market.Candidates, err = filterCandidates(cmd.Context(), f.workload.Keys, f.workload.Rate); err != nil {
		return err
	}
	answer, err := market.Rank(f.workload)
	if err != nil {
		return chosen(err)
	}
	refineFilters(cmd.Context(), market.Candidates, answer)
	if answer, err = market.Choose(f.workload); err != nil {
		return chosen(err)
	}
	measured, err := data.measure(cmd.Context(), answer, f.finalists)
	if err != nil {
		return err
	}
	if data != nil && len(data.keys) != f.workload.Keys {
		answer.Notes = append(answer.Notes, fmt.Sprintf("--keys asks for %s and the file has %s: what is said of your own keys is of filters of that size",
			choose.Count(f.workload.Keys), choose.Count(len(data.keys))))
	}
	return f.tell(cmd.OutOrStdout(), reply{Answer: answer, Machine: market.Clock.Machine, Measured: measured})
}

// chosen makes a usage error of a workload that nothing serves.
func chosen(err error) error {
	if none, ok := errors.AsType[*choose.NoneError](err); ok {
		return &engine.UsageError{Err: none}
	}
	return &engine.UsageError{Err: err}
}

// market is the calibration and the committed judgements, without candidates.
func (f *chooseFlags) market(cmd *cobra.Command) (*choose.Market, error) {
	calibrated, err := f.times(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	_, rows, err := record.ReadFolder(results.FS())
	if err != nil {
		return nil, err
	}
	return &choose.Market{Clock: choose.NewClock(calibrated), Evidence: choose.NewEvidence(rows)}, nil
}

// A reply is an answer with what the command adds to it.
type reply struct {
	choose.Answer
	Machine  record.Machine `json:"machine"`
	Measured []measured     `json:"measured,omitempty"` // on the user's own keys
	Code     string         `json:"code"`
}

// tell writes the answer and its figure.
func (f *chooseFlags) tell(w io.Writer, r reply) error {
	var err error
	if r.Code, err = codeFor(r.Answer); err != nil {
		return err
	}
	if f.figure != "" {
		if err := record.WriteFile(f.figure, func(w io.Writer) error { return paretoOf(r).Draw(w) }); errors.Is(err, plots.ErrNoRows) {
			return usagef("--figure: the calibration has no time of these structures to draw")
		} else if err != nil {
			return err
		}
	}
	if f.json {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	return writeAnswer(w, r)
}

// paretoOf is the figure of an answer.
func paretoOf(r reply) plots.Pareto {
	const nano = 1e9
	w := r.Workload
	p := plots.Pareto{
		Title: "Memory against time for " + choose.Count(w.Keys) + " keys", Memory: "bits of memory per key",
		Cost: "nanoseconds per look-up", Note: "Times are of " + orUnknown(r.Machine.CPU) + "; bars are intervals.",
	}
	if w.Work > 0 {
		p.Cost += ", with the work that wrong answers cause"
	}
	perKey := 8 / float64(max(w.Keys, 1))
	if w.Kind != choose.KindFilter {
		p.Title, p.Memory, p.Cost, perKey = "Memory against time", "bytes of memory", "nanoseconds per call", 1
	}
	for _, o := range r.Offers {
		if o.Timed && o.Bytes > 0 {
			p.Points = append(p.Points, plots.ParetoPoint{
				Name: o.Subject, Memory: float64(o.Bytes) * perKey,
				Cost: nano * o.Cost.Seconds, Lo: nano * o.Cost.Lo, Hi: nano * o.Cost.Hi, Front: o.Front, Broken: o.Verdicts.Broken > 0,
				Held: o.Verdicts.Held > 0 && o.Verdicts.Broken == 0 && o.Verdicts.Undecided == 0,
			})
		}
	}
	return p
}
