package specimens

import (
	"fmt"
	"math"
	"slices"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
)

// A Subject names a structure of the catalogue.
type Subject struct{ Name, Kind, Module string }

// Subjects are those of a module in this program.
func Subjects(module string) []Subject {
	var list []Subject
	for _, s := range breeders() {
		if s.Module == module {
			list = append(list, s.Subject)
		}
	}
	return list
}

// Modules are the paths of all libraries in this program that have a subject.
func Modules() []string {
	var list []string
	for _, s := range breeders() {
		if s.Module != "" && !slices.Contains(list, s.Module) {
			list = append(list, s.Module)
		}
	}
	return list
}

// Build makes a structure of an input, asks it and writes it in all its forms.
func Build(subject, input string, seed uint64) (Specimen, error) {
	b, in, err := find(subject, input, seed)
	if err != nil {
		return Specimen{}, err
	}
	return b.build(in, seed), nil
}

// Read reads the bytes of a structure that was built from an input, and asks it.
func Read(subject, input string, seed uint64, form string, data []byte) (Specimen, error) {
	b, in, err := find(subject, input, seed)
	if err != nil {
		return Specimen{}, err
	}
	return b.read(in, seed, form, data), nil
}

func find(subject, input string, seed uint64) (breeder, Input, error) {
	in, ok := inputNamed(input, seed)
	if !ok {
		return breeder{}, in, fmt.Errorf("no input is named %q", input)
	}
	for _, b := range breeders() {
		if b.Name == subject {
			return b, in, nil
		}
	}
	return breeder{}, in, fmt.Errorf("no subject is named %q", subject)
}

// A breeder makes specimens of one subject.
type breeder struct {
	Subject
	build func(in Input, seed uint64) Specimen
	read  func(in Input, seed uint64, form string, data []byte) Specimen
}

// A kind says how to build and to ask structures that do the same job.
type kind[S any] struct {
	name  string
	build func(in Input, seed uint64) (S, error)
	ask   func(s S, in Input, seed uint64) Answers
	size  func(S) int
}

// defaultForm is the name of a subject's own Encode and Decode.
const defaultForm = "own form"

func breed[S, Spec any](s sketchproof.Subject[S, Spec], k kind[S]) breeder {
	forms := slices.Clone(s.Forms)
	if s.Encode != nil && s.Decode != nil {
		forms = slices.Insert(forms, 0, sketchproof.Form[S]{Name: defaultForm, Encode: s.Encode, Decode: s.Decode})
	}
	b := breeder{Subject: Subject{s.Name, k.name, s.Module}}
	b.build = func(in Input, seed uint64) (out Specimen) {
		out.Fault = guarded(func() {
			built, err := k.build(in, seed)
			if err != nil {
				out.Refused = err.Error()
				return
			}
			out.Answers, out.Size = k.ask(built, in, seed), k.size(built)
			out.Forms, out.Unwritten = map[string][]byte{}, map[string]string{}
			for _, f := range forms {
				data, err := f.Encode(built)
				if err != nil {
					out.Unwritten[f.Name] = err.Error()
					continue
				}
				out.Forms[f.Name] = slices.Clone(data)
			}
		})
		return out
	}
	b.read = func(in Input, seed uint64, form string, data []byte) (out Specimen) {
		out.Fault = guarded(func() {
			i := slices.IndexFunc(forms, func(f sketchproof.Form[S]) bool { return f.Name == form })
			if i < 0 {
				out.Refused = "no form is named " + form
				return
			}
			read, err := forms[i].Decode(data)
			if err != nil {
				out.Refused = err.Error()
				return
			}
			out.Answers = k.ask(read, in, seed)
		})
		return out
	}
	return b
}

// sizeOf is what a structure tells, 0 where it does not.
func sizeOf[S any](s S) int {
	if sized, ok := any(s).(interface{ SizeBytes() int }); ok {
		return sized.SizeBytes()
	}
	return 0
}

// breeders are all subjects of the catalogue that have something to compare
// besides the cells of a plan.
func breeders() []breeder {
	var list []breeder
	for _, s := range adapters.AllFilters() {
		ask := askFilter
		if s.Forgets {
			ask = askForgetful
		}
		list = append(list, breed(s, kind[sketchproof.Filter]{
			"filter", func(in Input, seed uint64) (sketchproof.Filter, error) {
				return s.Build(sketchproof.FilterSpec{Keys: slices.Clone(in.Keys), Capacity: len(in.Keys), Epsilon: filterRate, Seed: seed})
			}, ask, sizeOf[sketchproof.Filter],
		}))
	}
	for _, s := range adapters.AllCardinalities() {
		list = append(list, breed(s, kind[sketchproof.Cardinality]{
			"cardinality", func(in Input, seed uint64) (sketchproof.Cardinality, error) {
				c, err := s.Build(sketchproof.CardinalitySpec{Precision: precision, Seed: seed})
				return fed(c, err, in, func(key uint64) { c.Add(key) })
			}, askCardinality, sizeOf[sketchproof.Cardinality],
		}))
	}
	for _, s := range adapters.Frequencies {
		list = append(list, breed(s, kind[sketchproof.Frequency]{
			"frequency", func(in Input, seed uint64) (sketchproof.Frequency, error) {
				f, err := s.Build(sketchproof.FrequencySpec{Width: 2719, Depth: 5, Seed: seed}) // the table for 0.001 and 0.01
				return fed(f, err, in, func(key uint64) { f.Add(key, 1) })
			}, askFrequency, sizeOf[sketchproof.Frequency],
		}))
	}
	return append(list, more()...)
}

// more are the subjects of streams and of placements.
func more() []breeder {
	var list []breeder
	for _, s := range adapters.AllTopKs() {
		list = append(list, breed(s, kind[sketchproof.TopK]{
			"top-k", func(in Input, seed uint64) (sketchproof.TopK, error) {
				t, err := s.Build(sketchproof.TopKSpec{K: kept, Seed: seed})
				return fed(t, err, in, func(key uint64) { t.Add(key, 1) })
			}, askTop, sizeOf[sketchproof.TopK],
		}))
	}
	for _, s := range adapters.AllSignatures() {
		build := func(keys []uint64, seed uint64) (sketchproof.Signature, error) {
			g, err := s.Build(sketchproof.SignatureSpec{K: kept, Seed: seed})
			return fed(g, err, Input{Keys: keys}, func(key uint64) { g.Add(key) })
		}
		list = append(list, breed(s, kind[sketchproof.Signature]{
			"similarity", func(in Input, seed uint64) (sketchproof.Signature, error) { return build(in.Keys, seed) },
			func(g sketchproof.Signature, in Input, seed uint64) Answers {
				half, err := build(in.Keys[:len(in.Keys)/2], seed)
				if err != nil {
					return Answers{Values: []uint64{refusal}}
				}
				j, err := g.Similarity(half)
				if err != nil { // as of two empty sets
					return Answers{Values: []uint64{refusal}}
				}
				return Answers{Values: []uint64{math.Float64bits(j)}}
			}, sizeOf[sketchproof.Signature],
		}))
	}
	for _, s := range adapters.AllPlacers() {
		list = append(list, breed(s, kind[sketchproof.Placer]{
			"placement", func(_ Input, seed uint64) (sketchproof.Placer, error) {
				return s.Build(sketchproof.PlacerSpec{Nodes: slices.Clone(nodes), Seed: seed})
			}, askPlacer, sizeOf[sketchproof.Placer],
		}))
	}
	return list
}

// fed adds the keys of an input, unless the structure was refused.
func fed[S any](s S, err error, in Input, add func(key uint64)) (S, error) {
	if err == nil {
		for _, key := range in.Keys {
			add(key)
		}
	}
	return s, err
}
