package engine

// ExitMemory is the exit code of a process that held more than its limit.
const ExitMemory = exitMemory

// LimitMemory ends this process with ExitMemory when its heap outgrows a number of
// bytes, as a worker ends: for other processes that call libraries.
func LimitMemory(bytes int64) {
	limit := make(chan int64, 1)
	limit <- bytes
	go watchMemory(limit)
}
