package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/sketchproof/sketchproof/choose"
	"github.com/sketchproof/sketchproof/experiments/speed"
)

// judgedSeed is the sample that regret is judged on unless a seed is given. The
// choice was tuned on others: a sample that it was tuned on flatters it.
const judgedSeed = 20261130

// drawWorkload is workload i of a sample: everything in it is drawn.
func drawWorkload(seed uint64, i, maxKeys int) choose.Workload {
	r := rand.New(rand.NewPCG(seed, uint64(i)))
	logUniform := func(lo, hi float64) float64 { return lo * math.Exp(r.Float64()*math.Log(hi/lo)) }
	often := func(p float64) bool { return r.Float64() < p }
	w := choose.Workload{
		Kind: choose.KindFilter, Keys: int(logUniform(leastRegretKeys, float64(maxKeys))),
		Present: math.Round(r.Float64()*90) / 100,
	}
	if often(0.2) {
		w.Present = 0
	}
	if often(0.5) {
		w.Rate = logUniform(1e-5, 0.1)
	} else {
		w.Work = logUniform(20e-9, 1e-3)
	}
	if often(0.5) {
		w.LookupsPerKey = logUniform(0.5, 1000)
	}
	if often(0.5) {
		w.Needs = append(w.Needs, choose.NeedStatic)
	}
	if often(0.25) {
		w.Needs = append(w.Needs, choose.NeedBatch)
	}
	if often(0.5) {
		w.KeyBytes = int(logUniform(8, 65))
	}
	if w.Rate > 0 && w.LookupsPerKey > 0 {
		// Without work that is saved the time of look-ups is what counts.
		w.LookupsPerKey = 0
	}
	return w
}

// leastRegretKeys is the least number of keys of a drawn workload.
const leastRegretKeys = 1_000

// regretPoint is an offer in its workload, as it is measured there.
func regretPoint(w choose.Workload, o choose.Offer) speed.Point {
	return speed.Point{
		Kind: "filter", Subject: o.Subject, Epsilon: o.Asked, Keys: w.Keys, KeyBytes: w.KeyBytes, Present: w.Present,
		Ops: slices.Concat(lookUps(w), builds(w)),
	}
}

// lookUps are the operations that serve the workload, the one that is used first.
func lookUps(w choose.Workload) (ops []string) {
	op := "mixed"
	if w.KeyBytes > 0 {
		op += "-bytes"
	}
	if slices.Contains(w.Needs, choose.NeedBatch) {
		ops = append(ops, op+"-batch")
	}
	return append(ops, op)
}

func builds(w choose.Workload) []string {
	if w.KeyBytes > 0 {
		return []string{"build-bytes", "add-bytes"}
	}
	return []string{"build", "add"}
}
