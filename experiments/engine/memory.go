package engine

import "github.com/sketchproof/sketchproof/internal/conversation"

// LimitMemory ends this process when its heap outgrows a number of bytes, as a
// worker ends: for other processes that call libraries. Cause names that death.
func LimitMemory(bytes int64) {
	limit := make(chan int64, 1)
	limit <- bytes
	go watchMemory(limit)
}

// Cause says of what a worker died, also where its memory was limited.
func Cause(died *conversation.DeathError) string {
	if died.Code == exitMemory {
		return "held more memory than its limit"
	}
	return died.Cause
}
