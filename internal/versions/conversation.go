package versions

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// A Conversation is a program that answers one JSON value with another. It is
// started when it is first asked, and again after it died.
type Conversation struct {
	command  func() *exec.Cmd
	patience time.Duration

	cmd     *exec.Cmd
	in      io.WriteCloser
	replies chan []byte // one a line, closed at the end of the program's output
	stderr  *bytes.Buffer
}

// Converse prepares a conversation with the programs that command makes. A
// request may take as long as patience.
func Converse(command func() *exec.Cmd, patience time.Duration) *Conversation {
	return &Conversation{command: command, patience: patience}
}

// A DeathError says of what a program died over a request: the library that it
// holds panicked beyond recovery, hung, or ate the memory.
type DeathError struct {
	Cause string
	Code  int // exit code, 0 where it did not end by itself
}

func (e *DeathError) Error() string { return e.Cause }

// Ask sends a request and reads the answer into reply, a pointer. The error is a
// *DeathError where the program did not survive the request.
func (c *Conversation) Ask(ctx context.Context, request, reply any) error {
	if c.cmd == nil {
		if err := c.start(); err != nil {
			return err
		}
	}
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return c.death()
	}
	timer := time.NewTimer(c.patience)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		c.Close()
		return ctx.Err()
	case <-timer.C:
		c.Close()
		return &DeathError{Cause: fmt.Sprintf("no answer within %v", c.patience)}
	case line, ok := <-c.replies:
		if !ok {
			return c.death()
		}
		return json.Unmarshal(line, reply)
	}
}

func (c *Conversation) start() error {
	cmd := c.command()
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.stderr = new(bytes.Buffer)
	cmd.Stderr = c.stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	replies := make(chan []byte, 1)
	go func() {
		defer close(replies)
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			replies <- line
		}
	}()
	c.cmd, c.in, c.replies = cmd, in, replies
	return nil
}

// death reaps a program that ended by itself.
func (c *Conversation) death() error {
	err := c.end()
	code := 0
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		code = failed.ExitCode()
	}
	for line := range strings.Lines(c.stderr.String()) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return &DeathError{strings.TrimSpace(line), code}
		}
	}
	if err == nil {
		err = errors.New("ended early")
	}
	return &DeathError{"the program died: " + err.Error(), code}
}

// Close ends the program.
func (c *Conversation) Close() {
	if c.cmd != nil {
		_ = c.cmd.Process.Kill() // it may be dead already
		_ = c.end()              // how it ends no longer matters
	}
}

func (c *Conversation) end() error {
	_ = c.in.Close()
	for range c.replies {
		continue
	}
	err := c.cmd.Wait()
	c.cmd = nil
	return err
}
