package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/choose"
)

// What the table tells of a filter is true of one that is built by what the table and
// the code say: three digits of a rate must not cost another bit a key.
func TestWhatIsPrintedIsWhatWasBuilt(t *testing.T) {
	const n = 1500
	keys := numbered(n)
	for _, s := range adapters.Filters {
		if s.Name != "cuckoo" && s.Name != "cuckoo-semisorted" && s.Name != "blocked-sectors" && s.Name != "quotient" && s.Name != "bloom" {
			continue
		}
		for _, c := range filterOffers(t.Context(), s, keys, keys, ratesToTry(0.01)) {
			for _, text := range []string{strings.TrimPrefix(c.Parameters, "rate "), strconv.FormatFloat(c.Asked, 'g', -1, 64)} {
				eps, err := choose.ParseShare(text)
				if err != nil {
					t.Fatal(err)
				}
				built, err := filterCandidate(s, keys, eps)
				if err != nil || built.Bytes != c.Bytes {
					t.Errorf("%s for a rate of %s: %d bytes, %v; told %d", s.Name, text, built.Bytes, err, c.Bytes)
				}
			}
			code, err := codeFor(choose.Answer{Offers: []choose.Offer{{Candidate: c}}, Workload: choose.Workload{Kind: choose.KindFilter, Keys: n}})
			if err != nil || !strings.Contains(code, strconv.FormatFloat(c.Asked, 'g', -1, 64)) {
				t.Errorf("%s for %v: %v\n%s", s.Name, c.Asked, err, code)
			}
		}
	}
}

func TestRatesAreRoundedUp(t *testing.T) {
	for x, want := range map[float64]float64{0.5: 0.5, 0.03125: 0.0313, 0.000244140625: 0.000245, 0.0009000000000000001: 0.0009, 0.9999: 1, 1.0 / 3: 0.334} {
		if got := inThreeDigits(x); got != want {
			t.Errorf("%v: %v, want %v", x, got, want)
		}
	}
}
