package plots

import (
	"cmp"
	"math"
	"slices"
)

// A scale maps values to places: 0 is the axis' start, 1 its end.
type scale struct {
	lo, hi float64
	log    bool
}

// place is where a value lies. What is far beyond an end, or not positive on a
// logarithmic axis, is at -far or 1+far.
func (s scale) place(v float64) float64 {
	const far = 10
	at := (s.unit(v) - s.unit(s.lo)) / (s.unit(s.hi) - s.unit(s.lo))
	if math.IsNaN(at) { // or the logarithm of a negative number
		return -far
	}
	return math.Min(math.Max(at, -far), 1+far)
}

// clamped is the place, moved to the nearest end if it is beyond.
func (s scale) clamped(v float64) float64 { return math.Min(math.Max(s.place(v), 0), 1) }

// unit is where values are evenly spaced.
func (s scale) unit(v float64) float64 {
	if s.log {
		return math.Log10(v)
	}
	return v
}

// A span is the smallest range of what was added: finite, and positive if it
// is logarithmic.
type span struct {
	lo, hi    float64
	log, some bool
}

func (r *span) add(values ...float64) {
	const largest = 1e300 // differences of larger ones may overflow
	for _, v := range values {
		if math.IsNaN(v) || math.Abs(v) > largest || r.log && v < 1/largest {
			continue
		}
		if !r.some {
			r.lo, r.hi, r.some = v, v, true
		}
		r.lo, r.hi = math.Min(r.lo, v), math.Max(r.hi, v)
	}
}

// stretched is the span with that of the intervals' ends, as far as these lie
// within a decade of it, or as far from it as it is long or from zero.
func (r span) stretched(ends span) span {
	if !r.some {
		return ends
	}
	if !ends.some {
		return r
	}
	room := max(r.hi-r.lo, math.Abs(r.lo), math.Abs(r.hi))
	switch {
	case r.log:
		r.lo = math.Max(math.Min(ends.lo, r.lo), r.lo/10)
		r.hi = math.Min(math.Max(ends.hi, r.hi), r.hi*10)
	case room == 0:
		r.add(ends.lo, ends.hi)
	default:
		r.lo = math.Max(math.Min(ends.lo, r.lo), r.lo-room)
		r.hi = math.Min(math.Max(ends.hi, r.hi), r.hi+room)
	}
	return r
}

// scale is the span with some air at its ends, unless the axis fixes them.
func (r span) scale(a Axis, air float64) scale {
	if !r.some {
		r.lo, r.hi = 0.1, 1
	}
	if a.Zero && !r.log {
		r.add(0)
	}
	s := scale{r.lo, r.hi, r.log}
	switch {
	case r.log && r.lo == r.hi:
		s.lo, s.hi = r.lo/2, r.hi*2
	case r.log:
		grow := math.Pow(r.hi/r.lo, air)
		s.lo, s.hi = r.lo/grow, r.hi*grow
	default:
		grow := air * (r.hi - r.lo)
		if grow == 0 {
			grow = math.Max(math.Abs(r.lo)/10, 1e-9)
		}
		s.lo, s.hi = r.lo-grow, r.hi+grow
		if a.Zero && r.lo == 0 {
			s.lo = 0
		}
		if a.Zero && r.hi == 0 {
			s.hi = 0
		}
	}
	if a.Min != 0 && a.Min < s.hi {
		s.lo = a.Min
	}
	if a.Max != 0 && a.Max > s.lo {
		s.hi = a.Max
	}
	return s
}

// sortedUnique sorts in place and drops what repeats.
func sortedUnique[T cmp.Ordered](x []T) []T {
	slices.Sort(x)
	return slices.Compact(x)
}
