package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/internal/versions"
)

// withFlags let a command run on other versions of libraries.
type withFlags struct {
	with   []string
	source string
}

func (w *withFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.with, "with", nil, "another version of a library, as `MODULE@VERSION` or MODULE=FOLDER; may be repeated")
	_ = cmd.RegisterFlagCompletionFunc("with", completeModules)
	registerSource(cmd, &w.source)
}

func registerSource(cmd *cobra.Command, source *string) {
	cmd.Flags().StringVar(source, "source", "", "`FOLDER` of this program's source, to build other versions of a library with")
	_ = cmd.MarkFlagDirname("source")
}

// A childError is a program that ended with a code, after it said why.
type childError struct{ code int }

func (e *childError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// isChild reports whether a child has said already what is the matter.
func isChild(err error) bool {
	_, ok := errors.AsType[*childError](err)
	return ok
}

// again builds this program against the versions asked for and lets it carry out
// the command, with the same flags. It returns what that program ended with.
func (w withFlags) again(cmd *cobra.Command) (err error) {
	targets, err := w.targets()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "experiment-with-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx := cmd.Context()
	b := builder{source: w.source, say: sayTo(cmd.ErrOrStderr())}
	if targets, err = b.resolve(ctx, targets...); err != nil {
		return err
	}
	program, err := b.build(ctx, dir, targets...)
	if err != nil {
		return err
	}
	child := exec.CommandContext(ctx, program, sameFlags(cmd, "with", "source")...)
	child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) }
	child.WaitDelay = time.Minute
	err = child.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.Exited() {
		return &childError{failed.ExitCode()}
	}
	return err
}

func (w withFlags) targets() ([]versions.Target, error) {
	var targets []versions.Target
	seen := map[string]bool{}
	for _, s := range w.with {
		t, err := versions.Parse(s)
		if err != nil {
			return nil, &engine.UsageError{Err: fmt.Errorf("--with: %w", err)}
		}
		if seen[t.Module] {
			return nil, usagef("--with names %s twice", t.Module)
		}
		seen[t.Module] = true
		targets = append(targets, t)
	}
	return targets, nil
}

// sameFlags are the arguments that call a command again with the flags that were
// set, but for some.
func sameFlags(cmd *cobra.Command, but ...string) []string {
	args := []string{cmd.Name()}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, name := range but {
			if f.Name == name {
				return
			}
		}
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, v := range values {
			args = append(args, "--"+f.Name+"="+v)
		}
	})
	return args
}
