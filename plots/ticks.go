package plots

import "math"

// A tick is a mark of an axis; label "" makes it a small one.
type tick struct {
	value float64
	label string
}

// ticks are those of an axis with room for so many labels.
func (s scale) ticks(room int, percent bool) []tick {
	room = max(room, 2)
	if !s.log {
		return s.linear(room, percent)
	}
	if math.Log10(s.hi/s.lo) < 1.5 {
		return s.withinDecades(percent)
	}
	return s.decades(room, percent)
}

// linear steps by 1, 2 or 5 times a power of ten.
func (s scale) linear(room int, percent bool) []tick {
	least := (s.hi - s.lo) / float64(room)
	power := math.Pow(10, math.Floor(math.Log10(least)))
	step := 10 * power
	for _, m := range []float64{1, 2, 5} {
		if m*power >= least*(1-1e-9) {
			step = m * power
			break
		}
	}
	var all []tick
	first := math.Ceil(s.lo/step - 1e-9)
	for i := 0.0; (first+i)*step <= s.hi+1e-9*step; i++ {
		v := (first + i) * step
		all = append(all, tick{v, label(v, percent)})
	}
	return all
}

// decades are powers of ten, each second or third labelled if all do not fit,
// and small ticks between them.
func (s scale) decades(room int, percent bool) []tick {
	first, last := int(math.Floor(math.Log10(s.lo))), int(math.Ceil(math.Log10(s.hi)))
	inside := math.Floor(math.Log10(s.hi)) - math.Ceil(math.Log10(s.lo))
	every := int(inside)/room + 1
	percent = percent && first > -9 // below, percentages are rows of zeros
	powers := !percent && (s.hi >= 2e4 || s.lo < 1e-3)
	var all []tick
	for e := first; e <= last; e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow10(e)
			if v < s.lo || v > s.hi || m > 1 && every > 1 {
				continue
			}
			t := tick{value: v}
			if m == 1 && e%every == 0 {
				t.label = label(v, percent)
				if powers && v != 1 && v != 10 {
					t.label = scientific(v, 0)
				}
			}
			all = append(all, t)
		}
	}
	return all
}

// withinDecades labels 1, 2 and 5 of each decade, for an axis that is short, 3
// and 7 too if it is shorter than a decade, and evenly spaced values for one that is shorter than an octave or two.
func (s scale) withinDecades(percent bool) []tick {
	if s.hi/s.lo < 4 {
		return scale{lo: s.lo, hi: s.hi}.linear(4, percent)
	}
	var all []tick
	for e := int(math.Floor(math.Log10(s.lo))); e <= int(math.Ceil(math.Log10(s.hi))); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow10(e)
			if v < s.lo || v > s.hi {
				continue
			}
			t := tick{value: v}
			if m == 1 || m == 2 || m == 5 || s.hi/s.lo < 10 && (m == 3 || m == 7) {
				t.label = label(v, percent)
			}
			all = append(all, t)
		}
	}
	return all
}

func label(v float64, percent bool) string {
	if percent {
		return grouped(round(100*v)) + "\u00a0%"
	}
	return magnitude(v)
}
