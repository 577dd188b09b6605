package check

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// WriteAnnotations writes GitHub workflow commands: an error for all that
// regressed, a notice for what is mended.
func (v Versus) WriteAnnotations(w io.Writer) error {
	b := bufio.NewWriter(w) // Flush returns the first error
	for _, s := range v.sections(true) {
		for _, l := range s.lines {
			switch l.Word {
			case word(Regressed):
				annotate(b, "error", v.title(), l.Text)
			case word(Mended):
				annotate(b, "notice", v.title(), "mended: "+l.Text)
			}
		}
	}
	fmt.Fprintf(b, "%s: %s\n", v.title(), v.Verdict())
	return b.Flush()
}

func (v Versus) title() string { return fmt.Sprintf("%s %s, before %s", v.Module, v.Now, v.Before) }

// WriteMarkdown writes a page for a job summary: what regressed or is mended as
// tables, the rest folded away.
func (v Versus) WriteMarkdown(w io.Writer) error {
	b := bufio.NewWriter(w) // Flush returns the first error
	fmt.Fprintf(b, "## %s\n\n%s: %s\n", escapeMarkdown.Replace(v.Verdict()), "`"+v.Module+"`", escapeMarkdown.Replace(v.Now+", before "+v.Before))
	for _, l := range v.absences() {
		fmt.Fprintf(b, "\n- %s", escapeMarkdown.Replace(l))
	}
	for _, n := range v.Notes {
		fmt.Fprintf(b, "\n- %s", escapeMarkdown.Replace(n))
	}
	var shown, rest []section
	for _, s := range v.sections(false) {
		grave, light := s, s
		grave.lines, light.lines = nil, nil
		for _, l := range s.lines {
			if l.Word == word(Regressed) || l.Word == word(Mended) {
				grave.lines = append(grave.lines, l)
			} else {
				light.lines = append(light.lines, l)
			}
		}
		shown, rest = append(shown, grave), append(rest, light)
	}
	writeSections(b, shown, false)
	fmt.Fprint(b, "\n<details><summary>All that was compared</summary>\n")
	writeSections(b, rest, true)
	fmt.Fprint(b, "\n</details>\n")
	return b.Flush()
}

func writeSections(w io.Writer, list []section, empty bool) {
	for _, s := range list {
		if len(s.lines) == 0 && !empty {
			continue
		}
		fmt.Fprintf(w, "\n### %s\n", escapeMarkdown.Replace(s.title))
		if len(s.lines) == 0 {
			continue
		}
		fmt.Fprint(w, "\n| | |\n|---|---|\n")
		for _, l := range s.lines[:min(mostTableRows, len(s.lines))] {
			fmt.Fprintf(w, "| %s | %s |\n", l.Word, escapeMarkdown.Replace(l.Text))
		}
		if n := len(s.lines) - mostTableRows; n > 0 {
			fmt.Fprintf(w, "\nand %d more\n", n)
		}
	}
}

// WriteJSON writes the whole comparison as one JSON object.
func (v Versus) WriteJSON(w io.Writer) error {
	type speed struct {
		Subject    string `json:"subject"`
		Op         string `json:"op"`
		Rounds     int    `json:"rounds"`
		Ratio      figure `json:"ratio"`
		Lo         figure `json:"lo"`
		Hi         figure `json:"hi"`
		Confidence figure `json:"confidence"`
	}
	o := struct {
		Module    string        `json:"module"`
		Before    string        `json:"before"`
		Now       string        `json:"now"`
		Failed    bool          `json:"failed"`
		Regressed int           `json:"regressed"`
		Mended    int           `json:"mended"`
		Subjects  []string      `json:"subjects"`
		Absent    []Absence     `json:"absent"`
		Notes     []string      `json:"notes"`
		Inputs    []line        `json:"inputs"`
		Findings  []jsonFinding `json:"findings"`
		Reads     []line        `json:"reads"`
		Sizes     []SizeChange  `json:"sizes"`
		Speeds    []speed       `json:"speeds"`
	}{
		Module: v.Module, Before: v.Before, Now: v.Now, Failed: v.Failed(), Regressed: v.count(Regressed), Mended: v.count(Mended),
		Subjects: list(v.Subjects), Absent: list(v.Absent), Notes: list(v.Notes), Sizes: list(v.Sizes),
		Inputs: []line{}, Findings: []jsonFinding{}, Reads: []line{}, Speeds: []speed{},
	}
	o.Inputs = append(o.Inputs, v.inputLines().lines...)
	for _, f := range v.Promises.Findings {
		j := newJSONFinding(f)
		j.Fails = f.Kind == Regressed
		o.Findings = append(o.Findings, j)
	}
	o.Reads = append(o.Reads, v.readLines().lines...)
	for _, p := range v.Speeds {
		o.Speeds = append(o.Speeds, speed{p.Subject, p.Op, p.Rounds, figure(p.Ratio), figure(p.Lo), figure(p.Hi), figure(p.Confidence)})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(o)
}

// list is a slice that prints as [] when it is empty.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
