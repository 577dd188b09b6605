package plots

import (
	"math"
	"strconv"
	"strings"
)

// scientific prints a number as a power of ten, times what is left in so many
// decimals (-1 for all): 10^{−7}, 4×10^{−8}.
func scientific(x float64, decimals int) string {
	mantissa, exponent, found := strings.Cut(strconv.FormatFloat(x, 'e', decimals, 64), "e")
	if !found { // an infinity
		return mantissa
	}
	mantissa = strings.TrimSuffix(mantissa, ".0")
	e, _ := strconv.Atoi(exponent) // FormatFloat wrote it
	power := "10^{" + strings.Replace(strconv.Itoa(e), "-", "−", 1) + "}"
	if mantissa == "1" {
		return power
	}
	return mantissa + "×" + power
}

// grouped prints a number with thin gaps between thousands, and with what
// decimals it has.
func grouped(x float64) string {
	text := strconv.FormatFloat(x, 'f', -1, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	if len(whole) > 4 {
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "\u00a0" + whole[i:]
		}
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return sign + whole
}

// magnitude prints a tick of a linear axis: 20 000, 2 M, 3×10^{9}.
func magnitude(x float64) string {
	switch a := math.Abs(x); {
	case a >= 1e9 || a > 0 && a < 1e-5:
		return scientific(round(x), -1)
	case a >= 1e6:
		return grouped(round(x/1e6)) + "\u00a0M"
	default:
		return grouped(round(x))
	}
}

// round drops what adding steps left behind the twelfth digit.
func round(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64) // FormatFloat wrote it
	return y
}
