package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/sketchproof/sketchproof/experiments/calibrate"
	"github.com/sketchproof/sketchproof/record"
)

// times is the calibration that the choice rests on: that of this machine, taken now
// if it was never taken, or that of the folder that was named. One that was taken with
// another program or other versions is used with a warning: a choice by it is better
// than none.
func (f *chooseFlags) times(ctx context.Context, warn io.Writer) (record.Calibrated, error) {
	if f.calibration != "" {
		c, err := calibrate.Load(f.calibration)
		if errors.Is(err, fs.ErrNotExist) {
			return c, usagef("no calibration in %s: %w", f.calibration, err)
		}
		if err != nil {
			return c, usagef("--calibration: %w", err)
		}
		return c, nil
	}
	folder, err := calibrate.Folder()
	if err != nil {
		return record.Calibrated{}, err
	}
	c, err := calibrate.Load(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := fmt.Fprintln(warn, "This machine was not calibrated yet. That takes about two minutes, once."); err != nil {
			return c, err
		}
		c, _, err = calibrated(ctx, warn, "", calibrate.MaxKeys, false)
		return c, err
	}
	if err != nil {
		return c, fmt.Errorf("the calibration that is kept is damaged (`experiment calibrate` takes it anew): %w", err)
	}
	here, err := calibrate.Here(c.Machine.MaxKeys)
	if err == nil && !c.Machine.SameAs(here) {
		_, err = fmt.Fprintln(warn, "The calibration was taken with another program, compiler or versions; `experiment calibrate` renews it.")
	}
	return c, err
}
