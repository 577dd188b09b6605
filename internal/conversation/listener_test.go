package conversation

import (
	"strings"
	"testing"
)

// TestListener feeds what programs write, in pieces of every size.
func TestListener(t *testing.T) {
	long := "panic: " + strings.Repeat("x", 2*lineLimit)
	for _, c := range []struct{ name, wrote, cause string }{
		{"a panic", "panic: lost my way\n\ngoroutine 1 [running]:\nmain.main()\n\t/x.go:7\nexit status 2\n", "panic: lost my way"},
		{"a stack overflow", "runtime: goroutine stack exceeds 1000000000-byte limit\nruntime: sp=0xc01 stack=[0xc0, 0xd0]\n" +
			"fatal error: stack overflow\n\nruntime stack:\n", "fatal error: stack overflow"},
		{"a log before it", "panic: just kidding\nlog\nfatal error: all goroutines are asleep - deadlock!\n", "fatal error: all goroutines are asleep - deadlock!"},
		{"no cause", "a panic: no\n fatal error: no\nruntime stack:\n", ""},
		{"an unfinished line", "panic: and the", ""},
		{"a line without end", strings.Repeat("log ", 10_000) + "\npanic: at last\n", "panic: at last"},
		{"a long cause", long + "\n", long[:lineLimit]},
	} {
		for size := 1; size <= len(c.wrote); size = 2*size + 1 {
			var l listener
			for rest := c.wrote; rest != ""; {
				n, err := l.Write([]byte(rest[:min(size, len(rest))]))
				if err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if got := l.heard(); got != c.cause {
				t.Errorf("%s, %d bytes at a time: %q, want %q", c.name, size, got, c.cause)
			}
			if l.forget(); l.heard() != "" {
				t.Errorf("%s: not forgotten", c.name)
			}
		}
	}
}
