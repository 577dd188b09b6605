package sketchtest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

type placerSubject = sketchproof.Subject[sketchproof.Placer, sketchproof.PlacerSpec]

// Placer holds a placement to what all of its kind promise. build makes one over
// the nodes of the specification. One that depends on the order of adding says so
// by a law about [sketchproof.MetricReordered]; one with a law about
// [sketchproof.MetricMoved] is held to moving keys to a newcomer alone.
func Placer(t testing.TB, build func(sketchproof.PlacerSpec) (sketchproof.Placer, error), o PlacerOptions) {
	t.Helper()
	run(t, "placer", o, PlacerCases(o.subject(build), o.effort()))
}

// PlacerCases are the cases of a placement.
func PlacerCases(s placerSubject, e Effort) []Case {
	var cases []Case
	for _, check := range placerChecks {
		cases = append(cases, check(s, e)...)
	}
	return cases
}

// placerChecks are the general checks of a placement. None knows an implementation.
var placerChecks = []func(s placerSubject, e Effort) []Case{
	placerOwners,
	placerOrder,
	placerRefusals,
	placerReturns,
	placerNewcomer,
	placerMoved,
	placerBalance,
	func(s placerSubject, e Effort) []Case { return placerProbe(s).alike() },
}

// nodesOf are the names of n nodes. Names differ between trials, for placements
// without a seed.
func nodesOf(k keys, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("node-%d.%x", i, uint16(part(uint64(k), 2)))
	}
	return names
}

func place(s placerSubject, k keys, nodes ...string) (sketchproof.Placer, error) {
	return s.Build(sketchproof.PlacerSpec{Nodes: nodes, Seed: k.seed()})
}

// ownersOf are the owners of the keys number from to from+n-1 of a shape.
func ownersOf(p sketchproof.Placer, shape shape, k keys, from, n int) ([]string, error) {
	owners := make([]string, n)
	for i := range owners {
		var err error
		if owners[i], err = p.Owner(shape.key(uint64(k), from+i).number); err != nil {
			return nil, err
		}
	}
	return owners, nil
}

// placed is the number of keys that are asked for.
const placed = 300

// unmoved asks whether random keys have the owners that they had.
func unmoved(f *finding, p sketchproof.Placer, k keys, before []string, what string) error {
	after, err := ownersOf(p, randomShape, k, 0, len(before))
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	f.asked += int64(len(before))
	for i := range before {
		if before[i] != after[i] {
			f.fail("%s: the owner of key %#x is %s, not %s", what, k.at(i), after[i], before[i])
		}
	}
	return nil
}

// placerOwners: an owner is one of the nodes; without any there is none.
func placerOwners(s placerSubject, e Effort) []Case {
	sizes := pick(e, []int{1, 2, 5}, []int{3, 64}, nil)
	return []Case{invariant(sketchproof.Membership, "wrong/owner", "owner", "the owner of a key is a node that was added", 4*placed, record.L("check", "owner"), func(k keys, f *finding) error {
		empty, err := place(s, k)
		if err != nil {
			return fmt.Errorf("no nodes: %w", err)
		}
		f.asked++
		if owner, err := empty.Owner(k.at(0)); err == nil {
			f.fail("no nodes: key %#x belongs to %q", k.at(0), owner)
		}
		for _, n := range sizes {
			nodes := nodesOf(k, n)
			p, err := place(s, k, nodes...)
			if err != nil {
				return fmt.Errorf("nodes %v: %w", nodes, err)
			}
			owners, err := ownersOf(p, randomShape, k, 0, placed)
			if err != nil {
				return fmt.Errorf("nodes %v: %w", nodes, err)
			}
			f.asked += placed
			for i, owner := range owners {
				if !slices.Contains(nodes, owner) {
					f.fail("nodes %v: key %#x belongs to %q", nodes, k.at(i), owner)
				}
			}
			twin, err := place(s, k)
			if err != nil {
				return err
			}
			for _, node := range nodes {
				if err := twin.Add(node); err != nil {
					return fmt.Errorf("add %s: %w", node, err)
				}
			}
			if err := unmoved(f, twin, k, owners, fmt.Sprintf("nodes %v, added one by one instead of all at once", nodes)); err != nil {
				return err
			}
		}
		return nil
	})}
}

// placerOrder: a placement depends on the set of its nodes alone.
func placerOrder(s placerSubject, e Effort) []Case {
	if _, stated := s.LawFor(sketchproof.MetricReordered); stated {
		return nil
	}
	sizes := pick(e, []int{2, 5}, []int{3, 20}, nil)
	return []Case{invariant(sketchproof.Fairness, sketchproof.MetricReordered, "set-of-nodes", "Placer: it depends on the set of its nodes alone", 4*placed, record.L("check", "order"), func(k keys, f *finding) error {
		for _, n := range sizes {
			nodes := nodesOf(k, n)
			forth, err := place(s, k, nodes...)
			if err != nil {
				return err
			}
			owners, err := ownersOf(forth, randomShape, k, 0, placed)
			if err != nil {
				return err
			}
			slices.Reverse(nodes)
			back, err := place(s, k, nodes[:1]...)
			if err != nil {
				return err
			}
			for _, node := range nodes[1:] {
				if err := back.Add(node); err != nil {
					return err
				}
			}
			if err := unmoved(f, back, k, owners, fmt.Sprintf("nodes added in the order %v instead of the opposite one", nodes)); err != nil {
				return err
			}
		}
		return nil
	})}
}

// placerRefusals: a node twice, or one that is not there, is refused, and nothing
// has changed then.
func placerRefusals(s placerSubject, _ Effort) []Case {
	return []Case{invariant(sketchproof.Isolation, "wrong/refusal", "refused", "Placer: it returns an error, and changes nothing", 6*placed, record.L("check", "refusals"), func(k keys, f *finding) error {
		nodes := nodesOf(k, 4)
		f.asked += 2
		if _, err := place(s, k, nodes[0], nodes[1], nodes[0]); err == nil {
			f.fail("built of nodes %q, %q and %q again", nodes[0], nodes[1], nodes[0])
		}
		empty, err := place(s, k)
		if err != nil {
			return err
		}
		if err := empty.Remove(nodes[0]); err == nil {
			f.fail("no nodes: %q is removed", nodes[0])
		}
		p, err := place(s, k, nodes[:3]...)
		if err != nil {
			return err
		}
		before, err := ownersOf(p, randomShape, k, 0, placed)
		if err != nil {
			return err
		}
		for _, node := range nodes[:3] {
			f.asked++
			if err := p.Add(node); err == nil {
				f.fail("nodes %v: %q is added again", nodes[:3], node)
			}
			if err := unmoved(f, p, k, before, fmt.Sprintf("nodes %v, %q added again", nodes[:3], node)); err != nil {
				return err
			}
		}
		f.asked++
		if err := p.Remove(nodes[3]); err == nil {
			f.fail("nodes %v: %q is removed", nodes[:3], nodes[3])
		}
		if err := unmoved(f, p, k, before, fmt.Sprintf("nodes %v, %q removed, which is none", nodes[:3], nodes[3])); err != nil {
			return err
		}
		// What was refused has left nothing behind either: each goes once, the last first.
		for i := 2; i >= 0; i-- {
			f.asked++
			if err := takeAway(p, nodes[:i+1], nodes[i]); err != nil {
				return err
			}
			if err := p.Remove(nodes[i]); err == nil {
				f.fail("nodes %v: %q is removed twice", nodes[:i+1], nodes[i])
			}
		}
		f.asked++
		if owner, err := p.Owner(k.at(0)); err == nil {
			f.fail("nodes %v, all removed: key %#x belongs to %q", nodes[:3], k.at(0), owner)
		}
		return nil
	})}
}

// A joining is what a node that comes does to keys.
type joining struct {
	p            sketchproof.Placer
	before, with []string
	newcomer     string
	nodes        []string
}

func join(s placerSubject, k keys, n, asked int) (j joining, err error) {
	nodes := nodesOf(k, n+1)
	j.nodes, j.newcomer = nodes[:n], nodes[n]
	if j.p, err = place(s, k, j.nodes...); err != nil {
		return j, err
	}
	if j.before, err = ownersOf(j.p, randomShape, k, 0, asked); err != nil {
		return j, err
	}
	if err = j.p.Add(j.newcomer); err != nil {
		return j, err
	}
	j.with, err = ownersOf(j.p, randomShape, k, 0, asked)
	return j, err
}

// takeAway removes a node; what it does wrong is said with the nodes.
func takeAway(p sketchproof.Placer, nodes []string, node string) error {
	return guard(func() string { return fmt.Sprintf("nodes %v, %q is removed", nodes, node) }, func() error { return p.Remove(node) })
}

// placerReturns: when a node that joined leaves, its keys return.
func placerReturns(s placerSubject, e Effort) []Case {
	return []Case{invariant(sketchproof.Fairness, "moved/key", "undone", "Placer: it depends on the set of its nodes alone", 6*placed, record.L("check", "remove-undoes-add"), func(k keys, f *finding) error {
		for _, n := range pick(e, []int{1, 4}, []int{2, 20}, nil) {
			j, err := join(s, k, n, placed)
			if err != nil {
				return err
			}
			if err := takeAway(j.p, append(slices.Clone(j.nodes), j.newcomer), j.newcomer); err != nil {
				return err
			}
			if err := unmoved(f, j.p, k, j.before, fmt.Sprintf("nodes %v, %q comes and goes", j.nodes, j.newcomer)); err != nil {
				return err
			}
		}
		return nil
	})}
}

// placerNewcomer: keys move to a node that joins, and from no other to another.
func placerNewcomer(s placerSubject, e Effort) []Case {
	law, monotone := s.LawFor(sketchproof.MetricMoved)
	if !monotone {
		return nil
	}
	return []Case{invariant(sketchproof.Fairness, "moved-between-old/key", "only-to-newcomer", law.Source, 6*placed, record.L("check", "monotone"), func(k keys, f *finding) error {
		for _, n := range pick(e, []int{1, 4}, []int{2, 20}, nil) {
			j, err := join(s, k, n, placed)
			if err != nil {
				return err
			}
			f.asked += placed
			for i := range j.before {
				if j.with[i] != j.before[i] && j.with[i] != j.newcomer {
					f.fail("nodes %v, %q comes: key %#x goes from %q to %q", j.nodes, j.newcomer, k.at(i), j.before[i], j.with[i])
				}
			}
		}
		return nil
	})}
}

// placerMoved: as many keys move to a node that joins as the law says; without a law
// few.
func placerMoved(s placerSubject, _ Effort) []Case {
	const n, asked = 4, 200
	const must = 1. / (n + 1)
	band, name, source := stats.Between(must, math.Inf(-1), 2*must), "few", "Placer: few keys move; at most twice as many as must"
	if law, stated := s.LawFor(sketchproof.MetricMoved); stated {
		predicted := law.Predict(nil, sketchproof.PlacerSpec{Nodes: nodesOf(0, n)}, asked).Predicted
		band, name, source = stats.Within(predicted, 0.25), law.Name, law.Source+"; within a quarter"
	}
	return []Case{{
		Labels: record.L("check", "moved", "nodes", n), Of: sketchproof.Fairness, Metric: sketchproof.MetricMoved, Method: stats.Rate, Law: name, Source: source,
		Trials: 2048, Operations: 4 * asked,
		Run: func(seed uint64) (Reading, error) {
			k := keys(part(seed, 0))
			j, err := join(s, k, n, asked)
			r := Reading{Den: asked, Band: band}
			for i := range j.with {
				if j.with[i] != j.before[i] {
					r.Num++
				}
			}
			if r.Num > asked/2 {
				r.Input = fmt.Sprintf("nodes %v, %q comes: %d of %d random keys move", j.nodes, j.newcomer, r.Num, asked)
			}
			return r, err
		},
	}}
}

// A balance is a number of keys of a shape on a number of nodes.
type balance struct {
	s            placerSubject
	shape        shape
	nodes, asked int
}

// batches are how often a placement is given keys: where to build it takes long,
// that tells more about it.
const batches = 4

// loads are the numbers of keys of each node, in each of the batches.
func (b balance) loads(k keys) (nodes []string, loads [batches]map[string]int, err error) {
	nodes = nodesOf(k, b.nodes)
	p, err := place(b.s, k, nodes...)
	for i := range loads {
		if err != nil {
			return nodes, loads, err
		}
		loads[i] = map[string]int{}
		var owners []string
		owners, err = ownersOf(p, b.shape, k, k.somewhere()+i*b.asked, b.asked)
		for _, owner := range owners {
			loads[i][owner]++
		}
	}
	return nodes, loads, err
}

// placerBalance: loads vary as the law says, whatever the keys look like; without a
// law every node has some.
func placerBalance(s placerSubject, e Effort) []Case {
	const n, asked = 5, 400
	law, stated := s.LawFor(sketchproof.MetricLoadVariance)
	var cases []Case
	for _, shape := range append([]shape{randomShape}, sketchShapes(e, false)...) {
		b := balance{s, shape, n, asked}
		labels := record.L("check", "balance", "shape", shape.name, "nodes", n)
		if !stated {
			cases = append(cases, invariant(sketchproof.Fairness, "idle/node", "busy", "every node owns some of a hundred times as many keys", asked, labels, func(k keys, f *finding) error {
				nodes, loads, err := b.loads(k)
				f.asked += n
				for _, node := range nodes {
					if loads[0][node] == 0 {
						f.fail("nodes %v, %d keys: %s, from %v: %q has none", nodes, asked, shape.words, shape.key(uint64(k), k.somewhere()), node)
					}
				}
				return err
			}))
			continue
		}
		predicted := law.Predict(nil, sketchproof.PlacerSpec{Nodes: nodesOf(0, n)}, asked).Predicted
		cases = append(cases, Case{
			Labels: labels, Of: sketchproof.Fairness, Metric: law.Metric, Method: stats.Mean, Law: law.Name, Source: law.Source + "; at most twice as much",
			Trials: 1024, Operations: 2 * asked,
			Run: func(seed uint64) (Reading, error) {
				k := keys(part(seed, 0))
				nodes, loads, err := b.loads(k)
				variance := 0.0
				for _, load := range loads {
					for _, node := range nodes {
						off := float64(load[node])*n/asked - 1
						variance += off * off / n / batches
					}
				}
				r := observed(variance, stats.AtMost(2*predicted))
				if variance > math.Max(20*predicted, 1) {
					r.Input = fmt.Sprintf("nodes %v, %d keys: %s, from %v: they have %v", nodes, asked, shape.words, shape.key(uint64(k), k.somewhere()), loads[0])
				}
				return r, err
			},
		})
	}
	return cases
}
