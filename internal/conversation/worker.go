package conversation

import (
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// grace is what a worker may take for what takes it no time: to accept a request
// while it is idle, and to end after its input or its output did.
const grace = time.Minute

// A Worker is a program that answers a request of type Q with one or more
// replies of type R. It is started when it is first asked, and again after a
// death. One goroutine at a time may talk to it.
type Worker[Q, R any] struct {
	Command func() *exec.Cmd // makes a fresh one, its three streams unset

	cmd      *exec.Cmd // nil where none runs
	in       io.WriteCloser
	requests *gob.Encoder
	replies  chan R // closed at the end of what can be read
	stderr   *listener
	garbled  bool // it wrote what is no reply; to be read once replies is closed
}

// Ask sends a request, to a fresh worker if the last one died meanwhile. The
// replies to the request before must have been read.
func (w *Worker[Q, R]) Ask(ctx context.Context, q Q) error {
	for {
		fresh := w.cmd == nil
		if !fresh {
			w.stderr.forget()
		} else if err := w.start(); err != nil {
			return err
		}
		err := w.send(ctx, q)
		if err == nil {
			return nil
		}
		died := w.death()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if fresh {
			return fmt.Errorf("ask a worker: %w: %w", err, died)
		}
	}
}

// Next is the next reply. There is none, and the worker is no more, when the
// context is done; or when the worker was silent for longer than patience, or
// died: the error is then a *DeathError.
func (w *Worker[Q, R]) Next(ctx context.Context, patience time.Duration) (R, error) {
	var none R
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		w.kill()
		return none, ctx.Err()
	case <-timer.C:
		w.kill()
		return none, &DeathError{Cause: fmt.Sprintf("no answer within %v", patience), Code: -1}
	case reply, ok := <-w.replies:
		if ok {
			return reply, nil
		}
		died := w.death()
		if ctx.Err() != nil { // what interrupts us may have ended the worker too
			return none, ctx.Err()
		}
		return none, died
	}
}

// Close ends the input of the worker, if there is one, and waits until it ends.
func (w *Worker[Q, R]) Close() {
	if w.cmd != nil {
		_ = w.reap(grace) // how it ends no longer matters
	}
}

func (w *Worker[Q, R]) start() error {
	cmd := w.Command()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	w.stderr = &listener{}
	cmd.Stderr = w.stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start a worker: %w", err)
	}
	w.cmd, w.in, w.requests, w.replies, w.garbled = cmd, in, gob.NewEncoder(in), make(chan R), false
	go w.listen(cmd, &stream{Reader: out}, w.replies)
	return nil
}

// listen hands over replies until the worker's output ends. A worker that writes
// what is no reply is killed: nothing that follows would make sense.
func (w *Worker[Q, R]) listen(cmd *exec.Cmd, out *stream, replies chan<- R) {
	defer close(replies)
	for d := gob.NewDecoder(out); ; {
		var r R
		if err := d.Decode(&r); err != nil {
			if !out.ended {
				w.garbled = true
				_ = cmd.Process.Kill() // it may be dead already
			}
			return
		}
		replies <- r
	}
}

// A stream knows whether it was read to its end: a gob.Decoder says io.EOF of
// some replies that make no sense, too.
type stream struct {
	io.Reader
	ended bool
}

func (s *stream) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	s.ended = err != nil
	return n, err
}

// send writes a request, and kills a worker that does not accept it.
func (w *Worker[Q, R]) send(ctx context.Context, q Q) error {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	worker := w.cmd.Process
	defer context.AfterFunc(ctx, func() { _ = worker.Kill() })()
	return w.requests.Encode(q)
}

// kill ends the worker and waits for it.
func (w *Worker[Q, R]) kill() {
	_ = w.cmd.Process.Kill() // it may be dead already
	_ = w.reap(grace)        // we know how it ended
}

// reap waits for a worker that is ending, until its replies are read out. It
// kills one that lives on.
func (w *Worker[Q, R]) reap(patience time.Duration) error {
	worker := w.cmd.Process
	defer time.AfterFunc(patience, func() { _ = worker.Kill() }).Stop()
	_ = w.in.Close()
	for range w.replies {
		continue
	}
	err := w.cmd.Wait()
	w.cmd = nil
	return err
}
