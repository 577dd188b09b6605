package choose

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A unit is a suffix and what one of it is worth.
type unit struct {
	suffix string
	worth  float64
}

var (
	countUnits = []unit{{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"B", 1e9}, {"T", 1e12}}
	byteUnits  = []unit{
		{"KiB", 1 << 10},
		{"MiB", 1 << 20},
		{"GiB", 1 << 30},
		{"TiB", 1 << 40},
		{"kB", 1e3},
		{"KB", 1e3},
		{"MB", 1e6},
		{"GB", 1e9},
		{"TB", 1e12},
		{"B", 1},
	}
)

// most is the largest number of keys or bytes that is taken for meant: floating
// point still tells it from the next.
const most = 1 << 53

// ParseCount reads a number of things as people write it: 50M, 1e9, 2.5k, 50_000.
func ParseCount(s string) (int, error) {
	x, err := scaled(s, countUnits)
	if err != nil || x < 1 || x > most || x != math.Trunc(x) {
		return 0, fmt.Errorf("%q is no number of things; write 50000, 50k, 50M or 1e9", s)
	}
	return int(x), nil
}

// ParseBytes reads an amount of memory: 64MiB, 64MB, 1.5GiB, or bytes.
func ParseBytes(s string) (int64, error) {
	x, err := scaled(s, byteUnits)
	if err != nil || !(x >= 1 && x <= most) {
		return 0, fmt.Errorf("%q is no amount of memory; write 64MiB, 64MB, 1.5GiB or a number of bytes", s)
	}
	return int64(x), nil
}

// ParseShare reads a rate or a share: 0.1%, 1/1000, 0.001, 1e-3. It does not
// judge its range.
func ParseShare(s string) (float64, error) {
	text := strings.TrimSpace(s)
	wrong := fmt.Errorf("%q is no share; write 0.1%%, 1/1000, 0.001 or 1e-3", s)
	if over, under, found := strings.Cut(text, "/"); found {
		a, err1 := number(over)
		b, err2 := number(under)
		if err1 != nil || err2 != nil || b == 0 {
			return 0, wrong
		}
		return a / b, nil
	}
	percent := strings.HasSuffix(text, "%")
	x, err := number(strings.TrimSuffix(text, "%"))
	if err != nil {
		return 0, wrong
	}
	if percent {
		x /= 100
	}
	return x, nil
}

// ParseSeconds reads a duration, which must have a unit: 100us, 2ms, 1.5s.
func ParseSeconds(s string) (float64, error) {
	d, err := time.ParseDuration(strings.ReplaceAll(strings.TrimSpace(s), " ", ""))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is no duration of a nanosecond or more; write 300ns, 100us, 2ms or 1.5s", s)
	}
	return d.Seconds(), nil
}

func scaled(s string, units []unit) (float64, error) {
	text := strings.TrimSpace(s)
	for _, u := range units {
		if rest, found := strings.CutSuffix(text, u.suffix); found {
			x, err := number(rest)
			return x * u.worth, err
		}
	}
	return number(text)
}

// number reads a plain number; 50_000 and 50 000 are 50000.
func number(s string) (float64, error) {
	x, err := strconv.ParseFloat(strings.NewReplacer("_", "", " ", "").Replace(s), 64)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = strconv.ErrRange
	}
	return x, err
}

// Count prints a number of things in three digits: 50M.
func Count(n int) string {
	x := float64(n)
	for _, u := range []unit{{"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}} {
		if x >= u.worth {
			return digits(x/u.worth) + u.suffix
		}
	}
	return strconv.Itoa(n)
}

// Bytes prints an amount of memory in three digits: 59.8 MiB.
func Bytes(n int64) string {
	x := float64(n)
	for _, u := range []unit{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if x >= u.worth {
			return digits(x/u.worth) + " " + u.suffix
		}
	}
	return strconv.FormatInt(n, 10) + " B"
}

// Seconds prints a duration in three digits: 23.1 ns. It has the units of
// ParseSeconds, "-" for what is not known.
func Seconds(s float64) string {
	switch {
	case math.IsNaN(s) || math.IsInf(s, 0):
		return "-"
	case s == 0:
		return "0 ns"
	}
	for _, u := range []unit{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}} {
		if math.Abs(s) >= u.worth {
			return digits(s/u.worth) + " " + u.suffix
		}
	}
	return digits(s/1e-9) + " ns"
}

// Share prints a rate in three digits: 0.1 %, or 1.5e-05 where percent would be
// mostly zeros.
func Share(x float64) string {
	if x != 0 && math.Abs(x) < 1e-5 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return digits(100*x) + " %"
}

// digits prints three significant digits, never with an exponent between 1e-3
// and 1e6.
func digits(x float64) string {
	if a := math.Abs(x); a >= 100 && a < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
