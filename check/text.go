package check

import (
	"bufio"
	"cmp"
	"fmt"
	"io"

	"github.com/sketchproof/sketchproof/record"
)

// mostLines is how many findings of a kind the text shows unless it is verbose.
// Broken laws are all named.
const mostLines = 20

// remedy is what to do about figures that were meant to change.
const remedy = "A change that is meant: run the experiments again and commit results with it."

// WriteText writes a report for people: what fails first. Known broken and new
// judgements are counted by experiment, subject and law unless verbose.
func (r Report) WriteText(w io.Writer, verbose bool) error {
	b := bufio.NewWriter(w) // Flush returns the first error
	for _, k := range Kinds {
		found := r.of(k)
		if (k == KnownBroken || k == New) && !verbose {
			writeGroups(b, k, found)
			continue
		}
		shown := found
		if k != Regressed && !verbose {
			shown = found[:min(mostLines, len(found))]
		}
		for _, f := range shown {
			fmt.Fprintf(b, "%-12s %s\n%13s%s%s\n", k, f.Now.Cell, "", lawPrefix(f.Now), f.Message())
		}
		writeRest(b, k, len(found)-len(shown))
	}
	if r.Apart != "" {
		fmt.Fprintf(b, "compared by verdict and interval alone: %s\n", r.Apart)
	}
	fmt.Fprintln(b, r.summary())
	if r.Failed() {
		fmt.Fprintln(b, remedy)
	}
	return b.Flush()
}

func lawPrefix(s record.Summary) string {
	if !s.Judged() {
		return ""
	}
	return "law " + s.Law + ": "
}

// A group is a number of findings that need no line each.
type group struct{ experiment, subject, law string }

func (g group) String() string {
	if g.law == "" {
		return fmt.Sprintf("%s of %s", g.experiment, g.subject)
	}
	return fmt.Sprintf("%s of %s, law %s", g.experiment, g.subject, g.law)
}

// groups counts findings by group, in order of appearance.
func groups(found []Finding) (order []group, count map[group]int) {
	count = map[group]int{}
	for _, f := range found {
		experiment, _ := record.ParseCell(f.Now.Cell)
		g := group{experiment, f.Now.Subject, f.Now.Law}
		if count[g] == 0 {
			order = append(order, g)
		}
		count[g]++
	}
	return order, count
}

func writeGroups(w io.Writer, k Kind, found []Finding) {
	order, count := groups(found)
	shown := order[:min(mostLines, len(order))]
	rest := len(found)
	for _, g := range shown {
		fmt.Fprintf(w, "%-12s %s: %s\n", k, g, judgements(count[g]))
		rest -= count[g]
	}
	writeRest(w, k, rest)
}

func writeRest(w io.Writer, k Kind, n int) {
	if n > 0 {
		fmt.Fprintf(w, "%-12s and %d more; --verbose names all\n", k, n)
	}
}

func judgements(n int) string {
	if n == 1 {
		return "1 judgement"
	}
	return fmt.Sprintf("%d judgements", n)
}

// summary is the whole report in a line.
func (r Report) summary() string {
	text := fmt.Sprintf("%s against %s: ", judgements(len(r.Judgements)), cmp.Or(r.Baseline, "the baseline"))
	if len(r.Findings) == 0 {
		return text + "nothing changed"
	}
	comma := ""
	for _, k := range Kinds {
		if n := r.Count(k); n > 0 {
			text += fmt.Sprintf("%s%d %s", comma, n, k)
			comma = ", "
		}
	}
	return text
}
