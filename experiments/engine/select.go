package engine

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Cells plans all cells of a scale, in the order of the report.
func Cells(all []Experiment, s Scale) []Cell {
	var cells []Cell
	for _, e := range all {
		for _, c := range e.Plan(s) {
			c.Experiment = e.Name
			cells = append(cells, c)
		}
	}
	return cells
}

// A Selection narrows a plan. The zero value selects everything.
type Selection struct {
	Only  []string // globs over cell names; * crosses slashes; any may match
	Cell  string   // one cell by its exact name
	Shard Shard
}

// A Shard is part Index of Count, counted from 1. The zero value is the whole.
type Shard struct{ Index, Count int }

// ParseShard reads "i/n".
func ParseShard(s string) (Shard, error) {
	if s == "" {
		return Shard{}, nil
	}
	i, n, found := strings.Cut(s, "/")
	index, err1 := strconv.Atoi(i)
	count, err2 := strconv.Atoi(n)
	if !found || err1 != nil || err2 != nil || index < 1 || index > count {
		return Shard{}, fmt.Errorf("shard %q is not i/n with 1 <= i <= n", s)
	}
	return Shard{index, count}, nil
}

func (s Shard) String() string {
	if s.Count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

func (s Shard) has(cell string) bool {
	return s.Count == 0 || shardOf(cell, s.Count) == s.Index-1
}

// Whole reports whether nothing is left out.
func (s Selection) Whole() bool { return len(s.Only) == 0 && s.Cell == "" && s.Shard.Count == 0 }

// Plan plans a scale and selects. It plans no experiment that the selection rules
// out by its name: some plans take a while.
func (s Selection) Plan(all []Experiment, scale Scale) ([]Cell, error) {
	some := slices.DeleteFunc(slices.Clone(all), func(e Experiment) bool { return !s.mayName(e.Name) })
	cells, err := s.Select(Cells(some, scale))
	if err != nil && len(some) < len(all) {
		return s.Select(Cells(all, scale)) // what was meant may lie elsewhere
	}
	return cells, err
}

// mayName reports whether a cell of an experiment may be selected.
func (s Selection) mayName(experiment string) bool {
	if s.Cell != "" {
		return strings.HasPrefix(s.Cell, experiment+"/")
	}
	return len(s.Only) == 0 || slices.ContainsFunc(s.Only, func(glob string) bool {
		if i := strings.IndexAny(glob, "*?"); i >= 0 {
			return strings.HasPrefix(experiment+"/", glob[:i]) || strings.HasPrefix(glob[:i], experiment+"/")
		}
		return glob == experiment || strings.HasPrefix(glob, experiment+"/") || strings.HasPrefix(experiment, glob+"/")
	})
}

// of are the experiments that some cells are of.
func of(all []Experiment, cells []Cell) []Experiment {
	names := map[string]bool{}
	for _, c := range cells {
		names[c.Experiment] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(e Experiment) bool { return !names[e.Name] })
}

// Select returns the selected cells. A glob or name that matches nothing is an
// error that names the nearest known ones.
func (s Selection) Select(cells []Cell) ([]Cell, error) {
	globs := make([]*regexp.Regexp, len(s.Only))
	for i, g := range s.Only {
		globs[i] = compileGlob(g)
	}
	matched := make([]bool, len(globs))
	some := false
	var picked []Cell
	for _, c := range cells {
		name := c.Name()
		keep := len(globs) == 0 && (s.Cell == "" || s.Cell == name)
		for i, g := range globs {
			if g.MatchString(name) {
				keep, matched[i] = s.Cell == "" || s.Cell == name, true
			}
		}
		some = some || keep // in any shard: one may be left without a cell
		if keep && s.Shard.has(name) {
			picked = append(picked, c)
		}
	}
	for i, ok := range matched {
		if !ok {
			return nil, fmt.Errorf("no cell matches %q%s", s.Only[i], Suggest(s.Only[i], names(cells)))
		}
	}
	if s.Cell != "" && !some {
		return nil, fmt.Errorf("no cell is named %q%s", s.Cell, Suggest(s.Cell, names(cells)))
	}
	return picked, nil
}

// compileGlob turns a glob over cell names into a pattern. An experiment or a
// prefix of labels, without a star, selects all below it.
func compileGlob(glob string) *regexp.Regexp {
	quoted := strings.ReplaceAll(regexp.QuoteMeta(glob), `\*`, ".*")
	quoted = strings.ReplaceAll(quoted, `\?`, ".")
	return regexp.MustCompile("^" + quoted + "(/.*)?$")
}

// names lists everything that a selection could have meant: experiments,
// subjects, labels, cells.
func names(cells []Cell) []string {
	seen := map[string]bool{}
	var list []string
	add := func(s string) {
		if !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	for _, c := range cells {
		add(c.Experiment)
		add(path.Dir(c.Experiment) + "/*")
		for _, l := range c.Labels {
			add("*/" + l.Key + "=" + l.Value + "*")
		}
		add(c.Name())
	}
	return list
}

// Suggest returns a clause that ends an error: it names the known words nearest
// to the one that was not found, or when none is near, all if they are few.
func Suggest(word string, known []string) string {
	type near struct {
		word     string
		distance int
	}
	var found []near
	for _, k := range known {
		d := editDistance(word, k)
		if d <= max(2, len(word)/3) {
			found = append(found, near{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.distance - b.distance })
	if len(found) > 3 {
		found = found[:3]
	}
	if len(found) == 0 {
		if len(known) > 12 {
			return "; `experiment list` shows what there is"
		}
		return "; known: " + strings.Join(known, ", ")
	}
	words := make([]string, len(found))
	for i, f := range found {
		words[i] = strconv.Quote(f.word)
	}
	return "; did you mean " + strings.Join(words, " or ") + "?"
}

// editDistance is the Levenshtein distance in bytes (Levenshtein 1966).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
