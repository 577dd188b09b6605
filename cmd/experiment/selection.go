package main

import (
	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
)

// planFlags are the flags that choose cells.
type planFlags struct {
	scale, cell, shard string
	only               []string
}

func (p *planFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.scale, "scale", engine.CI.String(), "`SCALE` of the plan: smoke (under a minute), ci (minutes) or full (hours)")
	f.StringArrayVar(&p.only, "only", nil, "only cells that match the `GLOB`; * crosses slashes; may be repeated")
	f.StringVar(&p.cell, "cell", "", "only the cell of this exact `NAME`")
	_ = cmd.RegisterFlagCompletionFunc("scale", cobra.FixedCompletions([]string{"smoke", "ci", "full"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("only", completeCells)
	_ = cmd.RegisterFlagCompletionFunc("cell", completeCells)
}

func (p *planFlags) registerShard(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.shard, "shard", "", "only part `I/N` of the cells, counted from 1; merge joins the parts")
}

func (p *planFlags) parse() (engine.Scale, engine.Selection, error) {
	scale, err := engine.ParseScale(p.scale)
	if err != nil {
		return 0, engine.Selection{}, &engine.UsageError{Err: err}
	}
	shard, err := engine.ParseShard(p.shard)
	if err != nil {
		return 0, engine.Selection{}, &engine.UsageError{Err: err}
	}
	if p.cell != "" && len(p.only) > 0 {
		return 0, engine.Selection{}, usagef("--cell names one cell; --only cannot be given with it")
	}
	return scale, engine.Selection{Only: p.only, Cell: p.cell, Shard: shard}, nil
}

func completeCells(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, c := range engine.Cells(experiments.All, engine.CI) {
		names = append(names, c.Name())
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
