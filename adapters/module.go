package adapters

import (
	"runtime/debug"
	"sync"
)

// Version returns the version of a Go module in the running program, or "unknown"
// where the build does not say. Where another version replaces what go.mod
// requires, it is that one; where a folder or another module does, "=>" and that.
func Version(module string) string {
	if v, ok := versions()[module]; ok {
		return v
	}
	return "unknown"
}

// At returns a subject's module as path@version, "" for our own.
func At(module string) string {
	if module == "" {
		return ""
	}
	return module + "@" + Version(module)
}

var versions = sync.OnceValue(func() map[string]string {
	found := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	for _, m := range info.Deps {
		found[m.Path] = m.Version
		if m.Replace != nil {
			found[m.Path] = replaced(m.Path, m.Replace)
		}
	}
	return found
})

// replaced names what stands for a module.
func replaced(path string, by *debug.Module) string {
	switch {
	case by.Version == "":
		return "=>" + by.Path
	case by.Path == path:
		return by.Version
	default:
		return "=>" + by.Path + "@" + by.Version
	}
}
