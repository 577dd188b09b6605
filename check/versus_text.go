package check

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteText writes what two versions do differently, for people: what regressed
// first.
func (v Versus) WriteText(w io.Writer, verbose bool) error {
	b := bufio.NewWriter(w) // Flush returns the first error
	fmt.Fprintf(b, "%s: %s, before %s\n", v.Module, v.Now, v.Before)
	fmt.Fprintf(b, "%s; subjects: %s\n", v.Verdict(), orNone(strings.Join(v.Subjects, ", ")))
	for _, l := range v.absences() {
		fmt.Fprintf(b, "%-12s %s\n", "absent", l)
	}
	for _, n := range v.Notes {
		fmt.Fprintf(b, "%-12s %s\n", "note", n)
	}
	for _, s := range v.sections(verbose) {
		fmt.Fprintf(b, "\n%s\n", s.title)
		for _, l := range s.lines {
			fmt.Fprintf(b, "%-12s %s\n", l.Word, l.Text)
		}
	}
	return b.Flush()
}

// absences says of each subject that a version lacks which versions those are.
func (v Versus) absences() []string {
	var list []string
	for i, a := range v.Absent {
		switch {
		case i > 0 && v.Absent[i-1].Subject == a.Subject:
			list[len(list)-1] += ", nor in " + a.Version
		default:
			list = append(list, fmt.Sprintf("%s: not in version %s", a.Subject, a.Version))
		}
	}
	return list
}

// A section is a part of the report: what was compared, and what was found.
type section struct {
	title string
	lines []line
}

type line struct {
	Word string `json:"word"`
	Text string `json:"text"`
}

// sections are the parts of a report in the order of reading.
func (v Versus) sections(verbose bool) []section {
	return []section{v.inputLines(), v.promiseLines(verbose), v.readLines(), v.sizeLines(), v.speedLines()}
}

func (v Versus) inputLines() section {
	s := section{title: fmt.Sprintf("Structures of set inputs: %d built with each version, %d came out otherwise", v.Built, len(v.Inputs))}
	for _, k := range []Kind{Regressed, Mended, Moved} {
		for _, c := range v.Inputs {
			if c.Kind() == k {
				s.lines = append(s.lines, line{word(k), c.String()})
			}
		}
	}
	return s
}

// String says the change in a line.
func (c InputChange) String() string {
	return fmt.Sprintf("%s of %s: %v; before: %v", c.Subject, c.Input, c.Now, c.Before)
}

// word names a kind where versions are compared: a figure that changed with the
// version is no failure.
func word(k Kind) string {
	if k == Moved {
		return "changed"
	}
	return k.String()
}

func (v Versus) promiseLines(verbose bool) section {
	s := section{title: fmt.Sprintf("Laws and promises: %s compared", judgements(v.Judged))}
	for _, k := range []Kind{Regressed, Mended, Missing, Changed, Moved} {
		found := v.Promises.of(k)
		shown := found
		if k != Regressed && !verbose {
			shown = found[:min(mostLines, len(found))]
		}
		for _, f := range shown {
			s.lines = append(s.lines, line{word(k), f.Now.Cell + ": " + lawPrefix(f.Now) + v.message(f)})
		}
		if n := len(found) - len(shown); n > 0 {
			s.lines = append(s.lines, line{word(k), fmt.Sprintf("and %d more; --verbose names all", n)})
		}
	}
	order, count := groups(v.Promises.of(KnownBroken))
	for _, g := range order {
		s.lines = append(s.lines, line{"both broken", fmt.Sprintf("%s: %s", g, judgements(count[g]))})
	}
	return s
}

// message is a finding's, without the versions: they are the same in every line.
func (v Versus) message(f Finding) string {
	f.Module, f.ModuleBefore = "", ""
	return f.Message()
}

func (v Versus) readLines() section {
	s := section{title: "Bytes of one version, read by the other"}
	for _, k := range []Kind{Regressed, Moved, New} {
		for _, r := range v.Reads {
			if r.Kind() == k {
				s.lines = append(s.lines, line{r.word(), r.String()})
			}
		}
	}
	if len(v.Reads) == 0 {
		s.title = "No subject has a serialized form here"
	}
	return s
}

func (r Reading) word() string {
	if r.Kind() == New {
		return "same"
	}
	return word(r.Kind())
}

func (v Versus) sizeLines() section {
	s := section{title: "Sizes"}
	for _, c := range v.Sizes {
		s.lines = append(s.lines, line{"changed", fmt.Sprintf("%s of %s, %s: %d bytes, before %d (%+.1f %%)", c.Subject, c.Input, c.What, c.Now, c.Before,
			100*(float64(c.Now)/float64(max(c.Before, 1))-1))})
	}
	if len(v.Sizes) == 0 {
		s.title = "Sizes: all the same"
	}
	return s
}

func (v Versus) speedLines() section {
	s := section{title: "Speed: time of the newer version over that of the older"}
	for _, p := range v.Speeds {
		s.lines = append(s.lines, line{p.Word(), p.String()})
	}
	if len(v.Speeds) == 0 {
		s.title = "Speed: not measured"
	}
	return s
}

// String says the ratio with its interval.
func (p Speed) String() string {
	per := func(sec float64) time.Duration { return time.Duration(sec * float64(time.Second)) }
	return fmt.Sprintf("%s %s: %.2f times (%.2f to %.2f, %d rounds); %v, before %v", p.Subject, p.Op, p.Ratio, p.Lo, p.Hi, p.Rounds,
		per(p.Seconds).Round(time.Nanosecond/10), per(p.SecondsBefore).Round(time.Nanosecond/10))
}
