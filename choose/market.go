package choose

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Market is everything that a choice is made from.
type Market struct {
	Candidates []Candidate
	Clock      *Clock
	Evidence   Evidence
}

// An Answer is what suits a workload.
type Answer struct {
	Workload Workload    `json:"workload"`
	Offers   []Offer     `json:"offers"`   // the best of each subject, the best first
	Excluded []Exclusion `json:"excluded"` // those that do not fit, by reason
	Pays     *Pays       `json:"pays,omitempty"`
	Changes  []Change    `json:"changes,omitempty"`
	Notes    []string    `json:"notes,omitempty"`
}

// A NoneError says that no subject fits, and which requirement excludes which.
type NoneError struct{ Excluded []Exclusion }

func (e *NoneError) Error() string {
	if len(e.Excluded) == 0 {
		return "no structure of the catalogue can be built for this: allow more to be wrong"
	}
	var b strings.Builder
	b.WriteString("no structure fits all of this:")
	for _, x := range e.Excluded {
		name := ""
		if x.Need != "" {
			name = "--" + x.Need + ": "
		}
		fmt.Fprintf(&b, "\n  %s%s: %s", name, x.Reason, strings.Join(x.Subjects, ", "))
	}
	return b.String()
}

// Choose ranks what fits a workload, and says what would change the answer. The
// error is a *NoneError where nothing fits.
func (m *Market) Choose(w Workload) (Answer, error) {
	a, err := m.Rank(w)
	if err == nil && a.Workload.Kind == KindFilter {
		a.Changes = m.changes(a.Workload, a.Offers[0])
	}
	return a, err
}

// Rank is Choose without what would change the answer.
func (m *Market) Rank(w Workload) (Answer, error) {
	w = w.WithDefaults()
	if err := w.Check(); err != nil {
		return Answer{}, err
	}
	fit, excluded := w.fit(m.Candidates, m.Evidence)
	limited, offers, more := m.rankFrugally(w, m.price(w, fit))
	excluded = append(excluded, more...)
	if len(offers) == 0 {
		return Answer{}, &NoneError{excluded}
	}
	a := Answer{Workload: w, Offers: offers, Excluded: append([]Exclusion{}, excluded...)} // a list in JSON, if empty
	if w.Memory != limited.Memory {
		a.Notes = append(a.Notes, fmt.Sprintf("no memory was named, so that what takes more than twice the bound, %s, is left out (--memory sets another limit)", Bytes(limited.Memory)))
	}
	if w.frugal().Memory != limited.Memory {
		a.Notes = append(a.Notes, "nothing that fits takes less than twice the bound, so that memory was no matter")
	}
	a.markFront()
	first := offers[0]
	for i, o := range offers {
		a.Offers[i].Tied = i > 0 && (w.By == ByCost || w.By == ByTime) && first.Timed && o.Timed &&
			o.Verdicts.Broken == 0 && o.Cost.meets(first.Cost)
	}
	if w.Kind == KindFilter {
		a.Pays = w.pays(first)
	}
	a.note(first)
	return a, nil
}

// frugal is the workload with a limit on memory where only a rate limits the choice
// and time is to be least: the least memory that any filter needs, twice. Without
// it a map would be the answer, which has no place to be cheap in.
func (w Workload) frugal() Workload {
	if w.Kind == KindFilter && w.By == ByTime && w.Rate > 0 && w.Memory == 0 {
		w.Memory = int64(math.Ceil(2 * Bound(w.Keys, w.Rate)))
	}
	return w
}

// rankFrugally ranks what a frugal workload allows, or else all. It tells with what
// limits.
func (m *Market) rankFrugally(w Workload, fit []priced) (Workload, []Offer, []Exclusion) {
	frugal := w.frugal()
	offers, excluded := m.rank(frugal, fit)
	if len(offers) == 0 && frugal.Memory != w.Memory {
		offers, excluded = m.rank(w, fit)
		return w, offers, excluded
	}
	return frugal, offers, excluded
}

// rank is the best offer of each subject, the best first, and why others are out.
// What breaks a promise stands below all that do not.
func (m *Market) rank(w Workload, fit []priced) (offers []Offer, excluded []Exclusion) {
	best := map[string]Offer{}
	var limited, untimed []string
	timed := slices.ContainsFunc(fit, func(c priced) bool { return c.offer(w).Timed })
	for _, c := range fit {
		if !w.allowed(c.Candidate) {
			limited = append(limited, c.Subject)
			continue
		}
		o := c.offer(w)
		if (w.By == ByCost || w.By == ByTime) && timed && !o.Timed {
			untimed = append(untimed, c.Subject)
			continue
		}
		if old, ok := best[c.Subject]; !ok || w.better(o, old) {
			best[c.Subject] = o
		}
	}
	for _, o := range best {
		o.Verdicts = m.Evidence.Of(o.Candidate, w)
		offers = append(offers, o)
	}
	slices.SortFunc(offers, w.compare)
	missing := func(reason string, names []string) {
		names = slices.DeleteFunc(names, func(s string) bool { _, ok := best[s]; return ok })
		slices.Sort(names)
		if names = slices.Compact(names); len(names) > 0 {
			excluded = append(excluded, Exclusion{Reason: reason, Subjects: names})
		}
	}
	missing(w.limits(), limited)
	missing("was not timed on this machine", untimed)
	return offers, excluded
}

// limits are the limits of the workload, as a reason to be out.
func (w Workload) limits() string {
	var parts []string
	if w.Rate > 0 {
		parts = append(parts, w.wrong()+Share(w.Rate))
	}
	if w.Memory > 0 {
		parts = append(parts, Bytes(w.Memory))
	}
	return "cannot be had within " + strings.Join(parts, " and ")
}

// wrong is what the question calls the most that may be wrong.
func (w Workload) wrong() string {
	switch w.Kind {
	case KindFilter:
		return "a rate of "
	case KindPlacer:
		return "a spread of "
	default:
		return "an error of "
	}
}

// better chooses between two offers of one subject. Where time is to be least, a
// larger one must be faster by the margin: what is less may be the machine's wavering,
// and memory is not.
func (w Workload) better(a, b Offer) bool {
	if w.By != ByTime || a.Bytes == b.Bytes {
		return w.compare(a, b) < 0
	}
	if a.Bytes < b.Bytes {
		return !(b.Cost.Seconds < a.Cost.Seconds*(1-margin))
	}
	return a.Cost.Seconds < b.Cost.Seconds*(1-margin)
}

// compare orders offers: what keeps its promises first, then by what is to be
// least, then by rate, memory, cost and name.
func (w Workload) compare(a, b Offer) int {
	broken := func(o Offer) int { return min(o.Verdicts.Broken, 1) }
	return cmp.Or(
		cmp.Compare(broken(a), broken(b)),
		compareNumbers(w.value(a), w.value(b)),
		compareNumbers(a.Rate, b.Rate), cmp.Compare(a.Bytes, b.Bytes),
		compareNumbers(a.Cost.Seconds, b.Cost.Seconds), strings.Compare(a.Subject, b.Subject),
	)
}

// compareNumbers puts what is not known last.
func compareNumbers(a, b float64) int {
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a):
		return 1
	case math.IsNaN(b):
		return -1
	}
	return cmp.Compare(a, b)
}

// markFront marks the offers that no other beats in both memory and cost.
func (a *Answer) markFront() {
	for i := range a.Offers {
		o := &a.Offers[i]
		o.Front = o.Timed && !slices.ContainsFunc(a.Offers, func(p Offer) bool {
			return p.Timed && p.Bytes <= o.Bytes && p.Cost.Seconds <= o.Cost.Seconds &&
				(p.Bytes < o.Bytes || p.Cost.Seconds < o.Cost.Seconds)
		})
	}
}

// note says what a reader must know to trust the first offer.
func (a *Answer) note(first Offer) {
	if !first.Timed {
		a.Notes = append(a.Notes, "no time of these structures is known: the calibration was cut short")
	}
	if first.Cost.Beyond {
		text := "the first is larger than what was timed on this machine: its times are the last ones, lengthened by the machine's own latency"
		if a.Workload.Kind == KindFilter {
			text += " (experiment calibrate --max-keys times larger ones)"
		}
		a.Notes = append(a.Notes, text)
	}
	if first.Verdicts.Broken > 0 {
		a.Notes = append(a.Notes, "every structure that fits breaks a promise that this workload relies on")
	}
	if first.Built < first.Keys {
		a.Notes = append(a.Notes, fmt.Sprintf("sizes and rates are of structures for %d keys, scaled by a power of two", first.Built))
	}
}
