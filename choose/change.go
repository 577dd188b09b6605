package choose

import (
	"math"
	"slices"
)

// margin is how much better another structure must be before it counts as the
// winner of a neighbouring workload: less is within what a machine wavers by.
const margin = 0.05

// A Change is the nearest workload, along one of its numbers, at which another
// structure wins.
type Change struct {
	Along  string  `json:"along"` // keys, cost, present, rate or memory
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Winner string  `json:"winner"`
	// Gain is by how much the winner beats the first of the answer there, 1 where
	// that one does not fit any more.
	Gain float64 `json:"gain"`
}

// changes searches along each number of the workload, outwards from its value. The
// candidates that fit, and their times, are other ones only for other keys.
func (m *Market) changes(w Workload, first Offer) []Change {
	var found []Change
	fit, _ := w.fit(m.Candidates, m.Evidence)
	base := m.price(w, fit)
	for _, axis := range w.axes() {
		for _, direction := range []int{-1, 1} {
			for step := direction; step*direction <= axis.steps; step += direction {
				other, at, ok := axis.move(step)
				if !ok {
					break
				}
				prices := base
				if other.Keys != w.Keys {
					prices = m.price(other, doubled(fit, step))
				}
				if winner, gain, ok := m.beats(other, prices, first.Subject); ok {
					found = append(found, Change{axis.name, axis.from, at, winner, gain})
					break
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Change) int {
		return compareNumbers(a.distance(), b.distance())
	})
	return found
}

func doubled(all []Candidate, shift int) []Candidate {
	moved := make([]Candidate, len(all))
	for i, c := range all {
		moved[i] = c.doubled(shift)
	}
	return moved
}

// distance is how far a change is, as a factor, so that changes along different
// numbers compare.
func (c Change) distance() float64 {
	if c.Along == "present" {
		return math.Abs(c.To-c.From) * 10
	}
	return math.Abs(math.Log2(c.To / c.From))
}

// beats is the winner of a workload if it is another subject, and better by the
// margin.
func (m *Market) beats(w Workload, fit []priced, subject string) (winner string, gain float64, ok bool) {
	_, offers, _ := m.rankFrugally(w, fit)
	if len(offers) == 0 || offers[0].Subject == subject {
		return "", 0, false
	}
	i := slices.IndexFunc(offers, func(o Offer) bool { return o.Subject == subject })
	if i < 0 {
		return offers[0].Subject, 1, true
	}
	gain = 1 - w.value(offers[0])/w.value(offers[i])
	return offers[0].Subject, gain, gain >= margin
}

// An axis is a number of a workload that can be moved in steps.
type axis struct {
	name  string
	from  float64
	steps int
	// move is the workload so many steps away and its number there, false beyond the
	// end. A step of keys doubles them.
	move func(step int) (w Workload, at float64, ok bool)
}

// axes are the numbers that the workload has.
func (w Workload) axes() []axis {
	all := []axis{{"keys", float64(w.Keys), 20, w.moveKeys}}
	factor := func(name string, value float64, set func(*Workload, float64), low, high float64) {
		if value == 0 {
			return
		}
		all = append(all, axis{name, value, 40, func(step int) (Workload, float64, bool) {
			x := value * math.Pow(2, float64(step)/2)
			other := w
			set(&other, x)
			return other, x, x >= low && x <= high
		}})
	}
	factor("cost", w.Work, func(o *Workload, x float64) { o.Work = x }, 1e-9, 3600)
	factor("rate", w.Rate, func(o *Workload, x float64) { o.Rate = x }, 1e-9, 0.5)
	factor("memory", float64(w.Memory), func(o *Workload, x float64) { o.Memory = int64(x) }, 64, most)
	return append(all, axis{"present", w.Present, 20, w.movePresent})
}

func (w Workload) moveKeys(step int) (Workload, float64, bool) {
	to := math.Ldexp(float64(w.Keys), step)
	if to < 1000 || to > 1e12 {
		return w, to, false
	}
	w.Keys = int(to)
	return w, to, true
}

func (w Workload) movePresent(step int) (Workload, float64, bool) {
	w.Present = math.Round((w.Present+0.05*float64(step))*1e4) / 1e4
	return w, w.Present, w.Present >= 0 && (w.Present < 1 || w.Present == 1 && w.Work == 0)
}
