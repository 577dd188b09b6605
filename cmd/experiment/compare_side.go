package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/internal/conversation"
	"github.com/sketchproof/sketchproof/internal/versions"
	"github.com/sketchproof/sketchproof/record"
)

// patience is how long a version may take over one structure or one round of
// timing before it counts as hung: a hundred times what the slowest needs.
const patience = time.Minute

// A side is one of the two versions: a program that holds it.
type side struct {
	target   versions.Target
	name     string // for people: the version, or the folder
	program  string
	talk     answerer
	twin     answerer // another process: it shares no secret with the first
	subjects []string // of the module, sorted
	cells    []listed // of the module
}

// An answerer is a process that holds a version of a library.
type answerer = conversation.Worker[question, response]

func newSide(t versions.Target, program string) *side {
	answer := func() *exec.Cmd { return exec.Command(program, "answer") }
	return &side{
		target: t, name: t.At(), program: program,
		talk: answerer{Command: answer}, twin: answerer{Command: answer},
	}
}

// close ends the processes.
func (s *side) close() {
	s.talk.Close()
	s.twin.Close()
}

// ask asks the program a question.
func (s *side) ask(ctx context.Context, q question) (response, error) {
	return s.askBy(ctx, &s.talk, q)
}

func (s *side) askBy(ctx context.Context, by *answerer, q question) (r response, err error) {
	if err = by.Ask(ctx, q); err == nil {
		r, err = by.Next(ctx, patience)
	}
	if died, ok := errors.AsType[*conversation.DeathError](err); ok {
		died.Cause = engine.Cause(died)
	}
	if err != nil {
		return r, err
	}
	if r.Err != "" {
		return r, fmt.Errorf("%s: %s", s.name, r.Err)
	}
	return r, nil
}

// learn asks for the subjects and cells of the module.
func (s *side) learn(ctx context.Context, f compareFlags) error {
	r, err := s.ask(ctx, question{Subjects: s.target.Module})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, subject := range r.Subjects {
		seen[subject.Name] = true
	}
	args := []string{"list", "--format", "json", "--scale", f.scale}
	for _, glob := range f.only {
		args = append(args, "--only", glob)
	}
	out, err := s.command(ctx, args...).Output()
	if err != nil {
		return s.complaint(err)
	}
	all, err := decodeList(out)
	if err != nil {
		return err
	}
	for _, c := range all {
		if path, _, _ := strings.Cut(c.Module, "@"); path == s.target.Module {
			s.cells = append(s.cells, c)
			seen[c.subject()] = true
		}
	}
	s.subjects = sortedKeys(seen)
	return nil
}

// subject is the subject of a cell that was listed.
func (l listed) subject() string {
	_, labels := record.ParseCell(l.Cell)
	return labels.Value("subject")
}

// judge runs the cells of the module and leaves their rows in dir.
func (s *side) judge(ctx context.Context, f compareFlags, dir string, progress io.Writer) error {
	args := []string{
		"run", "--scale", f.scale, "--out", dir, "--speed", speedNever, "--format", "csv",
		"--seed", strconv.FormatUint(f.seed, 10), "--workers", strconv.Itoa(f.workers),
	}
	for _, glob := range s.globs(f) {
		args = append(args, "--only", glob)
	}
	cmd := s.command(ctx, args...)
	cmd.Stderr = progress
	if err := cmd.Run(); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return fmt.Errorf("the cells of %s were not carried out: %w", s.name, err)
	}
	return nil
}

// globs select the module's cells: by subject, or one by one where only some of
// them are wanted.
func (s *side) globs(f compareFlags) []string {
	var globs []string
	for _, c := range s.cells {
		glob := c.Cell
		if len(f.only) == 0 {
			glob = "*/subject=" + c.subject()
		}
		if !slices.Contains(globs, glob) {
			globs = append(globs, glob)
		}
	}
	return globs
}

func (s *side) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// complaint is what a program wrote before it failed. Bad globs are the caller's.
func (s *side) complaint(err error) error {
	failed, ok := err.(*exec.ExitError)
	if !ok || len(failed.Stderr) == 0 {
		return err
	}
	line, _, _ := strings.Cut(strings.TrimPrefix(string(failed.Stderr), "experiment: "), "\n")
	if failed.ExitCode() == exitUsage {
		return usagef("%s: %s", s.name, line)
	}
	return fmt.Errorf("%s: %s", s.name, line)
}

// A builder builds this program against other versions of libraries.
type builder struct {
	source string // as given by --source
	say    func(format string, args ...any)
}

// resolve finds exact versions of modules that some adapter serves.
func (b *builder) resolve(ctx context.Context, targets ...versions.Target) ([]versions.Target, error) {
	source, err := versions.Source(b.source, ".")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrNotComparable, err)
	}
	b.source = source
	known := ownModules()
	compared, err := versions.Compared(os.DirFS(source))
	if err != nil {
		return nil, err
	}
	known = append(known, compared...)
	exact := make([]versions.Target, len(targets))
	for i, t := range targets {
		if !slices.Contains(known, t.Module) {
			return nil, fmt.Errorf("%w: no adapter serves %s%s", engine.ErrNotComparable, t.Module, engine.Suggest(t.Module, known))
		}
		if exact[i], err = versions.Resolve(ctx, t); err != nil {
			return nil, fmt.Errorf("%w: %w", engine.ErrNotComparable, err)
		}
	}
	return exact, nil
}

// build builds against resolved targets in a folder that is made.
func (b *builder) build(ctx context.Context, dir string, targets ...versions.Target) (program string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	for _, t := range targets {
		b.say("building against %v", t)
	}
	program, err = versions.Build(ctx, b.source, dir, targets...)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", fmt.Errorf("%w: %w", engine.ErrNotComparable, err)
	}
	return filepath.Abs(program)
}
