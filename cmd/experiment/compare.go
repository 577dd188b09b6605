package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/check"
	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/internal/specimens"
	"github.com/sketchproof/sketchproof/internal/versions"
)

// compareFormats are the ways to print what compare found.
var compareFormats = []string{"text", "json", "github"}

type compareFlags struct {
	scale   string
	only    []string
	seed    uint64
	workers int
	format  string
	speed   string
	source  string
	verbose bool
}

func newCompare() *cobra.Command {
	var f compareFlags
	cmd := &cobra.Command{
		Use:   "compare MODULE@VERSION MODULE@VERSION",
		Short: "Compare two versions of a library",
		Long: "compare builds this program against two versions of a library, the older first, and says what changed:\n" +
			"what becomes of set inputs, as a key that comes twice; which laws and promises are newly broken or mended,\n" +
			"and which rates moved; whether bytes written by one are read by the other; sizes, and speed.\n" +
			"In place of a version there may be a folder, as ./my/copy, or MODULE=./my/copy where its go.mod names another.\n\n" +
			"It exits 1 when something regressed: a promise is newly broken, an input that was fine is refused or loses\n" +
			"keys, or the newer version does not read what the older wrote. A figure that only moved fails nothing,\n" +
			"nor does speed. It exits 4 when the two cannot be compared: unknown, not to be had, or not to be compiled.\n\n" +
			"It needs the Go command and the source of this program, a clone of it to stand in or to name with --source.\n" +
			"Nothing in it is written; modules are downloaded as go.mod's would be.",
		Example: "  experiment compare github.com/FastFilter/xorfilter@v0.1.2 github.com/FastFilter/xorfilter@v0.1.3\n" +
			"  experiment compare github.com/bits-and-blooms/bloom/v3@v3.7.0 ../bloom\n" +
			"  experiment compare --speed never --format json github.com/axiomhq/hyperloglog@v0.2.6 github.com/axiomhq/hyperloglog@v0.3.0",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("compare takes two versions, as MODULE@v1.0.0 MODULE@v1.1.0 or MODULE@v1.0.0 ./folder; there are %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: completeModules,
		RunE:              func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.scale, "scale", engine.Smoke.String(), "`SCALE` of the cells to judge: smoke, ci or full")
	flags.StringArrayVar(&f.only, "only", nil, "of the library's cells, only those that match the `GLOB`; may be repeated")
	flags.Uint64Var(&f.seed, "seed", experiments.RootSeed, "root `SEED` of both versions")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "`N` worker processes")
	flags.StringVar(&f.format, "format", "text", "`FORMAT` of the findings: text, json or github (annotations, and a job summary)")
	flags.StringVar(&f.speed, "speed", speedAuto, "`WHEN` to time both versions in turn: auto or never")
	flags.BoolVar(&f.verbose, "verbose", false, "name every figure that moved")
	registerSource(cmd, &f.source)
	completeFormats(cmd, compareFormats)
	_ = cmd.RegisterFlagCompletionFunc("scale", cobra.FixedCompletions([]string{"smoke", "ci", "full"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("speed", cobra.FixedCompletions([]string{speedAuto, speedNever}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("only", completeCells)
	return cmd
}

func (f compareFlags) run(cmd *cobra.Command, before, now string) (err error) {
	ctx := cmd.Context()
	if err := f.validate(); err != nil {
		return err
	}
	a, b, err := versions.Pair(before, now)
	if err != nil {
		return &engine.UsageError{Err: err}
	}
	dir, err := os.MkdirTemp("", "experiment-compare-")
	if err != nil {
		return err
	}
	defer func() {
		if errors.Is(err, context.Canceled) {
			err = errors.New("interrupted; nothing was compared")
		}
		err = errors.Join(err, os.RemoveAll(dir))
	}()
	sides := make([]*side, 2)
	builder := builder{source: f.source, say: sayTo(cmd.ErrOrStderr())}
	targets, err := builder.resolve(ctx, a, b)
	if err != nil {
		return err
	}
	for i, t := range targets {
		program, err := builder.build(ctx, filepath.Join(dir, fmt.Sprint(i)), t)
		if err != nil {
			return err
		}
		sides[i] = newSide(t, program)
		defer sides[i].close()
	}
	c := comparison{flags: f, dir: dir, a: sides[0], b: sides[1], say: builder.say, progress: cmd.ErrOrStderr()}
	found, err := c.run(ctx)
	if err != nil {
		return err
	}
	if err := f.write(cmd.OutOrStdout(), os.Getenv("GITHUB_STEP_SUMMARY"), found); err != nil {
		return err
	}
	if found.Failed() {
		return errBroken
	}
	return nil
}

func (f compareFlags) validate() error {
	if _, err := engine.ParseScale(f.scale); err != nil {
		return &engine.UsageError{Err: err}
	}
	switch {
	case f.workers < 1:
		return usagef("%d workers; there must be at least one", f.workers)
	case !slices.Contains(compareFormats, f.format):
		return unknownFormat(f.format, compareFormats)
	case f.speed != speedAuto && f.speed != speedNever:
		return usagef("unknown value %q of --speed; known here: auto, never", f.speed)
	}
	return nil
}

func (f compareFlags) write(w io.Writer, jobSummary string, v check.Versus) error {
	switch f.format {
	case "json":
		return v.WriteJSON(w)
	case "github":
		if err := v.WriteAnnotations(w); err != nil {
			return err
		}
		return toJobSummary(jobSummary, v.WriteMarkdown)
	default:
		return v.WriteText(w, f.verbose)
	}
}

// sayTo returns a function that says on w what is done next.
func sayTo(w io.Writer) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }
}

// A comparison is under way between two built programs, a of the older version.
type comparison struct {
	flags    compareFlags
	dir      string
	a, b     *side
	say      func(format string, args ...any)
	progress io.Writer
	found    check.Versus
}

func (c *comparison) run(ctx context.Context) (check.Versus, error) {
	module := c.a.target.Module
	c.found = check.Versus{Module: module, Before: c.a.name, Now: c.b.name}
	for _, s := range []*side{c.a, c.b} {
		if err := s.learn(ctx, c.flags); err != nil {
			return c.found, err
		}
	}
	c.match()
	if len(c.found.Subjects) == 0 {
		return c.found, fmt.Errorf("%w: no subject of %s is in both versions", engine.ErrNotComparable, module)
	}
	for _, step := range []func(context.Context) error{c.specimens, c.promises, c.times} {
		if err := step(ctx); err != nil {
			return c.found, err
		}
	}
	return c.found, nil
}

// match finds the subjects that both versions serve. What this program itself
// holds of the module is known too: a subject may be in neither of them.
func (c *comparison) match() {
	known := map[string]bool{}
	for _, s := range c.a.subjects {
		known[s] = true
	}
	for _, s := range c.b.subjects {
		known[s] = true
	}
	for _, s := range ownSubjects(c.a.target.Module) {
		known[s] = true
	}
	for _, name := range sortedKeys(known) {
		both := true
		for _, s := range []*side{c.a, c.b} {
			if !slices.Contains(s.subjects, name) {
				c.found.Absent = append(c.found.Absent, check.Absence{Subject: name, Version: s.name})
				both = false
			}
		}
		if both {
			c.found.Subjects = append(c.found.Subjects, name)
		}
	}
}

// promises runs the library's cells with both versions and compares the rows.
func (c *comparison) promises(ctx context.Context) error {
	results := make([]check.Results, 2)
	plan := check.Plan{}
	for _, cell := range c.b.cells {
		if slices.Contains(c.found.Subjects, cell.subject()) {
			plan[cell.Cell] = cell.Module
		}
	}
	if len(plan) == 0 {
		c.found.Notes = append(c.found.Notes, "no cell of these subjects at scale "+c.flags.scale)
		return nil
	}
	for i, s := range []*side{c.a, c.b} {
		c.say("%s: judging %d cells", s.name, len(s.cells))
		dir := filepath.Join(c.dir, fmt.Sprintf("results-%d", i))
		if err := s.judge(ctx, c.flags, dir, c.progress); err != nil {
			return err
		}
		var err error
		if results[i], err = check.Load(os.DirFS(dir)); err != nil {
			return err
		}
	}
	before, now := check.Common(results[0], results[1], c.found.Subjects)
	c.found.Promises = check.Compare(before, now, plan)
	c.found.Judged = len(now.Rows)
	return nil
}

// completeModules completes the path of a module that is on trial, up to its
// version.
func completeModules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, m := range ownModules() {
		names = append(names, m+"@")
	}
	return names, cobra.ShellCompDirectiveNoSpace
}

// ownModules are the paths of the libraries that this program holds.
func ownModules() []string {
	seen := map[string]bool{}
	for _, c := range engine.Cells(experiments.All, engine.Full) {
		if path, _, _ := strings.Cut(c.Module, "@"); path != "" {
			seen[path] = true
		}
	}
	for _, path := range specimens.Modules() {
		seen[path] = true
	}
	return sortedKeys(seen)
}

// ownSubjects are the subjects of a module that this program holds.
func ownSubjects(module string) []string {
	seen := map[string]bool{}
	for _, c := range engine.Cells(experiments.All, engine.Full) {
		if path, _, _ := strings.Cut(c.Module, "@"); path == module {
			seen[c.Subject()] = true
		}
	}
	for _, s := range specimens.Subjects(module) {
		seen[s.Name] = true
	}
	return sortedKeys(seen)
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// decodeList reads what list --format json wrote.
func decodeList(data []byte) (cells []listed, err error) {
	err = json.Unmarshal(data, &cells)
	return cells, err
}
