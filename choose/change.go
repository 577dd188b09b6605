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

// changes searches along each number of the workload, outwards from its value.
func (m *Market) changes(w Workload, first Offer) []Change {
	var found []Change
	for _, axis := range w.axes() {
		for _, direction := range []int{-1, 1} {
			for step := 1; step <= axis.steps; step++ {
				other, candidates, at := axis.move(direction*step, m.Candidates)
				if candidates == nil {
					break
				}
				neighbour := &Market{candidates, m.Clock, m.Evidence}
				if winner, gain, ok := neighbour.beats(other, first.Subject); ok {
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
func (m *Market) beats(w Workload, subject string) (winner string, gain float64, ok bool) {
	_, offers, _ := m.rankFrugally(w)
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
	// move is the workload and its candidates so many steps away, nil candidates
	// beyond the end.
	move func(step int, all []Candidate) (Workload, []Candidate, float64)
}

// axes are the numbers that the workload has.
func (w Workload) axes() []axis {
	all := []axis{{"keys", float64(w.Keys), 20, w.moveKeys}}
	factor := func(name string, value float64, set func(*Workload, float64), low, high float64) {
		if value == 0 {
			return
		}
		all = append(all, axis{name, value, 40, func(step int, c []Candidate) (Workload, []Candidate, float64) {
			x := value * math.Pow(2, float64(step)/2)
			if x < low || x > high {
				return w, nil, x
			}
			other := w
			set(&other, x)
			return other, c, x
		}})
	}
	factor("cost", w.Work, func(o *Workload, x float64) { o.Work = x }, 1e-9, 3600)
	factor("rate", w.Rate, func(o *Workload, x float64) { o.Rate = x }, 1e-9, 0.5)
	factor("memory", float64(w.Memory), func(o *Workload, x float64) { o.Memory = int64(x) }, 64, most)
	return append(all, axis{"present", w.Present, 20, w.movePresent})
}

func (w Workload) moveKeys(step int, all []Candidate) (Workload, []Candidate, float64) {
	to := math.Ldexp(float64(w.Keys), step)
	if to < 1000 || to > 1e12 {
		return w, nil, to
	}
	other := w
	other.Keys = int(to)
	moved := make([]Candidate, len(all))
	for i, c := range all {
		moved[i] = c.doubled(step)
	}
	return other, moved, to
}

func (w Workload) movePresent(step int, all []Candidate) (Workload, []Candidate, float64) {
	to := math.Round((w.Present+0.05*float64(step))*1e4) / 1e4
	if to < 0 || to > 1 || to == 1 && w.Work > 0 {
		return w, nil, to
	}
	other := w
	other.Present = to
	return other, all, to
}
