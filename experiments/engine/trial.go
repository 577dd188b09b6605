package engine

import (
	"fmt"
	"math/rand"
	"strings"
)

// A Trial is what one trial left: its readings, or the fault that ended it.
type Trial struct {
	Readings []Reading
	Fault    string
}

// run carries out one trial. A panic of the subject is a fault.
func (c Cell) run(seed uint64) (trial Trial) {
	t := NewT(seed, c.Metrics)
	defer func() {
		if r := recover(); r != nil {
			trial = Trial{Fault: firstLine(fmt.Sprintf("panic: %v", r))}
		}
	}()
	// Some libraries draw from the global generator, and nothing else can seed
	// it. One trial runs at a time in a process, so this replays them.
	//lint:ignore SA1019 go.mod keeps it working: godebug randseednop=0
	rand.Seed(int64(seed))
	if err := c.Run(t); err != nil {
		return Trial{Fault: firstLine(err.Error())}
	}
	return Trial{Readings: t.readings}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
