package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the versions of this program and of every library on trial",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			own := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				own = info.Main.Version
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "experiment %s %s %s/%s\n", own, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			seen := map[string]bool{"": true}
			for _, c := range engine.Cells(experiments.All, engine.Full) {
				if !seen[c.Module] {
					seen[c.Module] = true
					fmt.Fprintln(w, c.Module)
				}
			}
			return nil
		},
	}
}
