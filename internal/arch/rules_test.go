package arch

// modulePath is the module that the tables speak of; packages are named relative
// to it, and "." is its root package.
const modulePath = "github.com/sketchproof/sketchproof"

// A layer says which of our packages a package may import. A name ending in
// "/..." stands for a package and all below it, "..." for everything.
type layer struct {
	pkg   string
	may   []string
	tests []string // what its _test.go files may import besides
	doc   string   // the file with the package comment, "" for doc.go
}

// layers is the plan of the house, from the ground up. The first row that
// matches a package holds; a package that matches none is refused.
var layers = []layer{
	{pkg: "stats"},
	{pkg: ".", may: []string{"stats"}},
	{pkg: "impl/...", may: []string{".", "stats", "impl/..."}, tests: []string{"sketchtest", "experiments/data"}},
	{pkg: "adapters", may: []string{".", "stats", "impl/..."}, tests: []string{"sketchtest"}},
	{pkg: "record", may: []string{"stats"}},
	{pkg: "sketchtest", may: []string{".", "stats", "record"}},
	// A folder of data with one Go file, which embeds it.
	{pkg: "results", doc: "results.go"},
	// What it is to talk to a process is the same whatever is said.
	{pkg: "internal/conversation"},
	// The engine knows no structure; from impl it takes the hash that makes seeds.
	{pkg: "experiments/engine", may: []string{"record", "stats", "impl/hashing", "internal/conversation"}},
	{pkg: "experiments/data"},
	// Streams of hashes know no structure but in their tests.
	{pkg: "experiments/events", may: []string{"impl/hashing"}, tests: []string{"impl/..."}},
	{pkg: "experiments/speed", may: []string{".", "record", "impl/hashing", "adapters", "experiments/engine"}},
	{
		pkg: "experiments/calibrate",
		may: []string{".", "record", "impl/hashing", "adapters", "experiments/engine", "experiments/speed", "internal/conversation"},
	},
	{
		pkg: "experiments",
		may: []string{".", "stats", "record", "impl/...", "adapters", "sketchtest", "experiments/engine", "experiments/data", "experiments/events"},
	},
	// What reads results reads rows alone, so that it works on anybody's rows.
	{pkg: "plots", may: []string{"record", "stats"}},
	{pkg: "check", may: []string{"record", "stats"}},
	{pkg: "choose", may: []string{"record", "stats"}},
	{pkg: "report", may: []string{".", "record", "stats", "experiments", "experiments/engine"}},
	{pkg: "cmd/experiment", may: []string{"..."}},
	// Two programs of two versions meet by rows, bytes and answers alone.
	{pkg: "internal/versions"},
	{pkg: "internal/specimens", may: []string{".", "adapters", "impl/hashing"}},
	{pkg: "internal/arch"},
	{pkg: "internal/mutants"},
}

// A reservation gives an import path, and all paths below it, to a few packages.
type reservation struct {
	path  string
	only  []string
	tests bool // every _test.go file may import it too
}

// reservations lists standard packages that are kept to one place, and every
// third-party module that is not a structure on trial. The first row that matches
// holds. A third-party path without a row belongs to adapters alone: the libraries
// on trial need none.
var reservations = []reservation{
	{path: "C"}, // the product builds without a C compiler
	{path: "reflect", tests: true},
	{path: "flag", only: []string{"cmd/..."}},
	{path: "github.com/spf13/cobra", only: []string{"cmd/..."}},
	{path: "github.com/spf13/pflag", only: []string{"cmd/..."}},
	{path: "github.com/schollz/progressbar/v3", only: []string{"cmd/..."}},
	{path: "golang.org/x/term", only: []string{"cmd/..."}},
	{path: "github.com/BurntSushi/toml", only: []string{"cmd/..."}},
	{path: "github.com/jedib0t/go-pretty/v6", only: []string{"cmd/...", "report"}},

	{path: "gonum.org/v1/plot", only: []string{"plots"}},
	{path: "golang.org/x/image", only: []string{"plots"}},
	{path: "codeberg.org/go-fonts/liberation", only: []string{"plots"}},

	{path: "gonum.org/v1/gonum", only: []string{"stats", "impl/..."}, tests: true},
	{path: "golang.org/x/mod", only: []string{"internal/versions"}},
	{path: "golang.org/x/perf", only: []string{"stats", "experiments/...", "report", "cmd/..."}},
	{path: "github.com/klauspost/cpuid/v2", only: []string{"record", "experiments/...", "cmd/..."}},
	{path: "golang.org/x/sys/cpu", only: []string{"impl/..."}},
	{path: "golang.org/x/sys", only: []string{"experiments/...", "cmd/..."}},

	// Hash functions: parts of native structures, and subjects of their own.
	{path: "github.com/cespare/xxhash/v2", only: []string{"impl/...", "adapters"}},
	{path: "github.com/zeebo/xxh3", only: []string{"impl/hashing", "adapters"}},
	{path: "github.com/dchest/siphash", only: []string{"impl/hashing", "adapters"}},

	{path: "github.com/google/go-cmp", tests: true},
	{path: "pgregory.net/rapid", tests: true},
	{path: "github.com/rogpeppe/go-internal", tests: true},
}

// structures is the one package that may import libraries on trial.
const structures = "adapters"

// A selector is a name of a standard package that only a few packages may use.
// Tests may use it: the test binary is a command of its own.
type selector struct {
	path, name string
	only       []string
}

var selectors = []selector{
	{path: "os", name: "Args", only: []string{"cmd/..."}},
}

// emptyNames say nothing about what is inside. They are refused as words of a
// folder's, a package's or a file's name.
var emptyNames = []string{"util", "utils", "helper", "helpers", "common", "misc"}

// unfinished are marks of work put off; they are refused in comments.
var unfinished = []string{"TODO", "FIXME"}
