package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

func registerTrace(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVar(path, "trace", "", "`FILE` of recorded requests, to be tried as well: four whole numbers a line as in ARC's traces\n"+
		"(first block, blocks in a row from it on, two that are not used), or one key a line; plain or compressed by gzip")
}

// A givenTrace is what a trace, or none, changes about a run.
type givenTrace struct {
	experiments []engine.Experiment
	about       *record.Trace // nil for none
	worker      func() *exec.Cmd
}

// giveTrace reads a trace. What is wrong with it is a usage error.
func giveTrace(path string) (givenTrace, error) {
	if path == "" {
		return givenTrace{experiments: experiments.All, worker: func() *exec.Cmd { return workerCommand() }}, nil
	}
	requests, err := experiments.ReadTrace(path)
	if err != nil {
		return givenTrace{}, &engine.UsageError{Err: err}
	}
	about := requests.About
	w := workerTrace{path, about.SHA256, about.Requests}
	return givenTrace{w.experiments(), &about, func() *exec.Cmd { return workerCommand(w.flags()...) }}, nil
}

// A workerTrace is a trace as a worker gets it: what the trials were planned by, and
// where the requests are. Only a worker that carries out a trial on it reads them.
type workerTrace struct {
	path, digest string
	requests     int
}

func (w *workerTrace) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&w.path, "trace", "", "`FILE` of the trace")
	cmd.Flags().StringVar(&w.digest, "trace-sha256", "", "its `DIGEST`")
	cmd.Flags().IntVar(&w.requests, "trace-requests", 0, "how many requests it holds, `N`")
}

// flags are the arguments that register reads.
func (w *workerTrace) flags() []string {
	return []string{"--trace=" + w.path, "--trace-sha256=" + w.digest, "--trace-requests=" + strconv.Itoa(w.requests)}
}

// experiments are all that the worker's cells can be of.
func (w *workerTrace) experiments() []engine.Experiment {
	if w.path == "" {
		return experiments.All
	}
	about := record.Trace{Name: filepath.Base(w.path), SHA256: w.digest, Requests: w.requests}
	return experiments.WithTrace(about, func() (*experiments.Requests, error) { return experiments.ReadTrace(w.path) })
}

// experimentsOn plans what a manifest says was planned. No trial can be carried out
// on its trace.
func experimentsOn(trace *record.Trace) []engine.Experiment {
	if trace == nil {
		return experiments.All
	}
	return experiments.WithTrace(*trace, func() (*experiments.Requests, error) {
		return nil, errors.New("the requests are not at hand: results alone were read")
	})
}

// experimentsIn are those of a folder of results; where it cannot be read, all that
// need no trace.
func experimentsIn(dir string) []engine.Experiment {
	data, err := os.ReadFile(filepath.Join(dir, record.ManifestName))
	if err != nil {
		return experiments.All // whoever needs the folder says what is wrong with it
	}
	m, err := record.ReadManifest(data)
	if err != nil {
		return experiments.All
	}
	return experimentsOn(m.Trace)
}
