package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// verdicts is the table of every claim and law.
func (d *docket) verdicts(p *page) {
	p.heading(2, "Verdicts")
	p.para("One line for a claim and a law that speaks about it. The verdict is that of all cells and subjects together: " +
		"broken by one cell that breaks the law, holding only if all hold. " +
		"Measured is the worst cell, with its interval in brackets and what the law allows there.")
	var lines [][]string
	for _, e := range d.asked {
		name := sectionLink(e.Name)
		for _, l := range d.claimLines(e) {
			lines = append(lines, append([]string{name}, l...))
			name = ""
		}
	}
	p.table([]string{"experiment", "claim", "source", "law", "measured", "verdict"}, lines)
	if len(d.silent) > 0 {
		p.para("Without rows here: %s.", text(strings.Join(d.silent, ", ")))
	}
}

// claimLines are the lines of one experiment: its claims, then the laws that
// were judged beside them.
func (d *docket) claimLines(e engine.Experiment) [][]string {
	var lines [][]string
	claimed := map[lawKey]bool{}
	judged := keep(d.rows[e.Name], record.Summary.Judged)
	for _, c := range e.Claims {
		what, source := text(c.Text), text(c.Source)
		for _, g := range groupBy(keep(judged, speaksAbout(c)), byLaw) {
			claimed[g.key] = true
			lines = append(lines, append([]string{what, source}, d.lawCells(g)...))
			what, source = "", ""
		}
		if what != "" {
			lines = append(lines, []string{what, source, code(c.Law), "", "not tried"})
		}
	}
	for _, g := range groupBy(judged, byLaw) {
		if claimed[g.key] {
			continue
		}
		source := d.metric(g.rows[0]).Source
		lines = append(lines, append([]string{"the law itself", text(source)}, d.lawCells(g)...))
	}
	return lines
}

// speaksAbout selects the judgements that a claim means.
func speaksAbout(c engine.Claim) func(record.Summary) bool {
	return func(s record.Summary) bool {
		return (c.Metric == "" || c.Metric == s.Metric) && (c.Law == "" || c.Law == s.Law)
	}
}

// lawCells are law, measured and verdict of the judgements under one law.
func (d *docket) lawCells(g group[lawKey]) []string {
	w := worst(g.rows)
	print := d.printer(w)
	measured := print.measured(w) + "<br>allowed " + print.allowed(w)
	where := strings.TrimSpace(w.Subject + " " + place(w))
	if len(g.rows) > 1 {
		measured += "<br>at " + text(where)
	}
	t := tallyOf(g.rows)
	verdict := t.verdict() + "<br>" + t.counts()
	if who := breakers(g.rows); who != "" {
		verdict += "<br>by " + text(who)
	}
	return []string{code(g.key.law) + "<br>" + text(g.key.metric), measured, verdict}
}

// breakers names the subjects that break the law, the most often first, or says
// that every subject does.
func breakers(rows []record.Summary) string {
	groups := groupBy(keep(rows, func(s record.Summary) bool { return s.Verdict == stats.Broken }), bySubject)
	if len(groups) == 0 {
		return ""
	}
	if all := len(groupBy(rows, bySubject)); len(groups) == all && all > 1 {
		return "every subject"
	}
	slices.SortStableFunc(groups, func(a, b group[string]) int { return cmp.Compare(len(b.rows), len(a.rows)) })
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.key
	}
	return strings.Join(names, ", ")
}
