package conversation

import (
	"strings"
	"sync"
)

// A listener hears a worker's standard error and keeps the line in which the Go
// runtime says why it stops. The stacks, and what a library logs, it lets pass.
type listener struct {
	mu    sync.Mutex
	line  []byte // begun
	cause string
}

// lineLimit is what is kept of a line, in bytes.
const lineLimit = 1024

func (l *listener) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range b {
		if c != '\n' {
			if len(l.line) < lineLimit {
				l.line = append(l.line, c)
			}
			continue
		}
		if line := string(l.line); isCause(line) {
			l.cause = line // the last one: a library may have logged such a line before
		}
		l.line = l.line[:0]
	}
	return len(b), nil
}

func isCause(line string) bool {
	return strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") || strings.HasPrefix(line, "runtime:")
}

// heard is the cause, "" if there was none.
func (l *listener) heard() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cause
}

// forget drops what was logged over a request that the worker survived.
func (l *listener) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cause = ""
}
