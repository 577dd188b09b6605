package specimens

import "fmt"

// Answers are what a structure said.
type Answers struct {
	// Held is the number of distinct keys that it must answer for, and Lost how
	// many of them it denies, or counts less often than they came.
	Held, Lost int
	// Values are all further answers, one number each: what they mean depends on
	// the kind.
	Values []uint64
}

// Differ is the number of answers that two structures give differently.
func (a Answers) Differ(b Answers) int {
	n := max(a.Lost, b.Lost) - min(a.Lost, b.Lost)
	for i := range min(len(a.Values), len(b.Values)) {
		if a.Values[i] != b.Values[i] {
			n++
		}
	}
	return n + max(len(a.Values), len(b.Values)) - min(len(a.Values), len(b.Values))
}

// A Specimen is what became of an input.
type Specimen struct {
	// Refused is the error of the library, "" where it built the structure.
	Refused string
	// Fault is a panic, or the program's death, "" where there was none.
	Fault   string
	Answers Answers
	Size    int // bytes by its own account
	// Forms are its bytes by the name of the form; Unwritten are the errors of
	// those forms that could not be written.
	Forms     map[string][]byte
	Unwritten map[string]string
}

// guarded calls f and turns a panic into the text of a fault.
func guarded(f func()) (fault string) {
	defer func() {
		if r := recover(); r != nil {
			fault = fmt.Sprintf("panic: %v", r)
		}
	}()
	f()
	return ""
}
