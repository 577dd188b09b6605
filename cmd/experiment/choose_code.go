package main

import (
	"fmt"
	"strings"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
)

// codeFor is a program that uses the first offer, after the command that gets what
// it imports.
func codeFor(a choose.Answer) (string, error) {
	first := a.Offers[0]
	spec := adapters.SnippetSpec{Keys: max(a.Workload.Keys, 1), Epsilon: first.Asked, Text: a.Workload.KeyBytes > 0}
	for _, n := range a.Workload.Needs {
		spec.Secret = spec.Secret || n == choose.NeedAdversary
	}
	if a.Workload.Kind != choose.KindFilter {
		spec.K, spec.Precision = int(first.Asked), int(first.Asked)
		spec.Width, spec.Depth = widthAndDepth(first.Parameters)
	}
	code, err := adapters.Snippet(first.Subject, spec)
	if err != nil {
		return "", err
	}
	module := first.Module
	if module == "" {
		module = "github.com/sketchproof/sketchproof"
	}
	if path, _, _ := strings.Cut(module, "@"); !strings.Contains(code, path) {
		return code, nil // the standard library alone
	}
	return "// go get " + module + " && go mod tidy\n" + code, nil
}

// widthAndDepth reads the parameters of a frequency sketch.
func widthAndDepth(parameters string) (width, depth int) {
	if _, err := fmt.Sscanf(strings.ReplaceAll(parameters, " rows of ", " "), "%d %d", &depth, &width); err != nil {
		return 0, 0
	}
	return width, depth
}
