package check

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteAnnotations writes a report as GitHub workflow commands: an error for
// every finding that fails, a notice for every mended law and one for all that is
// known. The forge shows a few of them and keeps the rest in the log.
func (r Report) WriteAnnotations(w io.Writer) error {
	b := bufio.NewWriter(w) // Flush returns the first error
	for _, f := range r.Findings {
		switch {
		case f.Kind.Fails():
			annotate(b, "error", f.title(), f.Now.Cell+": "+f.Message())
		case f.Kind == Mended:
			annotate(b, "notice", f.title(), f.Now.Cell+": "+f.Message())
		}
	}
	if order, count := groups(r.of(KnownBroken)); len(order) > 0 {
		lines := make([]string, len(order))
		for i, g := range order {
			lines[i] = fmt.Sprintf("%s: %s", g, judgements(count[g]))
		}
		annotate(b, "notice", KnownBroken.String(), strings.Join(lines, "\n"))
	}
	fmt.Fprintln(b, r.summary())
	return b.Flush()
}

// title is the kind and the law, or the metric where no law speaks.
func (f Finding) title() string {
	if f.Now.Judged() {
		return f.Kind.String() + ": " + f.Now.Law
	}
	return f.Kind.String() + ": " + f.Now.Metric
}

// In a workflow command a line break ends the message, and in a property colon
// and comma end the value; the percent sign begins an escape (GitHub Actions
// toolkit, packages/core/src/command.ts, escapeData and escapeProperty).
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(w io.Writer, level, title, message string) {
	fmt.Fprintf(w, "::%s title=%s::%s\n", level, escapeProperty.Replace(title), escapeData.Replace(message))
}

// mostTableRows keeps a job summary far below the 1 MiB that GitHub takes.
const mostTableRows = 500

// WriteMarkdown writes a report as a page of Markdown, made for a job summary:
// what fails as a table, what is known folded away.
func (r Report) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w) // Flush returns the first error
	heading := "Every promise is as before"
	if r.Failed() {
		heading = "The results differ from the baseline"
	}
	fmt.Fprintf(b, "## %s\n\n%s\n", heading, escapeMarkdown.Replace(r.summary()))
	if r.Apart != "" {
		fmt.Fprintf(b, "\nCompared by verdict and interval alone: %s\n", escapeMarkdown.Replace(r.Apart))
	}
	var shown, known []Finding
	for _, f := range r.Findings {
		switch {
		case f.Kind.Fails() || f.Kind == Mended:
			shown = append(shown, f)
		case f.Kind == KnownBroken:
			known = append(known, f)
		}
	}
	writeMarkdownTable(b, shown)
	if order, count := groups(known); len(order) > 0 {
		fmt.Fprintf(b, "\n<details><summary>%s known to be broken</summary>\n\n", judgements(len(known)))
		for _, g := range order {
			fmt.Fprintf(b, "- %s: %s\n", escapeMarkdown.Replace(g.String()), judgements(count[g]))
		}
		fmt.Fprint(b, "\n</details>\n")
	}
	if r.Failed() {
		fmt.Fprintf(b, "\n%s\n", remedy)
	}
	return b.Flush()
}

func writeMarkdownTable(w io.Writer, found []Finding) {
	if len(found) == 0 {
		return
	}
	fmt.Fprint(w, "\n| | law | cell | |\n|---|---|---|---|\n")
	for _, f := range found[:min(mostTableRows, len(found))] {
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", f.Kind, escapeMarkdown.Replace(f.Now.Law),
			escapeMarkdown.Replace(f.Now.Cell), escapeMarkdown.Replace(f.Message()))
	}
	if n := len(found) - mostTableRows; n > 0 {
		fmt.Fprintf(w, "\nand %d more\n", n)
	}
}

// escapeMarkdown keeps names from ending a table cell or becoming markup.
var escapeMarkdown = strings.NewReplacer("|", "\\|", "<", "&lt;", ">", "&gt;", "*", "\\*", "_", "\\_", "`", "\\`", "\r", " ", "\n", " ")
