package engine

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
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

// exitOrphan is the exit code of a worker whose trials nobody waits for.
const exitOrphan = 87

// An answer is what a worker writes: a trial, or why it cannot carry out the
// request, which is a fault of the harness.
type answer struct {
	Trial
	Refusal string
}

// Serve is a worker process: it reads requests and writes one answer for each
// trial asked for, in order, until in ends. If in ends in the middle of a trial,
// nobody waits for the answer, and Serve ends the process: a trial may hang.
// Every cell that the experiments can plan is known to it.
func Serve(all []Experiment, in io.Reader, out io.Writer) error {
	cells := known{all: all, cells: map[string]Cell{}}
	limit := make(chan int64, 1)
	go watchMemory(limit)
	var busy atomic.Bool
	w := bufio.NewWriter(out)
	replies := gob.NewEncoder(w)
	for ask := range receive(in, &busy) {
		if errors.Is(ask.err, io.EOF) {
			return nil
		} else if ask.err != nil {
			return fmt.Errorf("worker: %w", ask.err)
		}
		r := ask.request
		cell, ok := cells.find(r.Cell)
		if !ok {
			refusal := fmt.Sprintf("the worker knows no cell named %q", r.Cell)
			return errors.Join(replies.Encode(answer{Refusal: refusal}), w.Flush())
		}
		limit <- r.Limit
		for i := r.From; i < r.To; i++ {
			if err := replies.Encode(answer{Trial: cell.run(Seed(r.Root, r.Cell, i))}); err != nil {
				return err
			}
			busy.Store(i+1 < r.To) // before the last answer is out, after which in may end
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// known are the cells that a worker has been asked for so far, and all others of
// their experiments.
type known struct {
	all   []Experiment
	cells map[string]Cell
}

func (k known) find(name string) (Cell, bool) {
	if c, ok := k.cells[name]; ok {
		return c, true
	}
	some := slices.DeleteFunc(slices.Clone(k.all), func(e Experiment) bool { return !strings.HasPrefix(name, e.Name+"/") })
	for _, c := range Cells(some, Full) {
		k.cells[c.Name()] = c
	}
	c, ok := k.cells[name]
	return c, ok
}

// An asked is what was read: a request, or why there is none.
type asked struct {
	request request
	err     error
}

// receive reads requests beside the trials, so that the end of in is noticed
// during one. The last thing it sends is an error.
func receive(in io.Reader, busy *atomic.Bool) <-chan asked {
	requests := make(chan asked)
	go func() {
		defer close(requests)
		for d := gob.NewDecoder(in); ; {
			var a asked
			if a.err = d.Decode(&a.request); a.err != nil && busy.Load() {
				os.Exit(exitOrphan)
			}
			busy.Store(a.err == nil)
			requests <- a
			if a.err != nil {
				return
			}
		}
	}()
	return requests
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
			if metrics.Read(sample); sample[0].Value.Uint64() <= uint64(limit) {
				continue
			}
			runtime.GC() // garbage counts, an earlier trial's too
			if metrics.Read(sample); sample[0].Value.Uint64() > uint64(limit) {
				os.Exit(exitMemory)
			}
		}
	}
}
