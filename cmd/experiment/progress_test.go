package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

// TestProgressWithoutATerminalIsLines: a plain line every ten seconds, and none
// of a run that ends before. The clock is synctest's.
func TestProgressWithoutATerminalIsLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		show, end := progressTo(&b)
		half := engine.Progress{Cells: 3, Of: 6, Done: 5, Total: 10}
		for range 9 {
			time.Sleep(time.Second)
			show(half)
		}
		if b.Len() > 0 {
			t.Errorf("after nine seconds: %q", b.String())
		}
		time.Sleep(time.Second)
		show(half)
		show(half)
		end()
		// Half of the work took ten seconds, so the other half takes ten more.
		if got, want := b.String(), "3 of 6 cells, 50 %, about 10s left\n"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestProgressBarHonoursNoColor(t *testing.T) {
	for noColor, want := range map[string]bool{"": true, "1": false} {
		t.Setenv("NO_COLOR", noColor)
		synctest.Test(t, func(t *testing.T) {
			var b bytes.Buffer
			show, end := barTo(&b)
			for range 2 { // it is drawn anew once a while has passed
				show(engine.Progress{Cells: 3, Of: 6, Done: 5, Total: 10})
				time.Sleep(time.Second)
			}
			end()
			// SGR, the control sequence of colours, is 32 m for green (ECMA-48).
			if got := strings.Contains(b.String(), "\x1b[32m"); got != want {
				t.Errorf("NO_COLOR=%q: colour is %v, want %v: %q", noColor, got, want, b.String())
			}
			if !strings.Contains(b.String(), "3/6 cells, about 1s left") {
				t.Errorf("NO_COLOR=%q: the bar says %q", noColor, b.String())
			}
		})
	}
}
