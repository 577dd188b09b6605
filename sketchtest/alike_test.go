package sketchtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

// A toy is an exact set of numbers and byte strings, with a defect made on purpose.
type toy struct {
	defect  string
	numbers map[uint64]bool
	strings [][]byte
	written []byte // bytes it was read from
	asked   int
	readers atomic.Int32
	absent  atomic.Uint64 // the last key that was not found
}

// everybody is what the toys of one defect share.
var everybody = map[uint64]bool{}

func newToy(defect string) *toy {
	t := &toy{defect: defect, numbers: map[uint64]bool{}}
	if defect == "shared" {
		t.numbers = everybody
	}
	return t
}

func (t *toy) Add(key uint64) error { t.numbers[key] = true; return nil }

func (t *toy) AddBytes(key []byte) error {
	if t.defect != "keeps-buffer" {
		key = slices.Clone(key)
	}
	t.strings = append(t.strings, key)
	return nil
}

func (t *toy) Contains(key uint64) bool {
	if t.defect == "one-reader" {
		if t.readers.Add(1) > 1 {
			panic("two readers")
		}
		defer t.readers.Add(-1)
		runtime.Gosched() // to meet another
	}
	if t.defect == "kept-bytes" && t.written != nil && len(t.written) > 8 && t.written[8] == 0 && t.written[9] == 0 && t.written[10] == 0 {
		return false
	}
	if t.defect == "remembers" {
		if t.absent.Load() == key {
			return false
		}
		if !t.numbers[key] {
			t.absent.Store(key)
		}
	}
	return t.numbers[key]
}

// Clone returns another toy of the same numbers.
func (t *toy) Clone() sketchproof.Filter {
	c := newToy(t.defect)
	if t.defect == "clone-shares" {
		c.numbers = t.numbers
		return c
	}
	maps.Copy(c.numbers, t.numbers)
	return c
}

func (t *toy) ContainsBytes(key []byte) bool {
	return slices.ContainsFunc(t.strings, func(s []byte) bool { return string(s) == string(key) })
}

func (t *toy) SizeBytes() int {
	t.asked++
	if t.defect == "asking-loses" && t.asked > 1 {
		for k := range t.numbers {
			delete(t.numbers, k)
			break
		}
	}
	return 8 * len(t.numbers)
}

func (t *toy) merge(other *toy) error {
	switch t.defect {
	case "merge-forgets":
		return nil
	case "merge-drains":
		defer clear(other.numbers)
	case "merge-takes":
		if len(t.numbers) == 0 {
			t.numbers = other.numbers
		}
	case "merge-shares":
		for k := range t.numbers {
			other.numbers[k] = true
		}
		t.numbers = other.numbers
		return nil
	case "merge-order":
		if len(other.numbers) < len(t.numbers) {
			return nil
		}
	}
	for k := range other.numbers {
		t.numbers[k] = true
	}
	return nil
}

func (t *toy) write() []byte {
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(t.numbers)))
	for k := range t.numbers {
		data = binary.LittleEndian.AppendUint64(data, k)
	}
	return data
}

func readToy(defect string, data []byte) (*toy, error) {
	if len(data) < 8 {
		return nil, errors.New("too short")
	}
	n := binary.LittleEndian.Uint64(data)
	t := newToy(defect)
	rest := data[8:]
	switch {
	case defect == "reads-cuts":
		n = min(n, uint64(len(rest)/8))
	case defect == "trusts-length":
		rest = rest[:8*n] // panics beyond the end
	case defect == "trusts-size":
		_ = make([]byte, min(n, 80<<20))
		fallthrough
	default:
		if n != uint64(len(rest))/8 || len(rest)%8 != 0 {
			return nil, errors.New("another length")
		}
	}
	for i := range n {
		t.numbers[binary.LittleEndian.Uint64(rest[8*i:])] = true
	}
	if defect == "form-loses" && n > 50 {
		for k := range t.numbers {
			delete(t.numbers, k)
			break
		}
	}
	t.written = data
	return t, nil
}

func toySubject(defect string) sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec] {
	return sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]{
		Name:  "toy",
		Build: func(sketchproof.FilterSpec) (sketchproof.Filter, error) { return newToy(defect), nil },
		Merge: func(dst, src sketchproof.Filter) error { return dst.(*toy).merge(src.(*toy)) },
		Encode: func(f sketchproof.Filter) ([]byte, error) {
			if defect == "form-refuses" {
				return nil, errors.New("not today")
			}
			return f.(*toy).write(), nil
		},
		Decode: func(data []byte) (sketchproof.Filter, error) {
			f, err := readToy(defect, data)
			if err != nil {
				return nil, err
			}
			return f, nil
		},
	}
}

// verdicts are those of the cases, by name.
func verdicts(t *testing.T, cases []Case) map[string]outcome {
	t.Helper()
	c := &call{kind: "test", cases: cases, falseAlarm: defaultFalseAlarm}
	found := map[string]outcome{}
	for _, one := range cases {
		one.Fatal = false // nothing here ends a process
		found[one.Name()] = c.carryOut(t, one)
	}
	return found
}

func failed(o outcome) bool { return o.err != nil || o.judgement.Verdict == stats.Broken }

func TestAToyWithoutDefectPasses(t *testing.T) {
	for name, o := range verdicts(t, filterProbe(toySubject("")).alike()) {
		if o.err != nil || o.judgement.Verdict != stats.Holds {
			t.Errorf("%s: %v, %v, %s", name, o.err, o.judgement.Verdict, o.input)
		}
	}
}

// Each defect is caught by its check, with an input, and by few others.
func TestEachDefectIsCaughtByItsCheck(t *testing.T) {
	for _, c := range []struct {
		defect, check string
		also          []string
	}{
		{defect: "shared", check: "check=shared-state", also: []string{"check=merge/of=source", "check=observers", "check=concurrent-reads", "check=round-trip/form=own", "check=damaged/form=own"}},
		{defect: "keeps-buffer", check: "check=buffers"},
		{defect: "asking-loses", check: "check=observers"},
		{defect: "one-reader", check: "check=concurrent-reads"},
		{defect: "merge-forgets", check: "check=merge/of=union", also: []string{"check=merge/of=order"}},
		{defect: "merge-order", check: "check=merge/of=order", also: []string{"check=merge/of=union"}},
		{defect: "merge-drains", check: "check=merge/of=source"},
		{defect: "merge-shares", check: "check=merge/of=source"},
		{defect: "merge-takes", check: "check=merge/of=source"},
		{defect: "remembers", check: "check=observers"},
		{defect: "clone-shares", check: "check=shared-state"},
		{defect: "form-loses", check: "check=round-trip/form=own", also: []string{"check=damaged/form=own"}},
		{defect: "form-refuses", check: "check=round-trip/form=own", also: []string{"check=damaged/form=own"}},
		{defect: "kept-bytes", check: "check=round-trip/form=own"},
		{defect: "reads-cuts", check: "check=damaged/form=own"},
		{defect: "trusts-length", check: "check=damaged/form=own"},
		{defect: "trusts-size", check: "check=damaged/form=own"},
	} {
		t.Run(c.defect, func(t *testing.T) {
			clear(everybody)
			found := verdicts(t, filterProbe(toySubject(c.defect)).alike())
			if o, ok := found[c.check]; !ok || !failed(o) || o.err == nil && o.input == "" {
				t.Errorf("%s did not catch it: %v, %v, input %q", c.check, o.err, o.judgement.Verdict, o.input)
			}
			for name, o := range found {
				if name != c.check && failed(o) && !slices.Contains(c.also, name) {
					t.Errorf("%s fails too: %v, input %q", name, o.err, o.input)
				}
			}
		})
	}
}

// A static filter is built of a slice that is the caller's, before and after.
func TestASliceOfKeysIsLent(t *testing.T) {
	for defect, keep := range map[string]func([]uint64) []uint64{
		"":      slices.Clone[[]uint64],
		"keeps": func(keys []uint64) []uint64 { return keys },
		"sorts": func(keys []uint64) []uint64 { slices.Sort(keys); return slices.Clone(keys) },
	} {
		s := sketchproof.Subject[sketchproof.Filter, sketchproof.FilterSpec]{
			Build: func(spec sketchproof.FilterSpec) (sketchproof.Filter, error) { return list(keep(spec.Keys)), nil },
		}
		if o := verdicts(t, filterProbe(s).isolationCases())["check=shared-state"]; failed(o) != (defect != "") {
			t.Errorf("%q: %v, %v, input %q", defect, o.err, o.judgement.Verdict, o.input)
		}
	}
}

// A list is a static filter that finds its keys alone.
type list []uint64

func (l list) Contains(key uint64) bool { return slices.Contains(l, key) }
func (l list) SizeBytes() int           { return 8 * len(l) }

// What is read into a toy in use replaces what it held.
func TestReadingIntoOneInUse(t *testing.T) {
	for _, adds := range []bool{false, true} {
		s := toySubject("")
		s.Forms = []sketchproof.Form[sketchproof.Filter]{{
			Name: "over", Encode: s.Encode, Decode: s.Decode,
			Into: func(f sketchproof.Filter, data []byte) error {
				read, err := readToy("", data)
				if err != nil {
					return err
				}
				if !adds {
					clear(f.(*toy).numbers)
				}
				maps.Copy(f.(*toy).numbers, read.numbers)
				return nil
			},
		}}
		if o := verdicts(t, filterProbe(s).formCases())["check=round-trip/form=over"]; failed(o) != adds {
			t.Errorf("adds to what is there: %v; %v, %v, input %q", adds, o.err, o.judgement.Verdict, o.input)
		}
	}
}

// A library that promises nothing of readers is not asked for it.
func TestReadersAreAskedForWherePromised(t *testing.T) {
	asked := func(promises ...sketchproof.Promise) bool {
		s := toySubject("")
		s.Promises = promises
		return slices.ContainsFunc(filterProbe(s).alike(), func(c Case) bool { return c.Of == sketchproof.Concurrency })
	}
	if !asked() || asked(sketchproof.Promise{Of: sketchproof.Rate}) || !asked(sketchproof.Promise{Of: sketchproof.Rate}, sketchproof.Promise{Of: sketchproof.Concurrency}) {
		t.Error("readers side by side are to be asked for without promises, and where they are promised")
	}
}

// A trial that ends its process costs its own case, and says of what it died.
func TestATrialThatEndsItsProcess(t *testing.T) {
	fine := invariant(sketchproof.Robustness, "m/n", "law", "source", 1, record.L("check", "fine"), func(_ keys, f *finding) error { f.asked++; return nil })
	deadly := invariant(sketchproof.Robustness, "m/n", "law", "source", 1, record.L("check", "deadly"), func(keys, *finding) error {
		done := make(chan bool)
		go func() { defer close(done); panic("nobody recovers this") }()
		<-done
		return nil
	})
	c := &call{kind: "alone", test: t.Name(), cases: []Case{fatal(fine), fatal(deadly)}, falseAlarm: defaultFalseAlarm}
	if c.sent(t) {
		return
	}
	if o := c.carryOut(t, c.cases[0]); o.err != nil || o.judgement.Verdict != stats.Holds {
		t.Errorf("what ends well: %v, %v", o.err, o.judgement.Verdict)
	}
	if o := c.carryOut(t, c.cases[1]); o.err == nil || fmt.Sprint(o.err) != "the process ended: panic: nobody recovers this" {
		t.Errorf("what dies: %v", o.err)
	}
}

func TestShrinkFindsASmallestList(t *testing.T) {
	list := make([]int, 1000)
	for i := range list {
		list[i] = i
	}
	bad := func(l []int) bool { return slices.Contains(l, 17) && slices.Contains(l, 918) }
	if got := shrink(list, 10000, bad); !slices.Equal(got, []int{17, 918}) {
		t.Errorf("got %v, want the two that fail together", got)
	}
	if got := shrink(list, 10000, func([]int) bool { return false }); len(got) != 1000 {
		t.Errorf("what does not fail was cut to %d", len(got))
	}
}
