package main

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

// A parsed is a flag whose text is read by a function, which also says what it
// takes.
type parsed[T any] struct {
	to    *T
	parse func(string) (T, error)
	text  string
	name  string
}

func valueOf[T any](to *T, parse func(string) (T, error), name string) pflag.Value {
	return &parsed[T]{to: to, parse: parse, name: name}
}

func (p *parsed[T]) Set(s string) (err error) {
	x, err := p.parse(s)
	if err == nil {
		*p.to, p.text = x, s
	}
	return err
}

func (p *parsed[T]) String() string { return p.text }
func (p *parsed[T]) Type() string   { return p.name }

// readWorkload sets the flags that a TOML file names, but for those that were
// given beside it. An unknown name is refused with the nearest.
func readWorkload(cmd *cobra.Command, file string) error {
	var values map[string]any
	if _, err := toml.DecodeFile(file, &values); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "workload" && f.Name != "help" {
			known = append(known, f.Name)
		}
	})
	for name, value := range values {
		flag := cmd.Flags().Lookup(name)
		if flag == nil || name == "workload" || name == "help" {
			near := engine.Suggest(name, known)
			if !strings.Contains(near, "did you mean") {
				near = "; keys are the flags of `" + cmd.CommandPath() + " --help`"
			}
			return fmt.Errorf("%s: unknown key %q%s", file, name, near)
		}
		switch value.(type) {
		case string, int64, float64, bool:
		default:
			return fmt.Errorf("%s: %s is a table or a list; want a number, a text or true", file, name)
		}
		if flag.Changed {
			continue
		}
		if err := cmd.Flags().Set(name, fmt.Sprint(value)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}
