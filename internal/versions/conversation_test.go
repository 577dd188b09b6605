package versions

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// partnerEnv makes this test program the partner of a conversation.
const partnerEnv = "VERSIONS_TEST_PARTNER"

func TestMain(m *testing.M) {
	if os.Getenv(partnerEnv) == "" {
		os.Exit(m.Run())
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch lines.Text() {
		case `"panic"`:
			panic("out of words")
		case `"exit"`:
			os.Exit(7)
		case `"hang"`:
			time.Sleep(time.Hour)
		default:
			fmt.Printf("[%s]\n", lines.Text())
		}
	}
}

func converse(t *testing.T, patience time.Duration) *Conversation {
	c := Converse(func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), partnerEnv+"=1")
		return cmd
	}, patience)
	t.Cleanup(c.Close)
	return c
}

func TestConversationSurvivesDeaths(t *testing.T) {
	c := converse(t, time.Minute)
	for _, word := range []struct {
		say, cause string
		code       int
	}{
		{"a", "", 0}, {"panic", "panic: out of words", 2}, {"b", "", 0}, {"exit", "exit status 7", 7}, {"c", "", 0},
	} {
		var got []string
		err := c.Ask(context.Background(), word.say, &got)
		if word.cause == "" {
			if err != nil || len(got) != 1 || got[0] != word.say {
				t.Errorf("%q: %q, %v", word.say, got, err)
			}
			continue
		}
		if died, ok := errors.AsType[*DeathError](err); !ok || !strings.Contains(died.Cause, word.cause) || died.Code != word.code {
			t.Errorf("%q: error %v, want a death of %q", word.say, err, word.cause)
		}
	}
}

func TestConversationLosesPatience(t *testing.T) {
	c := converse(t, 300*time.Millisecond)
	var got []string
	err := c.Ask(context.Background(), "hang", &got)
	if died, ok := errors.AsType[*DeathError](err); !ok || !strings.Contains(died.Cause, "no answer") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := c.Ask(ctx, "hang", &got); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
