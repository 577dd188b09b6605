package engine

import "fmt"

// A Scale says how many cells an experiment plans. Each scale plans all cells
// of the one before it, with the same trials and bands, and more.
type Scale int

const (
	// Smoke takes under a minute for all experiments together.
	Smoke Scale = iota
	// CI takes minutes; the committed report is of this scale.
	CI
	// Full takes hours.
	Full
)

// Scales are all scales, smallest first.
var Scales = []Scale{Smoke, CI, Full}

func (s Scale) String() string {
	switch s {
	case Smoke:
		return "smoke"
	case CI:
		return "ci"
	default:
		return "full"
	}
}

// ParseScale reads what String wrote.
func ParseScale(name string) (Scale, error) {
	for _, s := range Scales {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown scale %q%s", name, Suggest(name, []string{"smoke", "ci", "full"}))
}

// Pick returns the values for a scale: those of smoke, then what ci and full
// add. It keeps every scale a superset of the one before.
func Pick[E any](s Scale, smoke, ci, full []E) []E {
	all := append([]E{}, smoke...)
	if s >= CI {
		all = append(all, ci...)
	}
	if s >= Full {
		all = append(all, full...)
	}
	return all
}
