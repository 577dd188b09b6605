package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"

	"github.com/spf13/cobra"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/experiments/speed"
	"github.com/sketchproof/sketchproof/internal/specimens"
)

// A question is what compare asks a program that holds one version of a library.
// One of its fields is set.
type question struct {
	Subjects string         // of this module path
	Build    *specimenOrder // builds a structure
	Read     *specimenOrder // reads one
	Time     *timeOrder
}

type specimenOrder struct {
	Subject, Input string
	Seed           uint64
	Form           string // to read
	Data           []byte // to read
}

type timeOrder struct {
	Subject     string
	Keys, Round int
}

// A response is the answer to a question. Err is the harness's own fault.
type response struct {
	Subjects []specimens.Subject
	Version  string // of the module asked for, as the program was built
	Specimen *specimens.Specimen
	Lap      *speed.Lap // nil for a subject that nothing times
	Fault    string     // of a subject that could not be timed
	Err      string
}

// newAnswer is the process in which compare builds, reads and times structures.
func newAnswer(stdin io.Reader) *cobra.Command {
	return &cobra.Command{
		Use:    "answer",
		Short:  "Build, read and time structures for another process of this program",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			os.Stdout = os.Stderr // see worker
			engine.LimitMemory(engine.TrialMemory)
			questions, replies := gob.NewDecoder(stdin), gob.NewEncoder(cmd.OutOrStdout())
			for {
				var q question
				if err := questions.Decode(&q); errors.Is(err, io.EOF) {
					return nil
				} else if err != nil {
					return fmt.Errorf("answer: %w", err)
				}
				if err := replies.Encode(q.answer()); err != nil {
					return err
				}
			}
		},
	}
}

func (q question) answer() (r response) {
	var err error
	switch {
	case q.Build != nil:
		seedGlobal(q.Build.Seed)
		var s specimens.Specimen
		s, err = specimens.Build(q.Build.Subject, q.Build.Input, q.Build.Seed)
		r.Specimen = &s
	case q.Read != nil:
		seedGlobal(q.Read.Seed)
		var s specimens.Specimen
		s, err = specimens.Read(q.Read.Subject, q.Read.Input, q.Read.Seed, q.Read.Form, q.Read.Data)
		r.Specimen = &s
	case q.Time != nil:
		lap, ok, fault := speed.TimeOnce(q.Time.Subject, q.Time.Keys, q.Time.Round)
		if fault != nil {
			r.Fault = fault.Error()
		} else if ok {
			r.Lap = &lap
		}
	default:
		r.Subjects, r.Version = specimens.Subjects(q.Subjects), adapters.Version(q.Subjects)
	}
	if err != nil {
		r.Err = err.Error()
	}
	return r
}

// seedGlobal seeds the generator that some libraries draw from: both versions
// then draw the same.
func seedGlobal(seed uint64) {
	//lint:ignore SA1019 go.mod keeps it working: godebug randseednop=0
	rand.Seed(int64(seed))
}
