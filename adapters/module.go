package adapters

import (
	"runtime/debug"
	"sync"
)

// Version returns the version of a Go module in the running program, with what
// replaces it if anything does, or "unknown" where the build does not say.
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
			found[m.Path] = m.Version + "=>" + m.Replace.Path + m.Replace.Version
		}
	}
	return found
})
