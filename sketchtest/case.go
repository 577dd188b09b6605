package sketchtest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand"
	"strconv"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// A Case is one thing that is asked of one structure. Its trials are independent
// and alike: each builds what it needs anew, from its seed alone.
type Case struct {
	// Labels say what is asked and where; the check comes first:
	// check=rate/shape=decimal/n=1000.
	Labels record.Labels
	// Of is the property that the case speaks about.
	Of sketchproof.Property
	// Metric is what a trial reads, Unit that of its numerator, and Method how the
	// readings of all trials become a judgement of the law.
	Metric, Unit string
	Method       stats.Method
	// Law names what the readings are held to, and Source its author, year and
	// equation, or what it follows from.
	Law, Source string
	// Trials is the number planned: what is spent if nothing decides earlier.
	Trials int
	// Operations is about how many of the structure's operations a trial takes, to
	// plan its time by.
	Operations int
	// Fatal says that a trial may end its process, as no panic does: it is carried
	// out in one of its own.
	Fatal bool
	// Warning says that a broken law is told and fails nothing: it is a sign of bad
	// hashing, not a promise that is not kept. A fault is one all the same.
	Warning bool
	// Run is one trial. An error is a fault of the structure.
	Run func(seed uint64) (Reading, error)
}

// Name is the case's labels as one word, as in a cell's name.
func (c Case) Name() string { return record.CellName("", c.Labels)[1:] }

// A Reading is what one trial read: Num of Den, and the band that the law allows.
type Reading struct {
	Num, Den int64
	Band     stats.Band
	// Input is the smallest input found that shows what is wrong, in words that
	// suffice to make it again. It is "" where nothing is.
	Input string
}

// Effort is how much is asked. More effort adds cases, and changes none.
type Effort int

// The efforts: that of -short, that of a usual test run, and that of a night.
const (
	Short Effort = iota
	Usual
	Long
)

// Seed is the seed of a trial, from its identity alone.
func Seed(root uint64, name string, trial int) uint64 {
	sum := sha256.Sum256([]byte(strconv.FormatUint(root, 10) + "\x00" + name + "\x00" + strconv.Itoa(trial)))
	return binary.LittleEndian.Uint64(sum[:])
}

// never is the band of what must not happen.
var never = stats.AtMost(0)

// replay seeds the global generator: some libraries draw from it, and nothing else
// can seed it. It works where the main module has `godebug randseednop=0`. What is
// computed once in a process, beside the trials or in the first of them, replays a
// seed of its own, and the trial its own again: else rows would depend on what else
// a process has done.
func replay(seed uint64) {
	//lint:ignore SA1019 a no-op elsewhere, and then without harm
	rand.Seed(int64(seed))
}

// try is one trial of a case. A panic is a fault of the structure.
func (c Case) try(seed uint64) (r Reading, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	replay(seed)
	r, err = c.Run(seed)
	if err != nil {
		return r, err
	}
	return r, c.Method.Check(stats.Count{Num: r.Num, Den: r.Den})
}
