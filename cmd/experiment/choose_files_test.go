package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadKeys(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte("a\nb\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	table := "host,count\nalpha,1\n\"be,ta\",2\n,3\nalpha,4\n"
	for name, c := range map[string]struct {
		text, column, want, fails string
	}{
		"lines":         {text: "a\r\nb\n\na", want: "a b a"},
		"packed":        {text: packed.String(), want: "a b"},
		"marked":        {text: "\ufeffa\nb\n", want: "a b"},
		"marked column": {text: "\ufeff" + table, column: "host", want: "alpha be,ta alpha"},
		"open quote":    {text: "a\n\"b\nc\n", column: "1", fails: "quote"},
		"cut short":     {text: packed.String()[:packed.Len()-9], fails: "unexpected EOF"},
		"named column":  {text: table, column: "host", want: "alpha be,ta alpha"},
		"second column": {text: table, column: "2", want: "count 1 2 3 4"},
		"no such name":  {text: table, column: "hst", fails: `no column "hst"; there are ["host" "count"]`},
		"no such place": {text: table, column: "3", fails: "line 1 has 2 columns, not 3"},
		"column zero":   {text: table, column: "0", fails: "counted from 1"},
		"empty":         {text: "\n\n", fails: "no key in it"},
	} {
		file := filepath.Join(t.TempDir(), "keys")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		keys, err := readKeys(file, c.column)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%s: %v, want %q", name, err, c.fails)
			}
			continue
		}
		if got := string(bytes.Join(keys, []byte(" "))); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}
