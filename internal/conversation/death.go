package conversation

import (
	"errors"
	"os/exec"
)

// A DeathError says of what a worker died over a request.
type DeathError struct {
	Cause string // what the Go runtime said, if it did
	Code  int    // exit code; -1 where a signal ended it, as ours does
}

func (e *DeathError) Error() string { return e.Cause }

// death reaps a worker whose output or input failed.
func (w *Worker[Q, R]) death() *DeathError {
	err := w.reap(grace)
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	}
	switch cause := w.stderr.heard(); {
	case w.garbled:
		return &DeathError{"the worker wrote what is no reply", code}
	case err == nil:
		return &DeathError{"the worker ended early", code}
	case cause != "":
		return &DeathError{cause, code}
	}
	return &DeathError{"the worker died: " + err.Error(), code}
}
