package calibrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"github.com/sketchproof/sketchproof/adapters"
	"github.com/sketchproof/sketchproof/experiments/engine"
	"github.com/sketchproof/sketchproof/record"
)

// ownModule stands among the modules of a machine for this program: its version
// is the digest of the executable, which tells sources and compiler flags alike.
const ownModule = "github.com/sketchproof/sketchproof"

// Here is the machine that this process would calibrate now.
func Here(maxKeys int) (record.Machine, error) {
	own, err := record.Digest(engine.Program())
	if err != nil {
		return record.Machine{}, fmt.Errorf("calibrate: which program this is: %w", err)
	}
	m := record.Machine{
		Taken: time.Now().UTC().Format(time.DateOnly), CPU: cpuid.CPU.BrandName, Cores: runtime.NumCPU(),
		L1D: max(cpuid.CPU.Cache.L1D, 0), L2: max(cpuid.CPU.Cache.L2, 0), L3: max(cpuid.CPU.Cache.L3, 0),
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), GOMAXPROCS: runtime.GOMAXPROCS(0),
		Modules: map[string]string{ownModule: own}, MaxKeys: maxKeys,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "GO") && strings.HasSuffix(s.Key, strings.ToUpper(runtime.GOARCH)) {
				m.Arch += "/" + s.Value // GOAMD64
			}
		}
	}
	for _, module := range modules() {
		m.Modules[module] = adapters.Version(module)
	}
	return m, nil
}

func modules() (list []string) {
	add := func(module string) {
		if module != "" {
			list = append(list, module)
		}
	}
	for _, s := range adapters.Filters {
		add(s.Module)
	}
	for _, s := range adapters.Cardinalities {
		add(s.Module)
	}
	for _, s := range adapters.Frequencies {
		add(s.Module)
	}
	for _, s := range adapters.Placers {
		add(s.Module)
	}
	return list
}

// Folder is where the calibration of this machine is kept: below the user's cache
// folder, by what the processor is, as several machines may share a home.
func Folder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("calibrate: where to keep it: %w", err)
	}
	c := cpuid.CPU
	what := fmt.Sprintln(c.BrandName, c.Cache.L1D, c.Cache.L2, c.Cache.L3, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	sum := sha256.Sum256([]byte(what))
	return filepath.Join(cache, "sketchproof", "calibration-"+hex.EncodeToString(sum[:6])), nil
}

// ErrElsewhere is wrapped by the error for a calibration that is whole, but was
// not taken by this program on this machine.
var ErrElsewhere = errors.New("not of this program on this machine")

// Load reads the calibration in a folder. The error wraps fs.ErrNotExist where
// there is none; any other says what is broken.
func Load(folder string) (record.Calibrated, error) {
	var c record.Calibrated
	data, err := os.ReadFile(filepath.Join(folder, record.MachineName))
	if err != nil {
		return c, err
	}
	if c.Machine, err = record.ReadMachine(data); err != nil {
		return c, fmt.Errorf("%s: %w", folder, err)
	}
	data, err = os.ReadFile(filepath.Join(folder, record.CalibrationName))
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("%s: %s is lost", folder, record.CalibrationName)
	} else if err != nil {
		return c, err
	}
	if c.Rows, err = record.ReadCalibrations(bytes.NewReader(data)); err != nil {
		return c, fmt.Errorf("%s: %s: %w", folder, record.CalibrationName, err)
	}
	if len(c.Rows) == 0 {
		return c, fmt.Errorf("%s: %s has no rows", folder, record.CalibrationName)
	}
	return c, nil
}

// LoadCurrent is Load for a calibration that holds here and now, up to a number
// of keys: of any other the error wraps ErrElsewhere, or says how far it goes.
func LoadCurrent(folder string, maxKeys int) (record.Calibrated, error) {
	c, err := Load(folder)
	if err != nil {
		return c, err
	}
	here, err := Here(maxKeys)
	if err != nil {
		return c, err
	}
	if !c.Machine.SameAs(here) {
		return c, fmt.Errorf("%s: %w", folder, ErrElsewhere)
	}
	if c.Machine.MaxKeys < maxKeys {
		return c, fmt.Errorf("%s: it goes up to %d keys, not %d", folder, c.Machine.MaxKeys, maxKeys)
	}
	return c, nil
}

// save writes a calibration into a folder. The machine is taken away first and
// written last: a folder in which it stands is whole.
func save(folder string, c record.Calibrated) error {
	machine := filepath.Join(folder, record.MachineName)
	if err := os.Remove(machine); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := record.WriteFile(filepath.Join(folder, record.CalibrationName), func(w io.Writer) error {
		return record.WriteCalibrations(w, c.Rows)
	})
	if err != nil {
		return err
	}
	return record.WriteFile(machine, func(w io.Writer) error { _, err := w.Write(c.Machine.Encode()); return err })
}
