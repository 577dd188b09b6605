package choose

import (
	"math"
	"testing"
)

func TestUnitsAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int{"50M": 50e6, "1e9": 1e9, "2.5k": 2500, "50_000": 50000, "1 000": 1000, "1": 1, "3B": 3e9} {
		if got, err := ParseCount(text); err != nil || got != want {
			t.Errorf("count %q: %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]int64{"64MiB": 64 << 20, "64MB": 64e6, "1.5GiB": 3 << 29, "123": 123, "12 kB": 12000, "9B": 9} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("bytes %q: %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]float64{"0.1%": 0.001, "1/1000": 0.001, "1e-3": 0.001, "20 %": 0.2, "0": 0, "2": 2} {
		if got, err := ParseShare(text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("share %q: %v, %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]float64{"100us": 1e-4, "2ms": 2e-3, "1.5s": 1.5, "300 ns": 3e-7} {
		if got, err := ParseSeconds(text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("seconds %q: %v, %v; want %v", text, got, err, want)
		}
	}
}

func TestUnitsRefused(t *testing.T) {
	for _, text := range []string{"", "M", "0", "-5", "1.5", "many", "NaN", "1e30", "50MiB"} {
		if got, err := ParseCount(text); err == nil {
			t.Errorf("count %q: %d", text, got)
		}
	}
	for _, text := range []string{"", "0", "-1MiB", "64Mib", "inf", "64 parsecs"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("bytes %q: %d", text, got)
		}
	}
	for _, text := range []string{"", "%", "1/0", "a/2", "one", "NaN", "+Inf"} {
		if got, err := ParseShare(text); err == nil {
			t.Errorf("share %q: %v", text, got)
		}
	}
	for _, text := range []string{"", "100", "0", "0s", "0.1ns", "-2ms", "2 fortnights"} {
		if got, err := ParseSeconds(text); err == nil {
			t.Errorf("seconds %q: %v", text, got)
		}
	}
}

func TestUnitsPrinted(t *testing.T) {
	for want, got := range map[string]string{
		"50M": Count(50_000_000), "999": Count(999), "1.23k": Count(1234), "59.6 MiB": Bytes(62_500_000), "7 B": Bytes(7),
		"23.1 ns": Seconds(23.1e-9), "100 us": Seconds(1e-4), "1.5 s": Seconds(1.5), "120 s": Seconds(120), "-": Seconds(math.NaN()),
		"0.1 %": Share(0.001), "1.5e-07": Share(1.5e-7), "0 %": Share(0), "100 %": Share(1),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
