package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// Exit codes, part of the command's interface.
const (
	exitFine          = 0
	exitBroken        = 1 // a promise is broken, or regressed
	exitUsage         = 2
	exitInternal      = 3 // the harness itself failed, or was interrupted
	exitNotComparable = 4
)

// errBroken ends a command whose answer is that a promise does not hold. The
// answer itself has been written by then.
var errBroken = errors.New("a promise is broken")

// run is the whole command. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot(stdin)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	refineCompletion(root)
	err := root.ExecuteContext(ctx)
	code := exitCode(err)
	switch {
	case code == exitFine || errors.Is(err, errBroken) || isChild(err):
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "experiment: interrupted; the same command goes on from here")
	default:
		fmt.Fprintln(stderr, "experiment:", err)
		if code == exitUsage {
			fmt.Fprintln(stderr, "`experiment help` shows commands and flags.")
		}
	}
	return code
}

func exitCode(err error) int {
	var usage *engine.UsageError
	var child *childError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &child):
		return child.code
	case errors.Is(err, errBroken):
		return exitBroken
	case errors.Is(err, engine.ErrNotComparable):
		return exitNotComparable
	case errors.As(err, &usage):
		return exitUsage
	default:
		return exitInternal
	}
}

func newRoot(stdin io.Reader) *cobra.Command {
	root := &cobra.Command{
		Use:   "experiment",
		Short: "Put the error promises of probabilistic data structures on trial",
		Long: "experiment builds probabilistic data structures, native and third-party, many times over,\n" +
			"measures what they promise, and says of every law whether it holds, is broken, or undecided.",
		Example: "  experiment list --scale smoke\n" +
			"  experiment run --scale smoke --out /tmp/results\n" +
			"  experiment run --only 'bloom/fpr/subject=bits-and-blooms*' --out /tmp/results\n" +
			"  experiment check --scale smoke",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	needCommand(root)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(newList(), newRun(), newCheck(), newChoose(), newCompare(), newMerge(), newReport(), newVersion(), newCalibrate(), newRegret(), newPhase(), newGauge(stdin), newWorker(stdin), newAnswer(stdin))
	root.SetHelpCommand(newHelp())
	return root
}
