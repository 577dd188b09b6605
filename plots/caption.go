package plots

import (
	"fmt"
	"math"
	"strings"
)

// notes are the sentences below the figure.
func (f Figure) notes(s *selection) []string {
	least, most, missing := math.MaxInt, 0, 0
	confidence, equal := math.NaN(), true
	for _, d := range s.data {
		if d.law != 0 {
			continue
		}
		if !d.drawable() {
			missing++
			continue
		}
		least, most = min(least, d.Trials), max(most, d.Trials)
		if d.Confidence > 0 && d.Confidence < 1 {
			if !math.IsNaN(confidence) && d.Confidence != confidence {
				equal = false
			}
			confidence = math.Min(d.Confidence, nanTo(confidence, 1))
		}
	}
	points := "Points: estimates from " + trials(least, most)
	if !math.IsNaN(confidence) {
		points += ", with intervals of confidence " + confidenceText(confidence)
		if !equal {
			points += " or more"
		}
	}
	source := "Source: experiment " + f.Experiment + ", metric " + f.Metric
	if f.Law != "" {
		source += ", law " + strings.Join(append([]string{f.Law}, f.Laws...), ", ")
	}
	notes := []string{points + ".", source + "."}
	if f.Free && len(s.panels) > 1 {
		notes = append(notes, "Every panel has its own scale.")
	}
	if missing > 0 {
		notes = append(notes, fmt.Sprintf("Not drawn: %d without a finite estimate.", missing))
	}
	return notes
}

func nanTo(x, instead float64) float64 {
	if math.IsNaN(x) {
		return instead
	}
	return x
}

func trials(least, most int) string {
	switch {
	case most == 1:
		return "1 trial"
	case least == most:
		return grouped(float64(most)) + " trials"
	default:
		return grouped(float64(least)) + " to " + grouped(float64(most)) + " trials"
	}
}

// confidenceText prints a probability near 1 by what is missing.
func confidenceText(c float64) string {
	if c < 0.9989 {
		return fmt.Sprintf("%.4g %%", 100*c)
	}
	return "1 − " + scientific(1-c, 1)
}
