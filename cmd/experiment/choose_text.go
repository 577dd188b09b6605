package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/sketchproof/sketchproof/choose"
)

// shown is how many offers the table has.
const shown = 10

// writeAnswer tells an answer to a person.
func writeAnswer(w io.Writer, r reply) error {
	var b strings.Builder
	b.WriteString(headline(r) + "\n\n")
	b.WriteString(offersTable(r.Answer) + "\n")
	writeBreaches(&b, r.Answer)
	writeMeasured(&b, r)
	writePays(&b, r.Answer)
	writeChanges(&b, r.Answer)
	for _, n := range r.Notes {
		b.WriteString("Note: " + n + ".\n")
	}
	for _, x := range r.Excluded {
		fmt.Fprintf(&b, "Out, for it %s: %s.\n", x.Reason, strings.Join(x.Subjects, ", "))
	}
	fmt.Fprintf(&b, "Times: %s, %s, taken %s.\n", orUnknown(r.Machine.CPU), orUnknown(r.Machine.Go), orUnknown(r.Machine.Taken))
	if r.Code != "" {
		b.WriteString("\nCode for the first:\n\n" + r.Code)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// headline is the answer in a sentence.
func headline(r reply) string {
	first := r.Offers[0]
	text := fmt.Sprintf("%s: %s, %s of absent keys are found, %s",
		named(first), first.Parameters, choose.Share(first.Rate), choose.Bytes(first.Bytes))
	if r.Workload.Kind == choose.KindFilter {
		text += fmt.Sprintf(" (%.3g bits per key)", bitsPerKey(first))
	} else {
		text = fmt.Sprintf("%s: %s", named(first), first.Parameters)
		if word := errorWords[r.Workload.Kind]; word != "" {
			text += ", " + word + " " + choose.Share(first.Rate)
		}
		if first.Bytes > 0 {
			text += ", " + choose.Bytes(first.Bytes)
		}
	}
	if first.Timed {
		text += fmt.Sprintf(", %s a call", choose.Seconds(first.LookUp.Seconds))
	}
	var tied []string
	for _, o := range r.Offers {
		if o.Tied {
			tied = append(tied, o.Subject)
		}
	}
	if len(tied) > 0 {
		text += ".\nIts cost is not told apart from that of " + few(tied)
	}
	return text + "."
}

// errorWords are what may be wrong with the answers of what is no filter. A sample
// has no error of its own.
var errorWords = map[string]string{
	choose.KindCardinality: "error", choose.KindFrequency: "error", choose.KindTopK: "error",
	choose.KindSignature: "error", choose.KindPlacer: "spread",
}

// memoryOf is what an offer takes, "-" for what does not tell.
func memoryOf(o choose.Offer) string {
	if o.Bytes == 0 {
		return "-"
	}
	return choose.Bytes(o.Bytes)
}

// few lists some names, and how many more there are.
func few(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func named(o choose.Offer) string {
	if o.Module == "" {
		return o.Subject
	}
	return o.Subject + " (" + o.Module + ")"
}

func bitsPerKey(o choose.Offer) float64 { return 8 * float64(o.Bytes) / float64(max(o.Keys, 1)) }

// offersTable is the ranking.
func offersTable(a choose.Answer) string {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = 0
	filter := a.Workload.Kind == choose.KindFilter
	word := errorWords[a.Workload.Kind]
	head := table.Row{"", "structure", "library", "parameters"}
	if filter {
		word = "rate"
	}
	if word != "" {
		head = append(head, word)
	}
	if head = append(head, "memory"); filter {
		head = append(head, "bits/key", "look-up", "build", "cost", "interval")
	} else {
		head = append(head, "time", "interval")
	}
	t.AppendHeader(append(head, "promises"))
	for i, o := range a.Offers {
		if i == shown {
			break
		}
		library := o.Module
		if library == "" {
			library = "this module"
		}
		row := table.Row{i + 1, o.Subject, library, o.Parameters}
		if word != "" {
			row = append(row, choose.Share(o.Rate))
		}
		if row = append(row, memoryOf(o)); filter {
			row = append(row, fmt.Sprintf("%.3g", bitsPerKey(o)), choose.Seconds(o.LookUp.Seconds), choose.Seconds(o.Build.Seconds))
		}
		row = append(row, choose.Seconds(o.Cost.Seconds), interval(o.Cost), promises(o.Verdicts))
		t.AppendRow(row)
	}
	text := t.Render()
	if more := len(a.Offers) - shown; more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	return text + "\n"
}

func interval(e choose.Estimate) string {
	lo, hi := choose.Seconds(e.Lo), choose.Seconds(e.Hi)
	if lo == "-" && hi == "-" {
		return ""
	}
	return lo + " to " + hi
}

// promises says in a few words what the judgements found.
func promises(v choose.Verdicts) string {
	switch {
	case v.Broken > 0:
		return fmt.Sprintf("%d broken", v.Broken)
	case v.Held == 0 && v.Undecided == 0:
		return "not tried"
	case v.Undecided > 0:
		return fmt.Sprintf("%d hold, %d undecided", v.Held, v.Undecided)
	default:
		return fmt.Sprintf("%d hold", v.Held)
	}
}

func writeBreaches(b *strings.Builder, a choose.Answer) {
	for i, o := range a.Offers {
		if o.Verdicts.Broken == 0 || i >= shown {
			continue
		}
		for _, x := range o.Verdicts.Breaches {
			fmt.Fprintf(b, "Broken by %s: %s.\n", o.Subject, x)
		}
	}
}

// writePays says whether a filter is worth having.
func writePays(b *strings.Builder, a choose.Answer) {
	p := a.Pays
	switch {
	case p == nil:
	case p.Pays:
		fmt.Fprintf(b, "A filter pays: a look-up costs %s with it and %s without, %s saved (%s to %s). It would pay from %s of saved work on.\n",
			choose.Seconds(p.With.Seconds), choose.Seconds(p.Without), choose.Seconds(p.Saved.Seconds),
			choose.Seconds(p.Saved.Lo), choose.Seconds(p.Saved.Hi), choose.Seconds(p.Least))
	default:
		fmt.Fprintf(b, "No filter pays: a look-up costs %s with the best and %s without. One would pay from %s of saved work on.\n",
			choose.Seconds(p.With.Seconds), choose.Seconds(p.Without), choose.Seconds(p.Least))
	}
}

// writeChanges says at which workloads another structure wins.
func writeChanges(b *strings.Builder, a choose.Answer) {
	for _, c := range a.Changes {
		direction := "below"
		if c.To > c.From {
			direction = "above"
		}
		gain := "is better by " + choose.Share(c.Gain)
		if c.Gain == 1 {
			gain = "is the best of what remains"
		}
		fmt.Fprintf(b, "Another answer: with a %s of %s (%s yours), %s %s.\n", axisNames[c.Along], axisValue(c.Along, c.To), direction, c.Winner, gain)
	}
}

// axisNames are the numbers of a workload as a person says them.
var axisNames = map[string]string{
	"keys": "number of keys", "cost": "cost", "memory": "memory", "rate": "rate", "present": "share of present keys",
}

func axisValue(name string, x float64) string {
	switch name {
	case "keys":
		return choose.Count(int(x))
	case "cost":
		return choose.Seconds(x)
	case "memory":
		return choose.Bytes(int64(x))
	default:
		return choose.Share(x)
	}
}
