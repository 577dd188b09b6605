//go:build !amd64 || purego

package splitblock

func withoutAVX2(run func()) { run() }
