package conversation

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// workerEnv makes this test program a worker of the kind it names.
	workerEnv = "CONVERSATION_TEST_WORKER"
	// farewellEnv names the file that a worker leaves when it ends as it should.
	farewellEnv = "CONVERSATION_TEST_FAREWELL"
)

// An order is a request; the worker does what it says. N is a number of replies,
// of bytes or an exit code.
type order struct {
	Do   string
	N    int
	Load []byte
}

type reply struct {
	Text string
	Load []byte
}

func TestMain(m *testing.M) {
	switch os.Getenv(workerEnv) {
	case "":
		os.Exit(m.Run())
	case "deaf":
		time.Sleep(time.Hour)
	case "stillborn":
		panic("stillborn")
	case "obedient":
		requests, replies := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdout)
		for {
			var o order
			if err := requests.Decode(&o); err != nil {
				break
			}
			o.carryOut(replies)
		}
		if name := os.Getenv(farewellEnv); name != "" {
			_ = os.WriteFile(name, nil, 0o644)
		}
	}
}

func (o order) carryOut(replies *gob.Encoder) {
	switch o.Do {
	case "panic":
		panic("out of words")
	case "fatal":
		new(sync.Mutex).Unlock() // no recover catches it
	case "exit":
		os.Exit(o.N)
	case "hang":
		time.Sleep(time.Hour)
	case "babble": // and live on
		_, _ = os.Stdout.WriteString(strings.Repeat("what was the question? ", 100))
		time.Sleep(time.Hour)
	case "drone": // a reply as long as 256 MiB, as its first bytes say, of which more comes all the time
		_, _ = os.Stdout.Write([]byte{0xfc, 0x10, 0, 0, 0})
		for {
			_, _ = os.Stdout.Write(make([]byte, 64))
			time.Sleep(time.Millisecond)
		}
	case "half": // a reply
		_, _ = os.Stdout.Write([]byte{100, 1, 2, 3})
		os.Exit(o.N)
	case "mutter":
		fmt.Fprintln(os.Stderr, "panic: just kidding")
	}
	for i := range max(1, o.N) {
		if o.Do == "load" {
			_ = replies.Encode(reply{Text: o.Do, Load: bytes.Repeat([]byte{7}, o.N)})
			return
		}
		_ = replies.Encode(reply{Text: fmt.Sprint(o.Do, i)})
	}
	if o.Do == "last" {
		_ = os.Stdin.Close() // before the output, so that who sees the end of that can ask no more
		panic("with the last word")
	}
}

type worker = Worker[order, reply]

func workerOf(t *testing.T, kind string, env ...string) *worker {
	w := &worker{Command: func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(append(os.Environ(), workerEnv+"="+kind), env...)
		return cmd
	}}
	t.Cleanup(func() {
		if w.cmd != nil {
			w.kill()
		}
	})
	return w
}

func mustAsk(t *testing.T, w *worker, o order) {
	t.Helper()
	if err := w.Ask(t.Context(), o); err != nil {
		t.Fatalf("ask for %s: %v", o.Do, err)
	}
}

func mustHear(t *testing.T, w *worker, want string) {
	t.Helper()
	if got, err := w.Next(t.Context(), time.Minute); err != nil || got.Text != want {
		t.Fatalf("%q, %v; want %q", got.Text, err, want)
	}
}

// TestDeaths: of every way to end the caller is told, in words that are the same
// in every run, and the next request goes to a fresh worker.
func TestDeaths(t *testing.T) {
	w := workerOf(t, "obedient")
	for _, c := range []struct {
		ask      order
		patience time.Duration
		cause    string
		code     int
	}{
		{order{Do: "panic"}, time.Minute, "panic: out of words", 2},
		{order{Do: "fatal"}, time.Minute, "fatal error: sync: unlock of unlocked mutex", 2},
		{order{Do: "exit", N: 7}, time.Minute, "the worker died: exit status 7", 7},
		{order{Do: "exit"}, time.Minute, "the worker ended early", 0},
		{order{Do: "half", N: 3}, time.Minute, "the worker died: exit status 3", 3},
		{order{Do: "babble"}, time.Minute, "the worker wrote what is no reply", -1},
		{order{Do: "hang"}, 300 * time.Millisecond, "no answer within 300ms", -1},
		{order{Do: "drone"}, 300 * time.Millisecond, "no answer within 300ms", -1},
	} {
		t.Run(strings.TrimSpace(fmt.Sprint(c.ask.Do, " ", c.code)), func(t *testing.T) {
			mustAsk(t, w, order{Do: "hello"})
			mustHear(t, w, "hello0")
			mustAsk(t, w, c.ask)
			_, err := w.Next(t.Context(), c.patience)
			died, ok := errors.AsType[*DeathError](err)
			if !ok || died.Cause != c.cause || died.Code != c.code || err.Error() != c.cause {
				t.Errorf("%#v, want the cause %q and the code %d", err, c.cause, c.code)
			}
			if w.cmd != nil {
				t.Error("it lives")
			}
		})
	}
}

func TestRepliesComeInOrder(t *testing.T) {
	w := workerOf(t, "obedient")
	for range 2 {
		mustAsk(t, w, order{Do: "count", N: 3})
		for _, want := range []string{"count0", "count1", "count2"} {
			mustHear(t, w, want)
		}
	}
}

// TestBigMessages: both are far larger than what a pipe holds.
func TestBigMessages(t *testing.T) {
	const size = 8 << 20
	w := workerOf(t, "obedient")
	mustAsk(t, w, order{Do: "load", N: size, Load: make([]byte, size)})
	got, err := w.Next(t.Context(), time.Minute)
	if err != nil || !bytes.Equal(got.Load, bytes.Repeat([]byte{7}, size)) {
		t.Errorf("%d bytes, %v; want %d sevens", len(got.Load), err, size)
	}
}

// TestDeathBetweenRequests: a worker that dies after its last reply, of whatever,
// is no answer to the next request, which a fresh one answers.
func TestDeathBetweenRequests(t *testing.T) {
	w := workerOf(t, "obedient")
	mustAsk(t, w, order{Do: "last"})
	mustHear(t, w, "last0")
	first := w.cmd.Process.Pid
	if _, more := <-w.replies; more {
		t.Fatal("a second reply")
	}
	mustAsk(t, w, order{Do: "hello"})
	mustHear(t, w, "hello0")
	if w.cmd.Process.Pid == first {
		t.Error("the worker did not die")
	}
}

// TestOldWordsAreNoCause: what was logged over a request that the worker survived
// says nothing of a later death.
func TestOldWordsAreNoCause(t *testing.T) {
	w := workerOf(t, "obedient")
	mustAsk(t, w, order{Do: "mutter"})
	mustHear(t, w, "mutter0")
	for deadline := time.Now().Add(time.Minute); w.stderr.heard() == ""; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing was heard")
		}
	}
	mustAsk(t, w, order{Do: "exit", N: 3})
	if _, err := w.Next(t.Context(), time.Minute); fmt.Sprint(err) != "the worker died: exit status 3" {
		t.Errorf("%v", err)
	}
}

func TestContextEndsTheWorker(t *testing.T) {
	w := workerOf(t, "obedient")
	ctx, cancel := context.WithCancel(t.Context())
	if err := w.Ask(ctx, order{Do: "hang"}); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := w.Next(ctx, time.Minute); !errors.Is(err, context.Canceled) || w.cmd != nil {
		t.Errorf("%v, want that it was cancelled, and no worker", err)
	}
	mustAsk(t, w, order{Do: "hello"})
	mustHear(t, w, "hello0")
}

// overtaken is a context that is done, of which nobody was told yet.
type overtaken struct{ context.Context }

func (overtaken) Err() error { return context.Canceled }

// TestInterruptIsNoDeath: what interrupts us may have reached the worker first.
func TestInterruptIsNoDeath(t *testing.T) {
	w := workerOf(t, "obedient")
	mustAsk(t, w, order{Do: "exit", N: 3})
	if _, err := w.Next(overtaken{t.Context()}, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
	w = workerOf(t, "stillborn")
	if err := w.Ask(overtaken{t.Context()}, order{Load: make([]byte, 1<<20)}); !errors.Is(err, context.Canceled) {
		t.Errorf("asked: %v, want that it was cancelled", err)
	}
}

// TestDeafWorker: a request that a pipe does not hold can be given up.
func TestDeafWorker(t *testing.T) {
	w := workerOf(t, "deaf")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := w.Ask(ctx, order{Load: make([]byte, 1<<20)}); !errors.Is(err, context.DeadlineExceeded) || w.cmd != nil {
		t.Errorf("%v, want that the time was over, and no worker", err)
	}
}

// TestNoWorker: one that cannot be started, or dies before it takes a request, is
// not started again and again.
func TestNoWorker(t *testing.T) {
	w := &worker{Command: func() *exec.Cmd { return exec.Command(filepath.Join(t.TempDir(), "nothing")) }}
	if err := w.Ask(t.Context(), order{}); err == nil || !strings.HasPrefix(err.Error(), "start a worker: ") {
		t.Errorf("no program: %v", err)
	}
	w = workerOf(t, "stillborn")
	err := w.Ask(t.Context(), order{Load: make([]byte, 1<<20)})
	if died, ok := errors.AsType[*DeathError](err); !ok || died.Cause != "panic: stillborn" || died.Code != 2 {
		t.Errorf("stillborn: %v", err)
	}
}

// TestCloseIsKind: the worker ends by itself, whatever it has still to say.
func TestCloseIsKind(t *testing.T) {
	farewell := filepath.Join(t.TempDir(), "farewell")
	w := workerOf(t, "obedient", farewellEnv+"="+farewell)
	w.Close() // of none
	mustAsk(t, w, order{Do: "count", N: 50_000})
	w.Close()
	if _, err := os.Stat(farewell); err != nil || w.cmd != nil {
		t.Errorf("%v", err)
	}
	w.Close() // again
}

// TestStubbornWorker: one that does not end with its input is not waited for.
func TestStubbornWorker(t *testing.T) {
	w := workerOf(t, "obedient")
	mustAsk(t, w, order{Do: "hang"})
	if err := w.reap(50 * time.Millisecond); fmt.Sprint(err) != "signal: killed" || w.cmd != nil {
		t.Errorf("%v", err)
	}
}
