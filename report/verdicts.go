package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// verdicts is the table of every claim.
func (d *docket) verdicts(p *page) {
	p.heading(2, "Verdicts")
	p.para("One line for a claim and a law that speaks about it. The verdict is that of all cells and subjects together: " +
		"broken by one cell that breaks the law, holding only if all hold. " +
		"Measured is the worst cell, which the experiment's section names, with its interval in brackets and what the law allows there. " +
		"Laws that were judged beside the claims stand in the sections, and general checks in the league.")
	var lines [][]string
	for _, e := range d.asked {
		if strings.HasPrefix(e.Name, experiments.LeaguePrefix) {
			continue
		}
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

// claimLines are the lines of the claims of one experiment.
func (d *docket) claimLines(e engine.Experiment) [][]string {
	var lines [][]string
	judged := keep(d.rows[e.Name], record.Summary.Judged)
	for _, c := range e.Claims {
		what, source := text(c.Text), text(c.Source)
		for _, g := range groupBy(keep(judged, speaksAbout(c)), byLaw) {
			w := worst(g.rows)
			print := d.printer(w)
			measured := print.measured(w) + "<br>allowed " + print.allowed(w)
			lines = append(lines, []string{what, source, code(g.key.law), measured, verdictCell(g.rows)})
			what, source = "", ""
		}
		if what != "" {
			lines = append(lines, []string{what, source, code(c.Law), "", "not tried"})
		}
	}
	return lines
}

// speaksAbout selects the judgements that a claim means.
func speaksAbout(c engine.Claim) func(record.Summary) bool {
	return func(s record.Summary) bool {
		return (c.Metric == "" || c.Metric == s.Metric) && (c.Law == "" || c.Law == s.Law)
	}
}

// verdictCell is the verdict of judgements together, how many there are of each
// kind, and who breaks the law.
func verdictCell(rows []record.Summary) string {
	t := tallyOf(rows)
	cell := t.verdict() + "<br>" + t.counts()
	if who := breakers(rows); who != "" {
		cell += "<br>by " + text(who)
	}
	return cell
}

// namedBreakers is how many subjects are named that break a law.
const namedBreakers = 4

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
	var names []string
	for _, g := range groups[:min(namedBreakers, len(groups))] {
		names = append(names, g.key)
	}
	list := strings.Join(names, ", ")
	if more := len(groups) - len(names); more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
