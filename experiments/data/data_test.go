package data

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The digests of README.md are those of the files as they were found, so that
// nobody edits an input by accident.
func TestFilesAreThoseOfTheREADME(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{
		"ecoli536.2bit":             genome,
		"disposable-domains.txt.gz": disposableFile,
		"free-mail-domains.txt.gz":  freeMailFile,
		"debian-homepages.txt.gz":   debianFile,
		"kjv-words.txt.gz":          kjvFile,
	}
	stated := regexp.MustCompile(`(?m)^ {4}([0-9a-f]{64}) {2}(\S+)$`).FindAllStringSubmatch(string(text), -1)
	if len(stated) != len(files) {
		t.Errorf("%d digests for %d files", len(stated), len(files))
	}
	for _, line := range stated {
		sum := sha256.Sum256(files[line[2]])
		if got := hex.EncodeToString(sum[:]); got != line[1] {
			t.Errorf("%s has digest %s, stated is %s", line[2], got, line[1])
		}
	}
}

// The counts are those of README.md.
func TestKMers(t *testing.T) {
	if got := 4 * len(genome); got != 4938920 {
		t.Errorf("%d bases", got)
	}
	all, distinct := KMers(), DistinctKMers()
	if len(all) != 4938890 || len(all) != 4*len(genome)-K+1 {
		t.Errorf("%d k-mers", len(all))
	}
	if len(distinct) != 4848261 || !slices.IsSorted(distinct) {
		t.Errorf("%d distinct k-mers, sorted: %t", len(distinct), slices.IsSorted(distinct))
	}
	if _, ok := slices.BinarySearch(distinct, all[len(all)-1]); !ok {
		t.Error("the last k-mer is not among the distinct ones")
	}
}

// pack packs bases as the file does.
func pack(bases string) []byte {
	packed := make([]byte, (len(bases)+3)/4)
	for i, b := range bases {
		packed[i/4] |= byte(strings.IndexRune("ACGT", b)) << (2 * (i % 4))
	}
	return packed
}

// plain is the lesser of a k-mer and its reverse complement, letter by letter.
func plain(kmer string) uint64 {
	var forward, reverse uint64
	for i := range K {
		forward = forward<<2 | uint64(strings.IndexByte("ACGT", kmer[i]))
		reverse = reverse<<2 | uint64(strings.IndexByte("TGCA", kmer[K-1-i]))
	}
	return min(forward, reverse)
}

func TestCanonical(t *testing.T) {
	const bases = "GATTACAGGGCCATCTTTAAACGCGTATCCGAGTCAATTC" // 40, a whole number of bytes
	keys := canonical(pack(bases))
	if len(keys) != 10 {
		t.Fatalf("%d k-mers of %d bases", len(keys), len(bases))
	}
	for i, key := range keys {
		if want := plain(bases[i : i+K]); key != want {
			t.Errorf("k-mer %d is %x, not %x", i, key, want)
		}
	}
	if got := canonical(pack(bases[:28])); len(got) != 0 {
		t.Errorf("%d k-mers of 28 bases", len(got))
	}
	complement := strings.NewReplacer("A", "T", "C", "G", "G", "C", "T", "A").Replace(bases)
	other := []byte(complement)
	slices.Reverse(other)
	back := canonical(pack(string(other)))
	slices.Reverse(back)
	if !slices.Equal(keys, back) {
		t.Error("the other strand has other k-mers")
	}
}

func TestDomains(t *testing.T) {
	blocked := DisposableDomains()
	if len(blocked) != 121570 {
		t.Errorf("%d domains on the blocklist", len(blocked))
	}
	on := map[string]bool{}
	for _, d := range blocked {
		on[d] = true
	}
	if len(on) != len(blocked) || !slices.IsSorted(blocked) {
		t.Errorf("%d of %d domains differ, sorted: %t", len(on), len(blocked), slices.IsSorted(blocked))
	}
	free := FreeMailDomains()
	if len(free) != 11313 {
		t.Errorf("%d free mail domains", len(free))
	}
	for _, d := range free {
		if on[d] || d == "" || strings.ContainsAny(d, " \r") {
			t.Errorf("free mail domain %q", d)
		}
	}
	total := 0
	for _, h := range DebianHosts() {
		total += h.Count
		if on[h.Name] || strings.ContainsAny(h.Name, " \r") || h.Count < 1 {
			t.Errorf("host %+v", h)
		}
	}
	if n := len(DebianHosts()); n != 6855 || total != 59241 {
		t.Errorf("%d hosts, %d look-ups", n, total)
	}
	if got := DebianHosts()[0]; got != (Host{"github.com", 19327}) {
		t.Errorf("first host %+v", got)
	}
}

func TestKJVWords(t *testing.T) {
	words := KJVWords()
	counts := map[string]int{}
	for _, w := range words {
		counts[w]++
	}
	if len(words) != 789684 || len(counts) != 12762 || counts["the"] != 63919 {
		t.Errorf("%d words, %d distinct, the %d times", len(words), len(counts), counts["the"])
	}
	if got := strings.Join(words[:5], " "); got != "in the beginning god created" { // Genesis 1:1
		t.Errorf("it begins %q", got)
	}
}

func TestDamageIsNoticed(t *testing.T) {
	for name, f := range map[string]func(){
		"not gzip":       func() { lines([]byte("text")) },
		"cut short":      func() { lines(kjvFile[:1000]) },
		"no count":       func() { hosts([]string{"github.com"}) },
		"count, no name": func() { hosts([]string{"5"}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it was taken")
				}
			}()
			f()
		})
	}
}
