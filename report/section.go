package report

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// fullLimit is how many rows are shown one by one.
const fullLimit = 30

// section is one experiment: what was asked, how it was tried, what came out.
func (d *docket) section(p *page, e engine.Experiment) {
	rows := d.rows[e.Name]
	p.heading(3, text(e.Name))
	if e.Question != "" {
		p.para("**%s**", text(e.Question))
	}
	if len(e.Claims) > 0 {
		claims := make([]string, len(e.Claims))
		for i, c := range e.Claims {
			claims[i] = fmt.Sprintf("Claim: %s (%s).", strings.TrimSuffix(text(c.Text), "."), text(c.Source))
		}
		p.list(claims)
	}
	if e.Method != "" {
		p.para("How it was tried: %s", text(e.Method))
	}
	if laws := d.laws(rows); len(laws) > 0 {
		p.list(laws)
	}
	for _, f := range d.Figures {
		switch {
		case f.Experiment != e.Name:
		case f.File == "":
			p.para("The figure “%s” was not drawn.", text(f.Title))
		default:
			p.para("![%s](%s)", text(f.Title), d.link(f.File))
		}
	}
	d.readings(p, rows)
	p.para("All rows: [%s](%s). Made by", record.SummaryName, d.link(path.Join(e.Name, record.SummaryName)))
	p.command(d.run(e.Name))
}

// laws are the laws that were judged, with their sources.
func (d *docket) laws(rows []record.Summary) []string {
	var items []string
	for _, g := range groupBy(keep(rows, record.Summary.Judged), byLaw) {
		m := d.metric(g.rows[0])
		item := fmt.Sprintf("Law %s predicts %s", code(g.key.law), code(g.key.metric))
		if m.Source != "" {
			item += fmt.Sprintf(": %s", text(m.Source))
		}
		items = append(items, strings.TrimSuffix(item, ".")+".")
	}
	return items
}

// readings are the rows: all of them if they are few, else a line for each
// subject and law, and those that do not hold.
func (d *docket) readings(p *page, rows []record.Summary) {
	name := nameLaws
	if laws := groupBy(rows, byLaw); len(laws) == 1 && laws[0].key.law != "" {
		name = func(lawKey) (metric, law string) { return "", "" } // the list of laws says it once
	}
	if len(rows) <= fullLimit {
		d.fullTable(p, rows, name)
		return
	}
	d.subjectTable(p, rows, name)
	open := keep(rows, func(s record.Summary) bool { return s.Judged() && s.Verdict != stats.Holds })
	if len(open) == 0 {
		return
	}
	slices.SortStableFunc(open, worse)
	shown := open[:min(fullLimit, len(open))]
	if len(shown) < len(open) {
		p.para("The worst %d of %d rows that do not hold:", len(shown), len(open))
	} else {
		p.para("Rows that do not hold:")
	}
	d.fullTable(p, shown, name)
}

// nameLaws are the texts of the columns of metric and law.
func nameLaws(k lawKey) (metric, law string) { return text(k.metric), code(k.law) }

// fullTable shows every row.
func (d *docket) fullTable(p *page, rows []record.Summary, name func(lawKey) (metric, law string)) {
	lines := make([][]string, len(rows))
	for i, s := range rows {
		metric, law := name(byLaw(s))
		print := d.printer(s)
		predicted := ""
		if s.Judged() && finite(s.Predicted) {
			predicted = print.number(s.Predicted)
		}
		lines[i] = []string{
			text(s.Subject), text(place(s)), metric, law, print.measured(s), predicted,
			print.allowed(s), strconv.Itoa(s.Trials), verdictOf(s),
		}
	}
	header := []string{"subject", "cell", "metric", "law", "measured", "predicted", "allowed", "trials", "verdict"}
	p.table(withoutEmpty(header, lines))
}

func verdictOf(s record.Summary) string {
	switch {
	case !s.Judged():
		return ""
	case s.Verdict == stats.Broken:
		return "**" + s.Verdict.String() + "**"
	default:
		return s.Verdict.String()
	}
}

// subjectTable has a line for each subject, metric and law.
func (d *docket) subjectTable(p *page, rows []record.Summary, name func(lawKey) (metric, law string)) {
	var lines [][]string
	for _, subject := range groupBy(rows, bySubject) {
		for _, g := range groupBy(subject.rows, byLaw) {
			metric, law := name(g.key)
			line := []string{text(subject.key), metric, law, strconv.Itoa(len(g.rows))}
			if g.key.law == "" {
				line = append(line, "", "", "", "", d.span(g.rows), "")
			} else {
				t, w := tallyOf(g.rows), worst(g.rows)
				print := d.printer(w)
				line = append(line, strconv.Itoa(t.holds), strconv.Itoa(t.broken), strconv.Itoa(t.undecided),
					text(place(w)), print.measured(w), print.allowed(w))
			}
			lines = append(lines, line)
		}
	}
	header := []string{
		"subject", "metric", "law", "cells", "hold", "broken", "undecided", "worst cell", "measured there", "allowed there",
	}
	p.table(withoutEmpty(header, lines))
}

// span is the range of the estimates of rows that nothing judges.
func (d *docket) span(rows []record.Summary) string {
	least, most := rows[0], rows[0]
	for _, s := range keep(rows, func(s record.Summary) bool { return !math.IsNaN(s.Estimate) }) {
		if !(s.Estimate >= least.Estimate) { // nor if least is no number
			least = s
		}
		if !(s.Estimate <= most.Estimate) {
			most = s
		}
	}
	print := d.printer(least)
	text := print.number(least.Estimate) + " to " + print.number(most.Estimate)
	if print.unit != "" {
		text += " " + print.unit
	}
	return text
}

// withoutEmpty leaves out the columns in which no line has anything.
func withoutEmpty(header []string, lines [][]string) ([]string, [][]string) {
	var columns []int
	for i := range header {
		if slices.ContainsFunc(lines, func(line []string) bool { return line[i] != "" }) {
			columns = append(columns, i)
		}
	}
	pick := func(line []string) []string {
		picked := make([]string, len(columns))
		for j, i := range columns {
			picked[j] = line[i]
		}
		return picked
	}
	kept := make([][]string, len(lines))
	for n, line := range lines {
		kept[n] = pick(line)
	}
	return pick(header), kept
}
