package versions

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Resolve finds the exact version of a target, and downloads it: an error here
// is about the target, not about the adapters.
func Resolve(ctx context.Context, t Target) (Target, error) {
	if t.Dir != "" {
		return t, nil
	}
	// Outside of any module, so that no go.mod has a say in it.
	out, err := goTool(ctx, os.TempDir(), "", "mod", "download", "-json", t.Module+"@"+t.Version)
	var got struct{ Version, Error string }
	if jsonErr := json.Unmarshal(out, &got); jsonErr == nil && got.Error != "" {
		return t, fmt.Errorf("%v cannot be had: %s", t, strings.ReplaceAll(strings.TrimSpace(got.Error), "\n\t", " "))
	}
	if err != nil {
		return t, fmt.Errorf("%v cannot be had: %w", t, err)
	}
	t.Version = got.Version
	return t, nil
}

// Build builds the harness of a source tree against targets that are resolved,
// each a module of its own. The program and everything written lie in dir, a
// folder that exists.
func Build(ctx context.Context, source, dir string, targets ...Target) (program string, err error) {
	replace := map[string]string{}
	edits, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil {
		return "", err
	}
	file, err := modfile.Parse("go.mod", edits, nil)
	if err != nil {
		return "", err
	}
	for _, t := range targets {
		stands, err := point(file, source, t)
		if err != nil {
			return "", err
		}
		for at, with := range stands {
			replace[at] = with
		}
	}
	file.Cleanup()
	text, err := file.Format()
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(source, "go.sum"))
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	for name, data := range map[string][]byte{"go.mod": text, "go.sum": sums, "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return "", err
		}
	}
	program = filepath.Join(dir, "experiment")
	if _, err := goTool(ctx, source, dir, "build", "-mod=mod", "-modfile="+filepath.Join(dir, "go.mod"), "-overlay="+filepath.Join(dir, "overlay.json"),
		"-trimpath", "-buildvcs=false", "-o", program, "./cmd/experiment"); err != nil {
		return "", fmt.Errorf("the adapters do not build against %s: %w", join(targets), err)
	}
	return program, nil
}

// point makes go.mod take a module from a target, and returns the files that
// stand in for adapters.
func point(file *modfile.File, source string, t Target) (map[string]string, error) {
	for _, r := range file.Replace {
		if r.Old.Path == t.Module {
			if err := file.DropReplace(r.Old.Path, r.Old.Version); err != nil {
				return nil, err
			}
		}
	}
	required := func(path string) bool {
		for _, r := range file.Require {
			if r.Mod.Path == path {
				return true
			}
		}
		return false
	}
	with, version := t.Module, t.Version
	if t.Dir != "" {
		with, version = t.Dir, ""
	}
	if !required(t.Module) {
		file.AddNewRequire(t.Module, nominal(t), false)
	}
	if err := file.AddReplace(t.Module, "", with, version); err != nil {
		return nil, err
	}
	tree := os.DirFS(source)
	g, ok, err := generationFor(tree, t)
	if err != nil || !ok {
		return nil, err
	}
	needs, err := g.requirements(tree)
	if err != nil {
		return nil, err
	}
	for _, m := range needs {
		if !required(m.Path) {
			file.AddNewRequire(m.Path, m.Version, true)
		}
	}
	return g.replacements(source)
}

// nominal is the version to require of a module that a replacement stands for.
func nominal(t Target) string {
	if t.Version != "" {
		return t.Version
	}
	_, suffix, _ := module.SplitPathVersion(t.Module)
	major := cmp.Or(module.PathMajorPrefix(suffix), "v0")
	return major + ".0.0-00010101000000-000000000000"
}

// goTool runs the go command in a folder and returns what it printed. Its error
// is the first lines of what it complained of. A workspace has no say in it. What it
// writes on the way lies in temp, or where it usually does: interrupted, it may leave
// that behind.
func goTool(ctx context.Context, dir, temp string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "PWD="+dir)
	if temp != "" {
		cmd.Env = append(cmd.Env, "GOTMPDIR="+temp)
	}
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("there is no go command here; https://go.dev/dl has it")
	}
	if err != nil && complaint.Len() > 0 {
		return out.Bytes(), errors.New(firstLines(complaint.String()))
	}
	return out.Bytes(), err
}

// mostLines is how much of a compiler's complaint an error quotes.
const mostLines = 6

func firstLines(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "go: downloading ") || strings.HasPrefix(line, "go: finding ") {
			continue
		}
		if len(kept) == mostLines {
			kept = append(kept, "...")
			break
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n\t")
}

func join(targets []Target) string {
	names := make([]string, len(targets))
	for i, t := range targets {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}
