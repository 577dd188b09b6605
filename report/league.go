package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/experiments"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// inLeague reports whether a row comes from the checks that all subjects of a kind
// go through.
func inLeague(s record.Summary) bool { return strings.HasPrefix(s.Cell, experiments.LeaguePrefix) }

// property is what a row of the league holds its subject to.
func property(s record.Summary) sketchproof.Property {
	_, labels := record.ParseCell(s.Cell)
	return sketchproof.Property(labels.Value("property"))
}

// league says which promises each subject keeps: a table for each kind, then what
// breaks, with the smallest input that shows it.
func (d *docket) league(p *page) {
	kinds := groupBy(keep(d.all(), func(s record.Summary) bool { return inLeague(s) && s.Judged() }), byExperiment)
	if len(kinds) == 0 {
		return
	}
	p.heading(2, "The league")
	p.para("Every library, and every structure of ours, through the same general checks; none of them knows a library. " +
		"A field says how many checks of a property hold; broken ones come with how many times the law was measured in the worst of them, where that is a number. " +
		"**In brackets**: the library's documentation, as far as we found, promises nothing of the kind; then nobody is to blame. " +
		"What a library does otherwise than these checks expect may be by design: its maintainers know best, and a correction is welcome. " +
		"The same checks run from a library's own test: see package `sketchtest`.")
	for _, kind := range kinds {
		d.leagueTable(p, kind)
	}
	broken := keep(d.all(), func(s record.Summary) bool { return inLeague(s) && s.Verdict == stats.Broken && s.Judged() })
	if len(broken) == 0 {
		p.para("Nothing is broken.")
		return
	}
	p.heading(3, "What breaks, and an input that shows it")
	p.para("The worst check of each property that a subject breaks. Any of them runs alone, in seconds: " +
		"`bin/experiment run --out /tmp/r --cell` and its name.")
	d.leagueBroken(p, broken)
}

// leagueTable has a line for each subject of a kind and a column for each property
// that is asked of any.
func (d *docket) leagueTable(p *page, kind group[string]) {
	p.heading(3, text(strings.TrimPrefix(kind.key, experiments.LeaguePrefix)))
	header := []string{"subject", "version"}
	columns := groupBy(kind.rows, property)
	for _, c := range columns {
		header = append(header, text(string(c.key)))
	}
	subjects := groupBy(kind.rows, bySubject)
	// Libraries first, then ours, each in the order of the catalogue.
	slices.SortStableFunc(subjects, func(a, b group[string]) int { return ownership(d.modules[a.key]) - ownership(d.modules[b.key]) })
	lines := make([][]string, len(subjects))
	for i, s := range subjects {
		lines[i] = []string{text(s.key), version(d.modules[s.key])}
		for _, c := range columns {
			rows := keep(s.rows, func(r record.Summary) bool { return property(r) == c.key })
			lines[i] = append(lines[i], d.standing(s.key, c.key, rows))
		}
	}
	p.table(header, lines)
}

// ownership puts libraries before our own.
func ownership(module string) int {
	if module == "" {
		return 1
	}
	return 0
}

// version is that of a module, as code: its path is beside its other rows.
func version(module string) string {
	path, v, _ := strings.Cut(module, "@")
	if path == "" {
		return "ours"
	}
	return code(path) + " " + text(v)
}

// standing is a field of the league.
func (d *docket) standing(subject string, of sketchproof.Property, rows []record.Summary) string {
	if len(rows) == 0 {
		return ""
	}
	t := tallyOf(rows)
	field := fmt.Sprintf("%s %d of %d", stats.Holds, t.holds, t.sum())
	switch {
	case t.broken > 0:
		field = fmt.Sprintf("%s %d of %d", t.verdict(), t.broken, t.sum())
		if x := times(worst(rows)); x != "" {
			field += ", " + x + " times"
		}
	case t.undecided > 0:
		field = fmt.Sprintf("%s %d of %d", stats.Undecided, t.undecided, t.sum())
	}
	if d.modules[subject] != "" && d.promise(subject, of) == nil {
		return "(" + field + ")"
	}
	return field
}

// promise is what the documentation of a subject says about a property, nil if
// nothing was found.
func (d *docket) promise(subject string, of sketchproof.Property) *sketchproof.Promise {
	list := d.Promises[subject]
	if i := slices.IndexFunc(list, func(q sketchproof.Promise) bool { return q.Of == of }); i >= 0 {
		return &list[i]
	}
	return nil
}

// leagueBroken has a line for each property that a subject breaks.
func (d *docket) leagueBroken(p *page, broken []record.Summary) {
	type fault struct {
		subject string
		of      sketchproof.Property
	}
	groups := groupBy(broken, func(s record.Summary) fault { return fault{s.Subject, property(s)} })
	slices.SortStableFunc(groups, func(a, b group[fault]) int {
		return ownership(d.modules[a.key.subject]) - ownership(d.modules[b.key.subject])
	})
	lines := make([][]string, len(groups))
	for i, g := range groups {
		w := worst(g.rows)
		print := d.printer(w)
		said := "nothing found"
		if q := d.promise(w.Subject, g.key.of); q != nil {
			said = "“" + text(q.Text) + "” (" + text(q.Where) + ")"
		} else if d.modules[w.Subject] == "" {
			said = "the contract of our own"
		}
		lines[i] = []string{
			text(w.Subject), text(string(g.key.of)), code(w.Cell), code(w.Law), print.measured(w), print.allowed(w), text(w.Input), said,
		}
	}
	p.table([]string{"subject", "property", "cell", "law", "measured", "allowed", "smallest input", "its documentation says"}, lines)
}
