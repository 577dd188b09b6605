package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// glanceLimit is the length of a table that is still read at a glance.
const glanceLimit = 50

// glance says in ten seconds what is broken.
func (d *docket) glance(p *page) {
	p.heading(2, "At a glance")
	judged := keep(d.all(), record.Summary.Judged)
	t := tallyOf(judged)
	p.para("%s, of %s on %s in %s: **%d hold, %d broken, %d undecided.**",
		counted(t.sum(), "judgement", "judgements"),
		counted(len(groupBy(judged, func(s record.Summary) string { return s.Law })), "law", "laws"),
		counted(len(groupBy(judged, bySubject)), "subject", "subjects"),
		counted(len(groupBy(judged, func(s record.Summary) string { return s.Cell })), "cell", "cells"),
		t.holds, t.broken, t.undecided)
	library := func(s record.Summary) bool { return d.modules[s.Subject] != "" }
	native := func(s record.Summary) bool { return !library(s) }
	var lines [][]string
	for _, kind := range []struct {
		name string
		test func(record.Summary) bool
	}{{"native structures", native}, {"libraries", library}} {
		if rows := keep(judged, kind.test); len(rows) > 0 {
			t := tallyOf(rows)
			lines = append(lines, []string{
				kind.name, strconv.Itoa(len(groupBy(rows, bySubject))),
				strconv.Itoa(t.holds), strconv.Itoa(t.broken), strconv.Itoa(t.undecided),
			})
		}
	}
	p.table([]string{"", "subjects", "hold", "broken", "undecided"}, lines)
	var open []string
	for _, g := range groupBy(keep(judged, func(s record.Summary) bool { return s.Verdict == stats.Undecided }), byExperiment) {
		open = append(open, strconv.Itoa(len(g.rows))+" in "+sectionLink(g.key))
	}
	if len(open) > 0 {
		p.para("Undecided: %s.", strings.Join(open, ", "))
	}
	broken := keep(judged, func(s record.Summary) bool { return s.Verdict == stats.Broken })
	if len(broken) == 0 {
		p.para("Nothing is broken.")
		return
	}
	general := keep(broken, inLeague)
	if len(general) > 0 {
		p.para("%s of the broken ones come from the general checks of [the league](#the-league), and stand there.", counted(len(general), "judgement", "judgements"))
	}
	broken = keep(broken, func(s record.Summary) bool { return !inLeague(s) })
	common, broken := byMost(broken, judged)
	if len(common) > 0 {
		p.heading(3, "Broken by most subjects")
		p.para("What most of the subjects tried break, and at least %d of them, says more of the law than of them.", manyBreak)
		d.commonTable(p, common)
	}
	if rows := keep(broken, library); len(rows) > 0 {
		p.heading(3, "Broken by libraries")
		d.brokenTable(p, rows)
	}
	if rows := keep(broken, native); len(rows) > 0 {
		p.heading(3, "Broken by native structures")
		p.para("Such a law is only near the truth, or the structure has a fault. Its experiment tells which.")
		d.brokenTable(p, rows)
	}
}

// A charge is a law as an experiment tries it.
type charge struct {
	experiment string
	lawKey
}

func byCharge(s record.Summary) charge { return charge{byExperiment(s), byLaw(s)} }

// manyBreak is how many subjects make the most of those tried worth a word:
// of two, one more would be all.
const manyBreak = 3

// A commonFault is a law that most of the subjects break that it was tried on.
type commonFault struct {
	charge
	broken []record.Summary
	tried  int // subjects
}

// byMost parts broken rows into laws that most subjects break and the rest.
func byMost(broken, judged []record.Summary) (common []commonFault, rest []record.Summary) {
	subjects := map[charge]int{}
	for _, g := range groupBy(judged, byCharge) {
		subjects[g.key] = len(groupBy(g.rows, bySubject))
	}
	for _, g := range groupBy(broken, byCharge) {
		if n := len(groupBy(g.rows, bySubject)); n >= manyBreak && 2*n > subjects[g.key] {
			common = append(common, commonFault{g.key, g.rows, subjects[g.key]})
		} else {
			rest = append(rest, g.rows...)
		}
	}
	return common, rest
}

// commonTable has one line for each law, with the worst cell of all subjects.
func (d *docket) commonTable(p *page, faults []commonFault) {
	var lines [][]string
	for _, f := range faults {
		w := worst(f.broken)
		print := d.printer(w)
		lines = append(lines, []string{
			sectionLink(f.experiment), code(f.law), text(f.metric),
			fmt.Sprintf("%d of %d", len(groupBy(f.broken, bySubject)), f.tried), strconv.Itoa(len(f.broken)),
			text(w.Subject), text(place(w)), print.measured(w), print.allowed(w), times(w),
		})
	}
	p.table([]string{
		"experiment", "law", "metric", "broken by", "broken cells", "worst subject", "its worst cell", "measured there", "allowed", "times the law",
	}, lines)
}

// brokenTable has one line for each law that a subject breaks, with its worst
// cell, the lines of a subject together.
func (d *docket) brokenTable(p *page, broken []record.Summary) {
	var lines [][]string
	left := 0
	for _, subject := range groupBy(broken, bySubject) {
		name := text(subject.key)
		for _, g := range groupBy(subject.rows, byCharge) {
			if len(lines) == glanceLimit {
				left++
				continue
			}
			w := worst(g.rows)
			print := d.printer(w)
			lines = append(lines, []string{
				name, sectionLink(g.key.experiment), code(g.key.law), text(g.key.metric), strconv.Itoa(len(g.rows)),
				text(place(w)), print.measured(w), print.allowed(w), times(w),
			})
			name = "" // once is enough
		}
	}
	p.table([]string{
		"subject", "experiment", "law", "metric", "broken cells", "worst cell", "measured there", "allowed", "times the law",
	}, lines)
	if left > 0 {
		p.para("%s more: see the verdicts.", counted(left, "line", "lines"))
	}
}

func sectionLink(experiment string) string {
	return "[" + text(experiment) + "](#" + anchor(experiment) + ")"
}
