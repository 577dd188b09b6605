package experiments

import (
	"errors"
	"math/rand/v2"

	"github.com/sketchproof/sketchproof"
	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/impl/placement"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/stats"
)

var undefined = engine.Metric{
	Name: "undefined/answer", Method: stats.Invariant,
	Law: "placement.defined", Source: "contract: a clear error, or an owner that the set of nodes defines",
}

var ringEdge = engine.Experiment{
	Name:     "ring/edge",
	Question: "Is there always one clear answer: on an empty ring, on one point, where points collide, whatever the order?",
	Claims: []engine.Claim{{
		Text:   "an empty ring has no owner, one point owns everything, and colliding points have a defined owner",
		Source: "Probabilistic Structures, exercise 5",
		Metric: undefined.Name, Law: undefined.Law,
	}},
	Method: "situation=empty: no nodes, or none any more; the answer must be the error that says so (of a library, an error). one: a single node owns all keys. " +
		"refused: a node added twice or removed unknown is an error of its own, and no key moves. order: nodes come in two orders, with " +
		"one that comes and goes; jump, to which a node is its number, is left out. collision: two names of sixteen bytes are forged " +
		"that XXH64 does not tell apart under any seed, so that all their points, scores or claims collide; whatever the order of adding, " +
		"every key must have the same owner, the first name must stand where only one can, and when it leaves the other one takes over " +
		"its keys and no more.",
	Plan: func(s engine.Scale) []engine.Cell {
		var cells []engine.Cell
		for _, subject := range adapters.Placers {
			cases := engine.Pick(s, edgeCases, nil, nil)
			if subject.Name == "maglev" {
				cases = engine.Pick(s, nil, edgeCases, nil) // tables take long
			}
			for _, c := range cases {
				if c.name == "order" && ordered[subject.Name] || c.name == "collision" && !collides[subject.Name] {
					continue
				}
				cells = append(cells, edgeCell(subject, c))
			}
		}
		return cells
	},
}

// ordered are the subjects to which a node is its number in the order of adding.
var ordered = map[string]bool{"jump": true, "go-jump": true}

// An edgeCase counts wrong answers among answers of a subject.
type edgeCase struct {
	name string
	run  func(e edge) (wrong, answers int64, err error)
}

// collides are the subjects in which nodes of one hash collide. To jump they are
// numbers, and Maglev and bounded loads share their slots and keys.
var collides = map[string]bool{"ring-100": true, "ring-1": true, "rendezvous": true, "bounded": true}

var edgeCases = []edgeCase{
	{"empty", edge.empty}, {"one", edge.single}, {"refused", edge.refused}, {"order", edge.order}, {"collision", edge.collision},
}

// An edge is what a case needs: to build, and keys.
type edge struct {
	subject adapters.Placer
	seed    uint64
	keys    keys
}

// edgeKeys is the number of keys that are looked up.
const edgeKeys = 200

func edgeCell(subject adapters.Placer, c edgeCase) engine.Cell {
	price := cost(subject.Module, 20*edgeKeys, 0)
	trials := 32 // each under another seed; one counterexample is enough
	if subject.Name == "maglev" {
		price.Seconds, trials = 8e-3, 8
	}
	return engine.Cell{
		Labels: record.L("subject", subject.Name, "situation", c.name), Module: adapters.At(subject.Module),
		Metrics: []engine.Metric{undefined},
		Trials:  trials,
		Cost:    price,
		Run: func(t *engine.T) error {
			wrong, answers, err := c.run(edge{subject, parts(t.Seed, 1), keys(parts(t.Seed, 0))})
			if err != nil {
				return err
			}
			t.Read(undefined, wrong, answers, never)
			return nil
		},
	}
}

// says reports whether an error says what is the matter: ours by its own value, a
// library's by being there.
func (e edge) says(err, want error) bool {
	if e.subject.Module != "" {
		return err != nil
	}
	return errors.Is(err, want)
}

func (e edge) build(nodes ...string) (sketchproof.Placer, error) {
	return e.subject.Build(sketchproof.PlacerSpec{Nodes: nodes, Seed: e.seed})
}

func (e edge) owners(p owned) ([]string, error) {
	owners := make([]string, edgeKeys)
	for i := range owners {
		var err error
		if owners[i], err = p.Owner(e.keys.at(i)); err != nil {
			return nil, err
		}
	}
	return owners, nil
}

// differ counts the keys with another owner.
func differ(a, b []string) (n int64) {
	for i := range a {
		n += one(a[i] != b[i])
	}
	return n
}

func (e edge) empty() (wrong, answers int64, err error) {
	p, err := e.build()
	if err != nil {
		return 0, 0, err
	}
	ask := func() {
		node, err := p.Owner(e.keys.at(0))
		wrong += one(!e.says(err, placement.ErrEmpty) || node != "")
		answers++
	}
	ask()
	if err := p.Add("A"); err != nil {
		return 0, 0, err
	}
	if err := p.Remove("A"); err != nil {
		return 0, 0, err
	}
	ask()
	return wrong, answers, nil
}

func (e edge) single() (wrong, answers int64, err error) {
	p, err := e.build("only")
	if err != nil {
		return 0, 0, err
	}
	owners, err := e.owners(p)
	for _, owner := range owners {
		wrong += one(owner != "only")
	}
	return wrong, edgeKeys, err
}

func (e edge) refused() (wrong, answers int64, err error) {
	p, err := e.build("A", "B", "C")
	if err != nil {
		return 0, 0, err
	}
	before, err := e.owners(p)
	if err != nil {
		return 0, 0, err
	}
	wrong = one(!e.says(p.Add("A"), placement.ErrDuplicate)) + one(!e.says(p.Remove("D"), placement.ErrUnknown))
	after, err := e.owners(p)
	if err != nil {
		return 0, 0, err
	}
	return wrong + differ(before, after), edgeKeys + 2, nil
}

func (e edge) order() (wrong, answers int64, err error) {
	nodes := append([]string{}, servers(8)...)
	p, err := e.build(nodes...)
	if err != nil {
		return 0, 0, err
	}
	nodes = append(nodes, "passing")
	rand.New(rand.NewPCG(e.seed, 0)).Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	q, err := e.build(nodes...)
	if err != nil {
		return 0, 0, err
	}
	if err := q.Remove("passing"); err != nil {
		return 0, 0, err
	}
	a, err := e.owners(p)
	if err != nil {
		return 0, 0, err
	}
	b, err := e.owners(q)
	return differ(a, b), edgeKeys, err
}

func (e edge) collision() (wrong, answers int64, err error) {
	words := [2]uint64{e.keys.at(edgeKeys), e.keys.at(edgeKeys + 1)}
	first, second := string(sixteen(words)), string(sixteen(twin(words)))
	if first > second {
		first, second = second, first
	}
	p, err := e.build(first, "other", second)
	if err != nil {
		return 0, 0, err
	}
	q, err := e.build(second, first, "other")
	if err != nil {
		return 0, 0, err
	}
	with, err := e.owners(p)
	if err != nil {
		return 0, 0, err
	}
	again, err := e.owners(q)
	if err != nil {
		return 0, 0, err
	}
	if err := p.Remove(first); err != nil {
		return 0, 0, err
	}
	without, err := e.owners(p)
	if err != nil {
		return 0, 0, err
	}
	for i, owner := range with {
		wrong += one(owner == second || owner != again[i])
		heir := owner
		if owner == first {
			heir = second
		}
		wrong += one(without[i] != heir)
	}
	return wrong, 2 * edgeKeys, nil
}
