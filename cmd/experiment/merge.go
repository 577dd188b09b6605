package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

func newMerge() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge --out DIR SHARD...",
		Short: "Join the results of all shards of a run into one folder",
		Long:  "merge joins the folders that `run --shard i/n` wrote, byte for byte what one run would have written.",
		Example: "  experiment run --shard 1/2 --out part1\n  experiment run --shard 2/2 --out part2\n" +
			"  experiment merge --out results part1 part2",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("merge needs the folders of all shards")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			manifest, err := engine.Merge(experimentsIn(args[0]), out, args)
			if err != nil {
				return err
			}
			if err := drawFigures(out); err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d files of %d shards joined in %s\n", len(manifest.Files), len(args), out)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "results", "`DIR` to write to")
	return cmd
}
