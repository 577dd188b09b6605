package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/sketchproof/sketchproof/experiments/engine"
)

// progressTo returns a function that shows how far a run is: a bar where a
// terminal looks on, else a line every ten seconds.
func progressTo(w io.Writer) (show func(engine.Progress), end func()) {
	f, ok := w.(*os.File)
	if ok && term.IsTerminal(int(f.Fd())) {
		return barTo(w)
	}
	began := time.Now()
	last := began
	return func(p engine.Progress) {
		now := time.Now()
		if now.Sub(last) < 10*time.Second {
			return
		}
		last = now
		fmt.Fprintf(w, "%d of %d cells, %2.0f %%, %s left\n", p.Cells, p.Of, 100*p.Done/max(p.Total, 1e-9), left(p, now.Sub(began)))
	}, func() {}
}

func barTo(w io.Writer) (show func(engine.Progress), end func()) {
	options := []progressbar.Option{
		progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionSetPredictTime(false), progressbar.OptionClearOnFinish(), progressbar.OptionSetElapsedTime(false),
	}
	if os.Getenv("NO_COLOR") == "" {
		options = append(options, progressbar.OptionEnableColorCodes(true),
			progressbar.OptionSetTheme(progressbar.Theme{Saucer: "[green]=[reset]", SaucerHead: "[green]>[reset]", SaucerPadding: " ", BarStart: "[", BarEnd: "]"}))
	}
	const steps = 1000
	bar := progressbar.NewOptions(steps, options...)
	began := time.Now()
	show = func(p engine.Progress) {
		bar.Describe(fmt.Sprintf("%d/%d cells, %s left", p.Cells, p.Of, left(p, time.Since(began))))
		_ = bar.Set(int(steps * p.Done / max(p.Total, 1e-9))) // a bar that cannot be drawn is no error
	}
	return show, func() { _ = bar.Finish() }
}

// left estimates the time that remains from the share of the work done.
func left(p engine.Progress, elapsed time.Duration) string {
	if p.Done <= 0 || elapsed < time.Second {
		return "some time"
	}
	remaining := time.Duration(float64(elapsed) * (p.Total - p.Done) / p.Done)
	return "about " + max(remaining, 0).Round(time.Second).String()
}
