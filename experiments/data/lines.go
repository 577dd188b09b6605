package data

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

//go:embed disposable-domains.txt.gz
var disposableFile []byte

//go:embed free-mail-domains.txt.gz
var freeMailFile []byte

//go:embed debian-homepages.txt.gz
var debianFile []byte

//go:embed kjv-words.txt.gz
var kjvFile []byte

// DisposableDomains returns a blocklist of 121 570 throw-away mail domains,
// sorted, without repeats.
func DisposableDomains() []string { return disposableDomains() }

// FreeMailDomains returns 11 313 domains of free mail services, sorted. None is
// among DisposableDomains.
func FreeMailDomains() []string { return freeMailDomains() }

// DebianHosts returns the 6 855 hosts of homepages of Debian's packages. None is
// among DisposableDomains.
func DebianHosts() []Host { return debianHosts() }

// KJVWords returns the 789 684 words of the King James Bible in order, lower
// case: a stream with heavy and with rare items, 12 762 of them distinct.
func KJVWords() []string { return kjvWords() }

// A Host is the name of a machine and how often it occurs.
type Host struct {
	Name  string
	Count int
}

var (
	disposableDomains = sync.OnceValue(func() []string { return lines(disposableFile) })
	freeMailDomains   = sync.OnceValue(func() []string { return lines(freeMailFile) })
	debianHosts       = sync.OnceValue(func() []Host { return hosts(lines(debianFile)) })
	kjvWords          = sync.OnceValue(func() []string { return lines(kjvFile) })
)

// lines unpacks a file. The files are part of the program, so that one that
// cannot be read is a bug.
func lines(packed []byte) []string {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Sprintf("data: an embedded file is no gzip file: %v", err))
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(fmt.Sprintf("data: an embedded file is damaged: %v", err))
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// hosts reads lines of a count and a name.
func hosts(lines []string) []Host {
	list := make([]Host, len(lines))
	for i, line := range lines {
		count, name, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
		n, err := strconv.Atoi(count)
		if err != nil || name == "" {
			panic(fmt.Sprintf("data: line %d of the hosts, %q, is no count and name", i+1, line))
		}
		list[i] = Host{name, n}
	}
	return list
}
