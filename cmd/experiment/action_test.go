package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// actionScripts are the shell scripts of action.yml, in order: blocks below
// "run: |", as deep as their first line.
func actionScripts(t *testing.T) (text string, scripts []string) {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "run: |" {
			continue
		}
		indent := lines[i+1][:len(lines[i+1])-len(strings.TrimLeft(lines[i+1], " "))]
		script := ""
		for _, l := range lines[i+1:] {
			if l != "" && !strings.HasPrefix(l, indent) {
				break
			}
			script += strings.TrimPrefix(l, indent) + "\n"
		}
		scripts = append(scripts, script)
	}
	return string(data), scripts
}

func TestActionInputsAreDeclaredAndUsed(t *testing.T) {
	text, scripts := actionScripts(t)
	_, after, _ := strings.Cut(text, "\ninputs:\n")
	block, _, _ := strings.Cut(after, "\nruns:\n")
	var declared, used []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z]+):$`).FindAllStringSubmatch(block, -1) {
		declared = append(declared, m[1])
	}
	for _, m := range regexp.MustCompile(`inputs\.([a-z]+) `).FindAllStringSubmatch(text, -1) {
		used = append(used, m[1])
	}
	slices.Sort(declared)
	slices.Sort(used)
	if len(declared) < 5 || !slices.Equal(declared, slices.Compact(used)) {
		t.Errorf("declared %v, used %v", declared, used)
	}
	if len(scripts) != 2 || strings.Count(text, "shell: bash") != len(scripts) {
		t.Errorf("%d scripts; each needs its shell", len(scripts))
	}
	if strings.Contains(strings.Join(scripts, ""), "${{") {
		t.Error("an input is pasted into a script: its text would be run")
	}
	if strings.Contains(text, "\t") {
		t.Error("YAML has no tabs")
	}
}

func TestActionRuns(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("the action's scripts are for bash, which is not here")
	}
	_, scripts := actionScripts(t)
	temp := t.TempDir()
	for name, script := range map[string]string{
		"bin/go":     "#!/bin/sh\necho go \"$@\"\n",
		"experiment": "#!/bin/sh\nfor a in \"$@\"; do echo \"$a\"; done\nexit 1\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(temp, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(temp, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := func(script string, env ...string) (int, []string) {
		cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script) // as the forge calls it
		cmd.Env = append([]string{"PATH=" + filepath.Join(temp, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"), "RUNNER_TEMP=" + temp}, env...)
		out, err := cmd.CombinedOutput()
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			return failed.ExitCode(), strings.Split(strings.TrimSpace(string(out)), "\n")
		} else if err != nil {
			t.Fatal(err)
		}
		return 0, strings.Split(strings.TrimSpace(string(out)), "\n")
	}
	if code, out := run(scripts[0]); code != 0 || !slices.Equal(out, []string{"go build -trimpath -buildvcs=false -o " + temp + "/experiment ./cmd/experiment"}) {
		t.Errorf("build: %d, %q", code, out)
	}
	defaults := []string{
		"COMMAND=compare", "MODULE=", "FROM=", "TO=", "DIRECTORY=", "SCALE=smoke", "ONLY=", "SPEED=auto", "FORMAT=github", "SOURCE=/source",
	}
	for _, c := range []struct {
		name string
		env  []string
		code int // the experiment that is called ends with 1
		want string
	}{
		{
			"two versions",
			[]string{"MODULE=example.com/m", "FROM=v1.0.0", "TO=v1.1.0"},
			1,
			"compare|--format=github|--scale=smoke|--source=/source|--speed=auto|--|example.com/m@v1.0.0|example.com/m@v1.1.0",
		},
		{
			"a folder and globs",
			[]string{"MODULE=example.com/m", "FROM=v1.0.0", "DIRECTORY=my copy", "ONLY=bloom/*\ncuckoo/* $(x)\n"},
			1,
			"compare|--format=github|--scale=smoke|--only=bloom/*|--only=cuckoo/* $(x)|--source=/source|--speed=auto|--|example.com/m@v1.0.0|example.com/m=my copy",
		},
		{"the same version", []string{"MODULE=example.com/m", "FROM=v1.0.0", "TO=v1.0.0"}, 0, "example.com/m is at v1.0.0 before and after: nothing to compare"},
		{"no version", []string{"MODULE=example.com/m", "TO=v1.0.0"}, 2, "::error title=sketchproof::compare needs module, from, and to or directory"},
		{"no module", []string{"TO=v1.0.0"}, 2, "::error title=sketchproof::to and directory need a module"},
		{"check", []string{"COMMAND=check", "SCALE=ci"}, 1, "check|--format=github|--scale=ci"},
		{
			"check with another version",
			[]string{"COMMAND=check", "MODULE=example.com/m", "TO=v1.1.0"},
			1,
			"check|--format=github|--scale=smoke|--source=/source|--with=example.com/m@v1.1.0",
		},
		{"another command", []string{"COMMAND=rm"}, 2, "::error title=sketchproof::unknown command rm; known: compare, check"},
	} {
		code, out := run(scripts[1], append(slices.Clone(defaults), c.env...)...)
		if got := strings.Join(out, "|"); code != c.code || got != c.want {
			t.Errorf("%s: exit code %d, want %d\n got %s\nwant %s", c.name, code, c.code, got, c.want)
		}
	}
}
