package report

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

// An Input is all that a report is written from.
type Input struct {
	Manifest record.Manifest
	// Rows are the judgements and plain readings of the folder.
	Rows []record.Summary
	// Experiments are asked in this order. Rows of others come after them.
	Experiments []engine.Experiment
	// Cells are the plan of the manifest's scale: they know laws' sources, units
	// and modules.
	Cells []engine.Cell
	// Figures are shown in this order in their experiments' sections.
	Figures []Figure
	// Promises are what the documentation of libraries says, by subject.
	Promises map[string][]sketchproof.Promise
	// Tables are timings and memory, as they are to be printed.
	Tables []Table
	// Choosing are what was found of choices: the winners, and what a choice costs.
	Choosing []Table
	// Folder is the folder of results as seen from the report, with slashes.
	Folder string
	// DefaultSeed is the root seed of a command without --seed.
	DefaultSeed uint64
}

// A Figure is a picture that belongs to an experiment.
type Figure struct {
	Experiment string
	File       string // below the folder of results, with slashes; "" if it was not drawn
	Title      string
}

// A Table is a table that the report takes as it is, with the text of its cells.
type Table struct {
	Title   string
	Header  []string
	Rows    [][]string // each as wide as the header
	Note    string     // where and how it was taken; an empty line parts paragraphs
	Command string     // what made it, "" if unknown
	File    string     // a picture of it, below the folder of results, with slashes; "" for none
}

// Render writes the report as GitHub markdown. It panics when a row of a Table
// is shorter than its header.
func Render(in Input) []byte {
	d := newDocket(in)
	p := &page{}
	d.head(p)
	d.glance(p)
	d.league(p)
	d.verdicts(p)
	p.heading(2, "Experiments")
	for _, e := range d.asked {
		d.section(p, e)
	}
	d.speed(p)
	d.choosing(p)
	d.method(p)
	d.mislead(p)
	return []byte(p.b.String())
}

// A docket is the input in the order in which the report speaks of it.
type docket struct {
	Input
	asked    []engine.Experiment         // those with rows
	silent   []string                    // the names of those without
	rows     map[string][]record.Summary // by experiment
	metrics  map[metricKey]engine.Metric
	modules  map[string]string   // by subject, as path@version
	percents map[metricName]bool // metrics whose numbers are fractions of one
}

// A metricKey is a metric of a cell under a law.
type metricKey struct {
	cell string
	lawKey
}

// A metricName is a metric of an experiment.
type metricName struct{ experiment, metric string }

func newDocket(in Input) *docket {
	d := &docket{
		Input: in, rows: map[string][]record.Summary{}, metrics: map[metricKey]engine.Metric{},
		modules: map[string]string{}, percents: map[metricName]bool{},
	}
	for _, c := range in.Cells {
		if c.Module != "" {
			d.modules[c.Subject()] = c.Module
		}
		for _, m := range c.Metrics {
			d.metrics[metricKey{c.Name(), lawKey{m.Name, m.Law}}] = m
		}
	}
	groups := groupBy(in.Rows, byExperiment)
	slices.SortStableFunc(groups, func(a, b group[string]) int { return cmp.Compare(a.key, b.key) })
	for _, g := range groups {
		d.rows[g.key] = g.rows
	}
	known := map[string]bool{}
	for _, e := range in.Experiments {
		known[e.Name] = true
		if len(d.rows[e.Name]) > 0 {
			d.asked = append(d.asked, e)
		} else {
			d.silent = append(d.silent, e.Name)
		}
	}
	for _, g := range groups {
		if !known[g.key] {
			d.asked = append(d.asked, engine.Experiment{Name: g.key})
		}
		for _, m := range groupBy(g.rows, func(s record.Summary) string { return s.Metric }) {
			d.percents[metricName{g.key, m.key}] = d.fractions(m.rows)
		}
	}
	return d
}

// fractions reports whether the numbers of a metric are shares, rates or
// relative errors: without a unit, and none of them beyond one.
func (d *docket) fractions(rows []record.Summary) bool {
	return !slices.ContainsFunc(rows, func(s record.Summary) bool {
		return d.metric(s).Unit != "" || beyondOne(s.Estimate) || beyondOne(s.Predicted)
	})
}

func beyondOne(x float64) bool { return finite(x) && (x > 1 || x < -1) }

// metric is what the plan says about the row; the zero Metric if nothing.
func (d *docket) metric(s record.Summary) engine.Metric {
	return d.metrics[metricKey{s.Cell, byLaw(s)}]
}

func (d *docket) printer(s record.Summary) printer {
	return printer{d.percents[metricName{byExperiment(s), s.Metric}], d.metric(s).Unit}
}

// all are the rows in the order of the report.
func (d *docket) all() []record.Summary {
	var rows []record.Summary
	for _, e := range d.asked {
		rows = append(rows, d.rows[e.Name]...)
	}
	return rows
}

// link is an address below the folder of results.
func (d *docket) link(file string) string {
	return strings.ReplaceAll(path.Join(d.Folder, file), " ", "%20")
}

// head says what this is and where it comes from.
func (d *docket) head(p *page) {
	p.heading(1, "Error promises on trial")
	p.para("A probabilistic data structure is a promise about error. Here each promise is put on trial: " +
		"the structure is built many times, what it promises is measured, and the law that predicts it is judged. " +
		"Native structures and third-party libraries are judged by the same laws. " +
		"A law holds, is broken, or stays undecided; [Method](#method) says when.")
	m := d.Manifest
	p.para("Generated by `make experiments` from the rows in [%s](%s). Do not edit: the next run writes it anew. "+
		"Scale %s, root seed %d, %s, %s.", text(d.Folder), d.link(""), m.Scale, m.Seed, m.Go, m.Arch)
	var modules []string
	for _, name := range slices.Sorted(maps.Keys(m.Modules)) {
		modules = append(modules, code(name)+" "+m.Modules[name])
	}
	if len(modules) > 0 {
		p.para("Libraries on trial: %s.", strings.Join(modules, ", "))
	}
	var part []string
	if m.Shard != "" {
		part = append(part, "shard "+m.Shard)
	}
	for _, glob := range m.Only {
		part = append(part, "cells "+code(glob))
	}
	if len(part) > 0 {
		p.para("**These rows are a part of the plan:** %s.", strings.Join(part, ", "))
	}
}

// run is the command that makes an experiment's rows again. It writes apart: a
// part of the plan must not replace the whole.
func (d *docket) run(experiment string) string {
	seed := ""
	if d.Manifest.Seed != d.DefaultSeed {
		seed = fmt.Sprintf(" --seed %d", d.Manifest.Seed)
	}
	return fmt.Sprintf("bin/experiment run --scale %s --only '%s'%s --out /tmp/results", d.Manifest.Scale, experiment, seed)
}
