package engine

import "strings"

// splitModule splits path@version.
func splitModule(s string) (path, version string) {
	path, version, _ = strings.Cut(s, "@")
	return path, version
}
