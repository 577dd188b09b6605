package main

import (
	"io"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

// newWorker is the process that carries out trials for run and check.
func newWorker(stdin io.Reader) *cobra.Command {
	var given workerTrace
	cmd := &cobra.Command{
		Use:    "worker",
		Short:  "Carry out trials for another process of this program",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// A library that prints would garble the replies: what it writes to
			// standard output goes to standard error instead.
			os.Stdout = os.Stderr
			return engine.Serve(given.experiments(), stdin, cmd.OutOrStdout())
		},
	}
	given.register(cmd)
	return cmd
}

// workerCommand is the command of a fresh worker: this very program.
func workerCommand(flags ...string) *exec.Cmd {
	return &exec.Cmd{Path: engine.Program(), Args: append([]string{os.Args[0], "worker"}, flags...)}
}
