package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/sketchproof/sketchproof/check"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
	"github.com/sketchproof/sketchproof/results"
)

// modulePath is the module whose repository holds the committed results.
const modulePath = "github.com/sketchproof/sketchproof"

// A baseline is what check compares with.
type baseline struct {
	name    string // in words
	results check.Results
}

// baselineIn finds the baseline as seen from the folder dir: the folder or
// revision that against names; else HEAD, in a clone of this repository; else
// what is built in. In a clone it is never the files in the working tree: they
// may be of a run just made. scratch is a folder of its own to write to.
func baselineIn(ctx context.Context, dir, against, scratch string) (baseline, error) {
	if against != "" {
		if folder := rooted(dir, against); isFolder(folder) {
			return load(os.DirFS(folder), against)
		}
	}
	root, ok, err := cloneAround(ctx, dir)
	switch {
	case err != nil:
		return baseline{}, err
	case ok && against == "":
		return revision(ctx, root, "HEAD", scratch)
	case ok:
		return revision(ctx, root, against, scratch)
	case against != "":
		return baseline{}, fmt.Errorf("%w: %s is no folder, and this is no clone of %s that could hold it as a revision",
			engine.ErrNotComparable, against, modulePath)
	default:
		return load(results.FS(), "the results built into this program")
	}
}

func rooted(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// load reads a baseline. One that does not exist, or is damaged, leaves nothing
// to compare with.
func load(fsys fs.FS, name string) (baseline, error) {
	r, err := check.Load(fsys)
	if errors.Is(err, fs.ErrNotExist) {
		return baseline{}, fmt.Errorf("%w: %s: no results there: %w", engine.ErrNotComparable, name, err)
	}
	if err != nil {
		return baseline{}, fmt.Errorf("%w: %s: %w", engine.ErrNotComparable, name, err)
	}
	return baseline{name, r}, nil
}

// cloneAround finds the folder of this module's go.mod in a git work tree that
// has a commit, from dir upwards. A work tree that git does not read is an error:
// what is built in could then be of a run just made.
func cloneAround(ctx context.Context, dir string) (root string, ok bool, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", false, err
	}
	root, ok = above(dir, "go.mod")
	if !ok {
		return "", false, nil
	}
	if text, err := os.ReadFile(filepath.Join(root, "go.mod")); err != nil || !namesModule(text) {
		return "", false, err
	}
	if _, ok := above(root, ".git"); !ok {
		return "", false, nil
	}
	_, err = gitIn(ctx, root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if failed, is := errors.AsType[*exec.ExitError](err); is && failed.ExitCode() == 1 {
		return "", false, nil // no commit yet
	}
	if err != nil {
		return "", false, fmt.Errorf("%w: the commit to compare with cannot be read: %w", engine.ErrNotComparable, err)
	}
	return root, true, nil
}

// above finds the nearest folder that holds a file of a name, from dir upwards.
func above(dir, name string) (folder string, ok bool) {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// namesModule reports whether a go.mod is this module's.
func namesModule(gomod []byte) bool {
	for line := range strings.Lines(string(gomod)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "module" {
			return fields[1] == modulePath
		}
	}
	return false
}

// revision reads the results of a commit of the clone in root, by way of files
// in scratch.
func revision(ctx context.Context, root, name, scratch string) (baseline, error) {
	out, err := gitIn(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		if ctx.Err() != nil {
			return baseline{}, ctx.Err()
		}
		return baseline{}, fmt.Errorf("%w: %q is neither a folder nor a revision of this repository", engine.ErrNotComparable, name)
	}
	commit := strings.TrimSpace(string(out))
	title := "commit " + commit[:min(12, len(commit))]
	if name != "HEAD" {
		title = name + " (" + title + ")"
	}
	manifest, err := extract(ctx, root, commit, record.ManifestName, scratch)
	if err != nil {
		return baseline{}, fmt.Errorf("%w: %s holds no results: %w", engine.ErrNotComparable, title, err)
	}
	m, err := record.ReadManifest(manifest)
	if err != nil {
		return baseline{}, fmt.Errorf("%w: %s: %w", engine.ErrNotComparable, title, err)
	}
	for _, file := range m.SummaryFiles() {
		if _, err := extract(ctx, root, commit, file, scratch); err != nil {
			return baseline{}, fmt.Errorf("%w: %s: %w", engine.ErrNotComparable, title, err)
		}
		if inputs := path.Join(path.Dir(file), record.InputsName); m.Files[inputs] != "" {
			if _, err := extract(ctx, root, commit, inputs, scratch); err != nil {
				return baseline{}, fmt.Errorf("%w: %s: %w", engine.ErrNotComparable, title, err)
			}
			// Few have one that no digest proves; without it there is less to compare.
			_, _ = extract(ctx, root, commit, path.Join(path.Dir(file), record.UnseededName), scratch)
		}
	}
	return load(os.DirFS(scratch), title)
}

// extract copies a file below results/ of a commit into scratch.
func extract(ctx context.Context, root, commit, file, scratch string) ([]byte, error) {
	data, err := gitIn(ctx, root, "show", commit+":./"+path.Join("results", file))
	if err != nil {
		return nil, err
	}
	to := filepath.Join(scratch, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return nil, err
	}
	return data, os.WriteFile(to, data, 0o644)
}

// gitIn runs git in a folder and returns what it printed. Its error is the first
// line of what git complained of.
func gitIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if failed, is := errors.AsType[*exec.ExitError](err); is && len(failed.Stderr) > 0 {
		line, _, _ := bytes.Cut(failed.Stderr, []byte("\n"))
		return nil, fmt.Errorf("git %s: %s", args[0], line)
	}
	return out, err
}
