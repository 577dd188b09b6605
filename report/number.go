package report

import (
	"math"
	"strconv"
	"strings"

	"github.com/sketchproof/sketchproof/record"
)

// digits is the number of significant digits that people get to see. The rows
// hold ten.
const digits = 4

// A printer prints the numbers of one metric for people.
type printer struct {
	percent bool   // fractions as per cent
	unit    string // follows a number that is no fraction, "" for none
}

// number prints one value: 1.000 %, 0.01230 %, 3.2e-6; n/a for what is no
// number.
func (p printer) number(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "n/a"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case x == 0:
		return "0"
	case p.percent && a >= 1e-5:
		return significant(100*x) + " %"
	case p.percent || a < 1e-4 || a >= 1e7:
		return scientific(x)
	case x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', 0, 64)
	default:
		return significant(x)
	}
}

// significant prints so many digits that they are all significant, zeros at
// the end too: they say how exact the number is.
func significant(x float64) string {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	e, _ := strconv.Atoi(exponent) // FormatFloat wrote it
	return strconv.FormatFloat(x, 'f', max(0, digits-1-e), 64)
}

// scientific prints a power of ten, without zeros that say nothing: 3.2e-6.
func scientific(x float64) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	e, _ := strconv.Atoi(exponent) // FormatFloat wrote it
	return mantissa + "e" + strconv.Itoa(e)
}

// interval prints [lo, hi], or nothing where no end is known.
func (p printer) interval(lo, hi float64) string {
	if !finite(lo) && !finite(hi) {
		return ""
	}
	return "[" + p.number(lo) + ", " + p.number(hi) + "]"
}

// measured prints the estimate with its interval and unit.
func (p printer) measured(s record.Summary) string {
	parts := []string{p.number(s.Estimate)}
	if iv := p.interval(s.Lo, s.Hi); iv != "" {
		parts = append(parts, iv)
	}
	if p.unit != "" {
		parts = append(parts, p.unit)
	}
	return strings.Join(parts, " ")
}

// allowed prints what the law allows.
func (p printer) allowed(s record.Summary) string {
	lo, hi := finite(s.AllowedLo), finite(s.AllowedHi)
	switch {
	case !s.Judged():
		return ""
	case lo && hi && s.AllowedLo == s.AllowedHi:
		return "only " + p.number(s.AllowedLo)
	case lo && hi:
		return p.interval(s.AllowedLo, s.AllowedHi)
	case hi:
		return "at most " + p.number(s.AllowedHi)
	case lo:
		return "at least " + p.number(s.AllowedLo)
	default:
		return "anything"
	}
}

// times prints how many times the law's prediction was measured, where that
// says something.
func times(s record.Summary) string {
	if ratio := s.Estimate / s.Predicted; s.Predicted > 0 && ratio > 0 && finite(ratio) {
		return printer{}.number(ratio)
	}
	return ""
}

func finite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }
