package engine

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/metrics"
	"time"
)

// A request asks a worker for trials From to To-1 of a cell. Limit is the heap
// in bytes beyond which the worker gives up.
type request struct {
	Cell     string
	Root     uint64
	From, To int
	Limit    int64
}

// exitMemory is the exit code of a worker that held more than its limit.
const exitMemory = 86

// Serve is a worker process: it reads requests and writes one Trial for each
// trial asked for, in order, until in ends. Every cell that the experiments can
// plan is known to it.
func Serve(all []Experiment, in io.Reader, out io.Writer) error {
	cells := map[string]Cell{}
	for _, c := range Cells(all, Full) {
		cells[c.Name()] = c
	}
	limit := make(chan int64, 1)
	go watchMemory(limit)
	requests, w := gob.NewDecoder(in), bufio.NewWriter(out)
	replies := gob.NewEncoder(w)
	for {
		var r request
		if err := requests.Decode(&r); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		cell, ok := cells[r.Cell]
		if !ok {
			return fmt.Errorf("worker: no cell is named %q", r.Cell)
		}
		limit <- r.Limit
		for i := r.From; i < r.To; i++ {
			if err := replies.Encode(cell.run(Seed(r.Root, r.Cell, i))); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// watchMemory ends the process when the heap outgrows the limit last received:
// a subject that eats the memory then costs its own trial, not the machine.
func watchMemory(limits <-chan int64) {
	limit := <-limits
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		select {
		case limit = <-limits:
		case <-tick.C:
			metrics.Read(sample)
			if sample[0].Value.Uint64() > uint64(limit) {
				os.Exit(exitMemory)
			}
		}
	}
}
