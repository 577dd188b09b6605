package main

import (
	"context"
	"errors"
	"slices"

	"github.com/sketchproof/sketchproof/check"
	"github.com/sketchproof/sketchproof/internal/conversation"
	"github.com/sketchproof/sketchproof/internal/specimens"
)

// specimens builds every subject from every input with both versions, and lets
// each read what the other wrote.
func (c *comparison) specimens(ctx context.Context) error {
	c.say("building and reading structures of %d subjects with both versions", len(c.found.Subjects))
	for _, subject := range c.found.Subjects {
		if err := c.specimensOf(ctx, subject); err != nil {
			return err
		}
	}
	return nil
}

// A pair is what became of an input under both versions.
type pair struct {
	input string
	made  [2]specimens.Specimen
}

func (c *comparison) specimensOf(ctx context.Context, subject string) error {
	var pairs []pair
	for _, in := range specimens.Inputs(c.flags.seed) {
		p := pair{input: in.Name}
		for i, s := range []*side{c.a, c.b} {
			var err error
			order := specimenOrder{Subject: subject, Input: in.Name, Seed: c.flags.seed}
			if p.made[i], err = s.specimen(ctx, &s.talk, question{Build: &order}); err != nil {
				return err
			}
		}
		pairs = append(pairs, p)
		before, now := outcome(p.made[0], 0), outcome(p.made[1], 0)
		if check.Differ(before, now) {
			c.found.Inputs = append(c.found.Inputs, check.InputChange{Subject: subject, Input: in.Name, Before: before, Now: now})
		}
		c.found.Built++
	}
	c.sizes(subject, pairs)
	return c.reads(ctx, subject, pairs)
}

// specimen asks for a specimen. The death of the program is the library's fault.
func (s *side) specimen(ctx context.Context, by *answerer, q question) (specimens.Specimen, error) {
	r, err := s.askBy(ctx, by, q)
	if died, ok := errors.AsType[*conversation.DeathError](err); ok {
		return specimens.Specimen{Fault: died.Cause}, nil
	}
	if err != nil {
		return specimens.Specimen{}, err
	}
	return *r.Specimen, nil
}

// outcome says what became of a specimen of which so many keys were lost before.
func outcome(s specimens.Specimen, lost int) check.Outcome {
	switch {
	case s.Fault != "":
		return check.Outcome{State: check.Faulty, Text: s.Fault}
	case s.Refused != "":
		return check.Outcome{State: check.Refused, Text: s.Refused}
	case s.Answers.Lost > lost:
		return check.Outcome{State: check.Lossy, Lost: s.Answers.Lost, Held: s.Answers.Held}
	default:
		return check.Outcome{State: check.Kept, Held: s.Answers.Held}
	}
}

// sizes compares the largest input that both versions built: what holds of it
// holds of the others.
func (c *comparison) sizes(subject string, pairs []pair) {
	for _, p := range slices.Backward(pairs) {
		before, now := p.made[0], p.made[1]
		if outcome(before, 0).State != check.Kept || outcome(now, 0).State != check.Kept {
			continue
		}
		add := func(what string, a, b int) {
			if a != b {
				c.found.Sizes = append(c.found.Sizes, check.SizeChange{Subject: subject, Input: p.input, What: what, Before: a, Now: b})
			}
		}
		add("in memory", before.Size, now.Size)
		for _, form := range sortedKeys(before.Forms) {
			if data, ok := now.Forms[form]; ok {
				add(form, len(before.Forms[form]), len(data))
			}
		}
		return
	}
}

// reads lets both versions read the bytes of both, form by form.
func (c *comparison) reads(ctx context.Context, subject string, pairs []pair) error {
	offers := [2]map[string]bool{{}, {}}
	for _, p := range pairs {
		for i := range p.made {
			for form := range p.made[i].Forms {
				offers[i][form] = true
			}
		}
	}
	for i, other := range []int{1, 0} {
		for _, form := range sortedKeys(offers[i]) {
			sides := [2]*side{c.a, c.b}
			if !offers[other][form] {
				c.found.Notes = append(c.found.Notes, subject+": only "+sides[i].name+" writes "+form)
				continue
			}
			r, err := c.cross(ctx, subject, form, pairs, i, other)
			if err != nil {
				return err
			}
			c.found.Reads = append(c.found.Reads, r)
		}
	}
	return nil
}

// cross lets one version read what the other wrote, over all inputs, and keeps
// the worst that was found.
func (c *comparison) cross(ctx context.Context, subject, form string, pairs []pair, writer, reader int) (check.Reading, error) {
	sides := [2]*side{c.a, c.b}
	worst := check.Reading{
		Subject: subject, Form: form, Writer: sides[writer].name, Reader: sides[reader].name, Forward: writer == 0,
	}
	for _, p := range pairs {
		wrote := p.made[writer]
		data, ok := wrote.Forms[form]
		if !ok {
			continue
		}
		order := specimenOrder{Subject: subject, Input: p.input, Seed: c.flags.seed, Form: form, Data: data}
		var read [2]specimens.Specimen
		for i, s := range sides {
			var err error
			// What was written is for another process, its writer's too.
			if read[i], err = s.specimen(ctx, &s.twin, question{Read: &order}); err != nil {
				return worst, err
			}
		}
		r := worst
		r.Worst, r.Input = outcome(read[reader], wrote.Answers.Lost), p.input
		if r.Worst.State <= check.Kept || r.Worst.State == check.Lossy {
			r.Differ, r.Asked = wrote.Answers.Differ(read[reader].Answers), r.Worst.Held+len(wrote.Answers.Values)
		}
		r.Own = outcome(read[writer], wrote.Answers.Lost).State != check.Kept || wrote.Answers.Differ(read[writer].Answers) > 0
		r.Inputs = worst.Inputs + 1
		if worse(r, worst) {
			worst = r
		}
		worst.Inputs = r.Inputs
	}
	return worst, nil
}

// worse orders readings: what the versions are to blame for first, then by what
// became of the input, then by how much of it.
func worse(a, b check.Reading) bool {
	rank := func(r check.Reading) [4]int {
		bad := r.Worst.State != check.Kept || r.Differ > 0
		blame := 0
		if bad && !r.Own {
			blame = 1
		}
		return [4]int{blame, int(r.Worst.State), r.Worst.Lost, r.Differ}
	}
	x, y := rank(a), rank(b)
	return slices.Compare(x[:], y[:]) > 0
}
