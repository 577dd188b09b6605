package check

import (
	"fmt"
	"slices"
)

// A Versus is what two versions of a library were found to do differently.
type Versus struct {
	Module      string
	Before, Now string   // versions, or folders
	Subjects    []string // that both versions serve
	Absent      []Absence
	// Promises compares the judgements of both, on the cells that both have. Only
	// a regression fails: a figure may move with the version.
	Promises Report
	Judged   int // judgements compared
	Inputs   []InputChange
	Built    int // inputs compared, over all subjects
	Sizes    []SizeChange
	Reads    []Reading
	Speeds   []Speed
	// Notes are what kept parts from being compared.
	Notes []string
}

// An Absence is a subject that one of the versions does not serve.
type Absence struct {
	Subject string `json:"subject"`
	Version string `json:"version"`
}

// A State is what became of an input. A greater one is worse.
type State int

const (
	// Kept: built, and every key is found.
	Kept State = iota
	// Refused: the library returned an error.
	Refused
	// Faulty: a panic, a hang, or the end of the program.
	Faulty
	// Lossy: built without an error, and keys are denied.
	Lossy
)

// An Outcome is what became of an input under one version.
type Outcome struct {
	State      State
	Text       string // error or fault
	Lost, Held int    // keys denied, of those that were given
}

// String says the outcome in words.
func (o Outcome) String() string {
	switch o.State {
	case Kept:
		return "every key is found"
	case Refused:
		return fmt.Sprintf("refused with an error (%s)", o.Text)
	case Faulty:
		return fmt.Sprintf("fails (%s)", o.Text)
	default:
		return fmt.Sprintf("no error, and %d of %d keys are lost (%.0f %%)", o.Lost, o.Held, 100*float64(o.Lost)/float64(max(o.Held, 1)))
	}
}

// An InputChange is an input of which the two versions make different things.
type InputChange struct {
	Subject, Input string
	Before, Now    Outcome
}

// Kind is Regressed, Mended or Moved: more or fewer keys lost is a change too.
func (c InputChange) Kind() Kind {
	switch {
	case c.Now.State > c.Before.State || c.Now.State == Lossy && c.Now.Lost > c.Before.Lost:
		return Regressed
	case c.Now.State < c.Before.State || c.Now.State == Lossy && c.Now.Lost < c.Before.Lost:
		return Mended
	default:
		return Moved
	}
}

// Differ reports whether two outcomes differ in more than words.
func Differ(a, b Outcome) bool { return a.State != b.State || a.Lost != b.Lost }

// A SizeChange is a size that differs, in bytes.
type SizeChange struct {
	Subject string `json:"subject"`
	Input   string `json:"input"`
	What    string `json:"what"` // "in memory", or a form
	Before  int    `json:"before"`
	Now     int    `json:"now"`
}

// A Reading is what one version makes of the bytes that another wrote, over all
// inputs.
type Reading struct {
	Subject, Form  string
	Writer, Reader string
	// Forward: written before the change of version, read after it.
	Forward bool
	// Worst is the worst outcome, at Input. Kept means that every answer is the
	// same. Differ counts answers that changed, keys lost among them, of Asked.
	Worst         Outcome
	Input         string
	Differ, Asked int
	Inputs        int // read
	// Own says that the writer does not read its own bytes right either: then
	// nothing follows about the versions.
	Own bool
}

// Kind is Regressed where the newer version does not read what the older wrote,
// Moved where it is the other way round, and New where both agree.
func (r Reading) Kind() Kind {
	switch {
	case r.Worst.State == Kept && r.Differ == 0:
		return New
	case r.Forward && !r.Own:
		return Regressed
	default:
		return Moved
	}
}

// String says in a line how the bytes were read.
func (r Reading) String() string {
	by := fmt.Sprintf("%s, %s: %s reads what %s wrote", r.Subject, r.Form, r.Reader, r.Writer)
	own := ""
	if r.Own {
		own = "; so does " + r.Writer + " itself"
	}
	at := fmt.Sprintf(" (%s)%s", r.Input, own)
	switch {
	case r.Worst.State == Lossy:
		return fmt.Sprintf("%s without an error and loses %d of %d keys, %.0f %%%s", by, r.Worst.Lost, r.Worst.Held,
			100*float64(r.Worst.Lost)/float64(max(r.Worst.Held, 1)), at)
	case r.Worst.State == Refused:
		return fmt.Sprintf("%s, %s: %s refuses what %s wrote: %s%s", r.Subject, r.Form, r.Reader, r.Writer, r.Worst.Text, at)
	case r.Worst.State == Faulty:
		return fmt.Sprintf("%s and fails: %s%s", by, r.Worst.Text, at)
	case r.Differ > 0:
		return fmt.Sprintf("%s without an error and answers %d of %d questions otherwise%s", by, r.Differ, r.Asked, at)
	default:
		return fmt.Sprintf("%s, and every answer is the same (%d inputs)", by, r.Inputs)
	}
}

// A Speed is the time of an operation in the newer version over that in the
// older, round by round.
type Speed struct {
	Subject, Op            string
	Rounds                 int
	Ratio, Lo, Hi          float64
	Confidence             float64
	SecondsBefore, Seconds float64 // an operation, medians
}

// slack is a difference in speed that nobody would act upon.
const slack = 0.05

// Word says which version is faster, "" where the interval does not tell.
func (p Speed) Word() string {
	switch {
	case p.Lo > 1+slack:
		return "slower"
	case p.Hi < 1-slack:
		return "faster"
	default:
		return ""
	}
}

// Failed reports whether anything regressed. Speed fails nothing: it is the
// machine's too.
func (v Versus) Failed() bool { return v.count(Regressed) > 0 }

// count is the number of things to say of a kind.
func (v Versus) count(k Kind) int {
	n := v.Promises.Count(k)
	for _, c := range v.Inputs {
		if c.Kind() == k {
			n++
		}
	}
	for _, r := range v.Reads {
		if r.Kind() == k && k != New {
			n++
		}
	}
	return n
}

// Verdict is the whole in a line.
func (v Versus) Verdict() string {
	regressed, mended := v.count(Regressed), v.count(Mended)
	switch {
	case regressed > 0 && mended > 0:
		return fmt.Sprintf("%s regressed, %s mended", things(regressed), things(mended))
	case regressed > 0:
		return things(regressed) + " regressed"
	case mended > 0:
		return things(mended) + " mended, nothing regressed"
	default:
		return "nothing regressed"
	}
}

func things(n int) string {
	if n == 1 {
		return "1 promise"
	}
	return fmt.Sprintf("%d promises", n)
}

// Common narrows the results of two versions to the judgements of subjects that
// both serve.
func Common(before, now Results, subjects []string) (Results, Results) {
	only := func(r Results) Results {
		kept := r
		kept.Rows = nil
		for _, row := range r.Rows {
			if slices.Contains(subjects, row.Subject) {
				kept.Rows = append(kept.Rows, row)
			}
		}
		return kept
	}
	return only(before), only(now)
}
