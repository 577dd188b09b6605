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

// shownLimit is how many rows a section shows one by one. All are in their file,
// which GitHub shows as a table that can be searched.
const shownLimit = 12

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

// readings are the rows: all of them if they are few; else a line for each law,
// the worst of those that do not hold, and folded a line for each subject.
func (d *docket) readings(p *page, rows []record.Summary) {
	judged := keep(rows, record.Summary.Judged)
	name := nameLaws
	if laws := groupBy(rows, byLaw); len(laws) == 1 && laws[0].key.law != "" {
		name = func(lawKey) (metric, law string) { return "", "" } // what stands above says it once
	}
	if len(rows) <= shownLimit {
		if laws := d.laws(judged); len(laws) > 0 {
			p.list(laws)
		}
		d.fullTable(p, rows, name)
		return
	}
	d.lawTable(p, judged)
	if inLeague(rows[0]) {
		p.para("Which subject breaks what stands in [the league](#the-league).")
	} else {
		d.openRows(p, judged, name)
	}
	d.plainTable(p, keep(rows, func(s record.Summary) bool { return !s.Judged() }))
}

// laws are the laws that were judged, with their sources.
func (d *docket) laws(judged []record.Summary) []string {
	var items []string
	for _, g := range groupBy(judged, byLaw) {
		item := fmt.Sprintf("Law %s predicts %s", code(g.key.law), code(g.key.metric))
		if source := d.metric(g.rows[0]).Source; source != "" {
			item += ": " + text(source)
		}
		items = append(items, strings.TrimSuffix(item, ".")+".")
	}
	return items
}

// lawTable has a line for each law that was judged.
func (d *docket) lawTable(p *page, judged []record.Summary) {
	var lines [][]string
	for _, g := range groupBy(judged, byLaw) {
		w := worst(g.rows)
		print := d.printer(w)
		lines = append(lines, []string{
			code(g.key.law) + "<br>" + text(g.key.metric), text(d.metric(g.rows[0]).Source), verdictCell(g.rows),
			text(strings.TrimSpace(w.Subject + " " + place(w))), print.measured(w), print.allowed(w),
		})
	}
	p.table([]string{"law", "source", "verdict", "worst cell", "measured there", "allowed there"}, lines)
}

// openRows are those that do not hold: the worst of them, and if there are more
// a line for each subject, folded.
func (d *docket) openRows(p *page, judged []record.Summary, name func(lawKey) (metric, law string)) {
	open := keep(judged, func(s record.Summary) bool { return s.Verdict != stats.Holds })
	slices.SortStableFunc(open, worse)
	switch {
	case len(open) > shownLimit:
		p.para("The worst %d of %d rows that do not hold:", shownLimit, len(open))
		d.fullTable(p, open[:shownLimit], name)
		d.subjectTable(p, judged)
	case len(open) > 0:
		p.para("Rows that do not hold:")
		d.fullTable(p, open, name)
	}
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

// subjectTable has a line for each subject that breaks a law or leaves one open,
// folded. One alone has been shown.
func (d *docket) subjectTable(p *page, judged []record.Summary) {
	var lines [][]string
	var rest []string // who breaks nothing
	for _, g := range groupBy(judged, bySubject) {
		t, w := tallyOf(g.rows), worst(g.rows)
		if t.holds == t.sum() {
			rest = append(rest, g.key)
			continue
		}
		print := d.printer(w)
		lines = append(lines, []string{
			text(g.key), strconv.Itoa(t.holds), strconv.Itoa(t.broken), strconv.Itoa(t.undecided),
			code(w.Law), text(place(w)), print.measured(w), print.allowed(w),
		})
	}
	if len(lines) < 2 {
		return
	}
	p.fold(counted(len(lines), "subject", "subjects")+" that break a law or leave one undecided", func() {
		p.table([]string{"subject", "hold", "broken", "undecided", "law", "worst cell", "measured there", "allowed there"}, lines)
		if len(rest) > 0 {
			p.para("Everything holds for %s.", text(strings.Join(rest, ", ")))
		}
	})
}

// plainTable has a line for each metric of a subject that nothing judges, folded.
func (d *docket) plainTable(p *page, rows []record.Summary) {
	var lines [][]string
	for _, subject := range groupBy(rows, bySubject) {
		for _, g := range groupBy(subject.rows, byLaw) {
			lines = append(lines, []string{text(subject.key), text(g.key.metric), strconv.Itoa(len(g.rows)), d.span(g.rows)})
		}
	}
	if len(lines) > 0 {
		p.fold("Measured, and judged by no law", func() {
			p.table([]string{"subject", "metric", "cells", "least to most"}, lines)
		})
	}
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
