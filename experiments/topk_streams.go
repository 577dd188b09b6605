package experiments

import (
	"go/build"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/sketchproof/sketchproof/experiments/data"
	"github.com/sketchproof/sketchproof/impl/hashing"
	"github.com/sketchproof/sketchproof/record"
)

// An eventStream is a stream of keys, another with each seed.
type eventStream struct {
	name   string
	labels record.Labels // stream, and what it is made of
	events int
	draw   func(seed uint64) []uint64
}

// zipfEvents are draws from a Zipf distribution.
func zipfEvents(events, ranks int, s float64) eventStream {
	source := sync.OnceValue(func() *zipf { return newZipf(ranks, s) })
	return eventStream{"zipf", record.L("stream", "zipf", "zipf", s), events, func(seed uint64) []uint64 {
		keys, draws := keys(parts(seed, 0)), draws(seed)
		list := make([]uint64, events)
		for i := range list {
			list[i] = keys.at(source().rank(draws.at(i)))
		}
		return list
	}}
}

// wordEvents are so many words of the book in a row, from a place that the seed
// draws.
func wordEvents(events int) eventStream {
	return eventStream{"words", record.L("stream", "words", "events", events), events, func(seed uint64) []uint64 {
		return window(data.KJVWords(), events, seed)
	}}
}

// tokenEvents are so many tokens in a row of the Go library's sources, which
// differ from one version of Go to the next. There may be none.
func tokenEvents(events int) eventStream {
	return eventStream{"go-tokens", record.L("stream", "go-tokens", "events", events), events, func(seed uint64) []uint64 {
		return window(goTokens(), events, seed)
	}}
}

// window is a part of a list of texts, by their hashes; none of an empty list.
func window(texts []string, events int, seed uint64) []uint64 {
	if len(texts) == 0 {
		return nil
	}
	first := 0
	if spare := len(texts) - events; spare > 0 {
		first = int(parts(seed, 3) % uint64(spare+1))
	}
	texts = texts[first:min(first+events, len(texts))]
	hash, list := hashing.XX(parts(seed, 0)), make([]uint64, len(texts))
	for i, text := range texts {
		list[i] = hash.Bytes([]byte(text))
	}
	return list
}

// goTokens are the first million tokens of GOROOT/src, in the order of its files.
var goTokens = sync.OnceValue(func() []string {
	const enough = 1_000_000
	var tokens []string
	root := filepath.Join(build.Default.GOROOT, "src")
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || len(tokens) >= enough {
			return fs.SkipAll
		}
		if d.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return fs.SkipAll
		}
		tokens = appendTokens(tokens, text)
		return nil
	})
	return tokens[:min(enough, len(tokens))]
})

// appendTokens adds the tokens of a file, as they are written.
func appendTokens(tokens []string, text []byte) []string {
	var s scanner.Scanner
	files := token.NewFileSet()
	s.Init(files.AddFile("", files.Base(), len(text)), text, func(token.Position, string) {}, 0)
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return tokens
		case literal == "" || kind == token.SEMICOLON:
			literal = kind.String()
		}
		tokens = append(tokens, literal)
	}
}

// truthOf counts exactly.
func truthOf(events []uint64, weight func(i int) uint64) (counts map[uint64]uint64, total uint64) {
	counts = map[uint64]uint64{}
	for i, key := range events {
		counts[key] += weight(i)
		total += weight(i)
	}
	return counts, total
}

// weighing is the weights of a stream's events: all 1, or 1 to 100.
func weighing(weighted bool, seed uint64) func(i int) uint64 {
	if !weighted {
		return func(int) uint64 { return 1 }
	}
	draws := keys(parts(seed, 4))
	return func(i int) uint64 { return 1 + draws.at(i)%100 }
}
