//go:build purego || !(amd64 || arm64)

package quotient

// load is word.
func (t *table) load(at uint64) uint64 { return t.word(at) }
