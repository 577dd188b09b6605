package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

func usagef(format string, args ...any) error {
	return &engine.UsageError{Err: fmt.Errorf(format, args...)}
}

// noArgs refuses positional arguments with a usage error.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("unexpected argument %q", args[0])
	}
	return nil
}

// needCommand makes cmd show its help when it is called alone, and refuse a
// word that is none of its commands.
func needCommand(cmd *cobra.Command) {
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
}

func unknownCommand(parent *cobra.Command, word string) error {
	var known []string
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	return usagef("unknown command %q%s", word, engine.Suggest(word, known))
}

// flagError makes a usage error of what is wrong with a flag, and names the
// nearest flags of the command when there is no such flag.
func flagError(cmd *cobra.Command, err error) error {
	missing, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return &engine.UsageError{Err: err}
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	if len(missing.GetSpecifiedName()) == 1 { // a letter is near to no name
		return usagef("%w; known: %s", err, strings.Join(known, ", "))
	}
	return usagef("%w%s", err, engine.Suggest("--"+missing.GetSpecifiedName(), known))
}

// rowFormats are the ways to print rows.
var rowFormats = []string{"text", "csv", "json"}

func unknownFormat(format string, known []string) error {
	return usagef("unknown format %q; known: %s", format, strings.Join(known, ", "))
}

func completeFormats(cmd *cobra.Command, known []string) {
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)) // fails for an unknown flag alone
}

// newHelp is cobra's help command, but for a word that is no command: cobra's
// own exits 0.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the commands, or the flags of one of them",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(cmd.Root(), args[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// refineCompletion lets cobra's completion command refuse what it does not know
// as every other command does. It writes to what is the root's output by then.
func refineCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			needCommand(c)
			for _, shell := range c.Commands() {
				shell.Args = noArgs
			}
		}
	}
}
