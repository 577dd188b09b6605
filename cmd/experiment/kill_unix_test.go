//go:build unix

package main

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// manyCells takes about a second, and one journal entry a cell.
const manyCells = "bloom/no-false-negatives/*sequential*"

// A started run is a process group of its own: the command and its workers.
type started struct {
	t      *testing.T
	cmd    *exec.Cmd
	dir    string
	stderr strings.Builder
	gone   *os.File // ends when the last process of the group has ended
}

func start(t *testing.T, dir string) *started {
	t.Helper()
	path, err := exec.LookPath("experiment") // as testscript.Main put it there
	if err != nil {
		t.Fatal(err)
	}
	gone, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := &started{t: t, dir: dir, gone: gone}
	s.cmd = exec.Command(path, "run", "--scale", "smoke", "--only", manyCells, "--workers", "2", "--out", dir)
	s.cmd.Stderr = &s.stderr
	s.cmd.ExtraFiles = []*os.File{held} // inherited by the workers too
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// journal is the size of the run's journal, 0 if there is none.
func (s *started) journal() int64 {
	found, err := filepath.Glob(filepath.Join(s.dir, "journal-*"))
	if err != nil || len(found) == 0 {
		return 0
	}
	info, err := os.Stat(found[0])
	if err != nil {
		return 0
	}
	return info.Size()
}

// at waits until the journal has a size, or the run has ended, then sends a
// signal to the whole group, or to the command alone. It returns how the command
// ended, when all of its processes have.
func (s *started) at(size int64, signal syscall.Signal, group bool) error {
	s.t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- s.cmd.Wait() }()
	for s.journal() < size {
		select {
		case err := <-ended:
			s.allGone()
			return err
		case <-time.After(time.Millisecond):
		}
	}
	pid := s.cmd.Process.Pid
	if group {
		pid = -pid
	}
	if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		s.t.Fatal(err)
	}
	err := <-ended
	s.allGone()
	return err
}

// allGone waits for the workers. Where one lives on, it fails instead of waiting
// as long as that does.
func (s *started) allGone() {
	s.t.Helper()
	if err := s.gone.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.gone.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		s.t.Fatalf("a worker outlives its parent: %v", err)
	}
	if err := s.gone.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// died reports whether a process was ended by the signal.
func died(err error, by syscall.Signal) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == by
}

// undisturbed runs to the end.
func undisturbed(t *testing.T, dir string) map[string]string {
	t.Helper()
	s := start(t, dir)
	err := s.cmd.Wait()
	if s.allGone(); err != nil {
		t.Fatalf("%v: %s", err, s.stderr.String())
	}
	files, err := tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestRunsThatWereStoppedResume compares with a run that nothing stopped.
func TestRunsThatWereStoppedResume(t *testing.T) {
	if testing.Short() {
		t.Skip("runs trials for some seconds")
	}
	want := undisturbed(t, t.TempDir())
	for name, stop := range map[string]func(*testing.T, string){"killed": killThrice, "interrupted": interrupt} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			stop(t, dir)
			if d := cmp.Diff(want, undisturbed(t, dir)); d != "" {
				t.Errorf("%.4000s", d)
			}
		})
	}
}

// killThrice kills a run at three moments, drawn from the size that its journal
// has by then: twice with its workers, once the command alone, whose workers then
// must end by themselves.
func killThrice(t *testing.T, dir string) {
	t.Helper()
	moments := rand.New(rand.NewPCG(1, 0))
	// At the end the journal holds about 16 000 bytes, so every moment is reached
	// before. A machine may be too busy to see it in time: then the run is complete,
	// its journal gone, and the next one begins anew.
	const step = 3500
	var reached int64
	for kills, tries := 0, 0; kills < 3; tries++ {
		if tries == 10 {
			t.Fatalf("only %d of 10 runs were killed before their end", kills)
		}
		s := start(t, dir)
		switch err := s.at(reached+1+moments.Int64N(step), syscall.SIGKILL, kills != 1); {
		case died(err, syscall.SIGKILL):
			kills++
			reached = min(s.journal(), int64(kills)*step)
		case err == nil:
			reached = 0
		default:
			t.Fatalf("%v: %s", err, s.stderr.String())
		}
	}
}

// interrupt stops a run as a terminal does, with all of its processes. That is
// no fault of any subject, and loses nothing.
func interrupt(t *testing.T, dir string) {
	t.Helper()
	s := start(t, dir)
	err := s.at(1, syscall.SIGINT, true)
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok || exit.ExitCode() != exitInternal {
		t.Errorf("%v, want exit code %d", err, exitInternal)
	}
	if got := s.stderr.String(); got != "experiment: interrupted; the same command goes on from here\n" {
		t.Errorf("it says %q", got)
	}
	if s.journal() == 0 {
		t.Error("no journal is left")
	}
}
