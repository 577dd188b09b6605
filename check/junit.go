package check

import (
	"encoding/xml"
	"io"
	"strings"

	"github.com/sketchproof/sketchproof/record"
)

type (
	junitSuites struct {
		XMLName  xml.Name      `xml:"testsuites"`
		Name     string        `xml:"name,attr"`
		Tests    int           `xml:"tests,attr"`
		Failures int           `xml:"failures,attr"`
		Suites   []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Cases    []*junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitFailure `xml:"failure"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
	}
)

// WriteJUnit writes a report as JUnit XML: a suite for every experiment, a case
// for every judgement of this run and every missing one. What is known or mended
// is the output of a case that passes.
func (r Report) WriteJUnit(w io.Writer) error {
	found := map[key][]Finding{}
	rows := r.Judgements
	for _, f := range r.Findings {
		k := keyOf(f.Now)
		found[k] = append(found[k], f)
		if f.absent() {
			rows = append(rows[:len(rows):len(rows)], f.Now)
		}
	}
	all := junitSuites{Name: "sketchproof"}
	suites := map[string]*junitSuite{}
	for _, row := range rows {
		experiment, _ := record.ParseCell(row.Cell)
		s := suites[experiment]
		if s == nil {
			s = &junitSuite{Name: experiment}
			suites[experiment] = s
			all.Suites = append(all.Suites, s)
		}
		c := newJUnitCase(experiment, row, found[keyOf(row)])
		s.Cases = append(s.Cases, c)
		s.Tests++
		all.Tests++
		if c.Failure != nil {
			s.Failures++
			all.Failures++
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func newJUnitCase(experiment string, row record.Summary, found []Finding) *junitCase {
	name := row.Cell + " " + row.Metric
	if row.Judged() {
		name += " " + row.Law
	}
	c := &junitCase{Class: strings.ReplaceAll(experiment, "/", "."), Name: name}
	var said []string
	for _, f := range found {
		if f.Kind.Fails() && c.Failure == nil {
			c.Failure = &junitFailure{f.Kind.String(), f.Message()}
		} else {
			said = append(said, f.Kind.String()+": "+f.Message())
		}
	}
	c.Output = strings.Join(said, "\n")
	return c
}
