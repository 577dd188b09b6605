package specimens

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// A set is a filter that can be made to misbehave.
type set struct{ keys []uint64 }

func (s set) Contains(key uint64) bool { return slices.Contains(s.keys, key) }
func (s set) SizeBytes() int           { return 8 * len(s.keys) }

func breederOf(build func(keys []uint64) (sketchproof.Filter, error)) breeder {
	s := adapters.Filter{
		Name:   "set",
		Encode: func(f sketchproof.Filter) ([]byte, error) { return []byte{byte(len(f.(set).keys))}, nil },
		Decode: func(data []byte) (sketchproof.Filter, error) {
			if len(data) != 1 {
				return nil, errors.New("not one byte")
			}
			return set{}, nil
		},
	}
	return breed(s, kind[sketchproof.Filter]{
		"filter", func(in Input, _ uint64) (sketchproof.Filter, error) { return build(in.Keys) }, askFilter, sizeOf[sketchproof.Filter],
	})
}

func TestSpecimenSaysWhatBecameOfAnInput(t *testing.T) {
	in, ok := inputNamed("1000 keys, one of them twice", 1)
	if !ok || len(in.Keys) != 1000 {
		t.Fatalf("%d keys", len(in.Keys))
	}
	whole := breederOf(func(keys []uint64) (sketchproof.Filter, error) { return set{keys}, nil }).build(in, 1)
	if whole.Answers.Lost != 0 || whole.Answers.Held != 999 || whole.Size != 8000 || len(whole.Forms[defaultForm]) != 1 {
		t.Errorf("a set that keeps all: %+v", whole)
	}
	half := breederOf(func(keys []uint64) (sketchproof.Filter, error) { return set{keys[:500]}, nil }).build(in, 1)
	if half.Answers.Lost != 499 {
		t.Errorf("a set that keeps 500 of 999 keys loses %d", half.Answers.Lost)
	}
	if n := whole.Answers.Differ(half.Answers); n != 499 {
		t.Errorf("they differ in %d answers, want 499", n)
	}
	refused := breederOf(func([]uint64) (sketchproof.Filter, error) { return nil, errors.New("no") }).build(in, 1)
	if refused.Refused != "no" || refused.Fault != "" {
		t.Errorf("a refusal: %+v", refused)
	}
	b := breederOf(func([]uint64) (sketchproof.Filter, error) { panic("oh") })
	if got := b.build(in, 1); got.Fault != "panic: oh" {
		t.Errorf("a panic: %+v", got)
	}
	if got := b.read(in, 1, defaultForm, []byte{1}); got.Answers.Lost != 999 || got.Refused != "" {
		t.Errorf("an empty set that was read: %+v", got)
	}
	if got := b.read(in, 1, defaultForm, nil); got.Refused != "not one byte" {
		t.Errorf("bytes that are refused: %+v", got)
	}
	if got := b.read(in, 1, "json", nil); !strings.Contains(got.Refused, "json") {
		t.Errorf("a form that is not there: %+v", got)
	}
}

func TestInputs(t *testing.T) {
	seen := map[string]bool{}
	for _, in := range Inputs(7) {
		if seen[in.Name] {
			t.Errorf("two inputs named %q", in.Name)
		}
		seen[in.Name] = true
		distinct, often := in.times()
		total := uint64(0)
		for _, n := range often {
			total += n
		}
		if len(distinct) != len(often) || total != uint64(len(in.Keys)) {
			t.Errorf("%s: %d distinct, %d in all", in.Name, len(distinct), total)
		}
		for _, key := range in.Absent {
			if often[key] > 0 {
				t.Errorf("%s: absent key %d was added", in.Name, key)
			}
		}
		again, _ := inputNamed(in.Name, 7)
		other, _ := inputNamed(in.Name, 8)
		if !slices.Equal(in.Keys, again.Keys) || slices.Equal(in.Absent, other.Absent) {
			t.Errorf("%s does not follow from the seed", in.Name)
		}
	}
}

// TestEveryLibraryHasSpecimens builds, writes and reads the 1000 keys with every
// library of the catalogue. What a library itself does wrong shows in the
// experiments; here nothing may panic, and what is read answers as what was
// written.
func TestEveryLibraryHasSpecimens(t *testing.T) {
	const input, seed = "1000 keys", 3
	for _, b := range breeders() {
		if b.Module == "" {
			continue
		}
		in, _ := inputNamed(input, seed)
		s, err := Build(b.Name, input, seed)
		if err != nil || s.Fault != "" || s.Answers.Lost > 0 && b.Kind == "filter" {
			t.Errorf("%s: %v, %q, %d lost", b.Name, err, s.Fault, s.Answers.Lost)
			continue
		}
		if s.Refused == "" && len(s.Answers.Values) == 0 {
			t.Errorf("%s of %s answers nothing", b.Name, in.Name)
		}
		for form, data := range s.Forms {
			read, err := Read(b.Name, input, seed, form, data)
			if err != nil || read.Fault != "" || read.Refused != "" || s.Answers.Differ(read.Answers) > 0 {
				t.Logf("%s, %s: %v, %q, %q, %d answers differ", b.Name, form, err, read.Fault, read.Refused, s.Answers.Differ(read.Answers))
			}
		}
	}
	if _, err := Build("nobody", input, seed); err == nil {
		t.Error("an unknown subject was built")
	}
	if _, err := Build(breeders()[0].Name, "nothing", seed); err == nil {
		t.Error("an unknown input was built")
	}
}
