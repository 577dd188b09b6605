package record

import (
	"fmt"
	"strings"
)

// A Label is one coordinate of a cell: a key and its value, as text.
type Label struct{ Key, Value string }

// Labels are the coordinates of a cell, in the order of its name. The first is
// always the subject.
type Labels []Label

// L makes labels from alternating keys and values; values print with %v.
func L(pairs ...any) Labels {
	labels := make(Labels, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		labels = append(labels, Label{pairs[i].(string), fmt.Sprint(pairs[i+1])})
	}
	return labels
}

// Value returns the value of a key, "" if there is none.
func (l Labels) Value(key string) string {
	for _, label := range l {
		if label.Key == key {
			return label.Value
		}
	}
	return ""
}

// CellName is the one name of a cell, in files, flags, benchmarks and legends:
// the experiment, then key=value for every label, joined by slashes.
func CellName(experiment string, labels Labels) string {
	var b strings.Builder
	b.WriteString(experiment)
	for _, l := range labels {
		b.WriteString("/" + l.Key + "=" + l.Value)
	}
	return b.String()
}

// ParseCell splits a cell's name into its experiment and labels.
func ParseCell(cell string) (experiment string, labels Labels) {
	var parts []string
	for part := range strings.SplitSeq(cell, "/") {
		key, value, found := strings.Cut(part, "=")
		switch {
		case found:
			labels = append(labels, Label{key, value})
		case len(labels) == 0:
			parts = append(parts, part)
		default: // a slash inside a value
			labels[len(labels)-1].Value += "/" + part
		}
	}
	return strings.Join(parts, "/"), labels
}
