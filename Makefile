# Works with GNU make 3.81 (macOS) and later. Needs Go and git; race needs a C compiler.

# The product and its tests need no C compiler; the race detector alone does.
export CGO_ENABLED = 0

SCALE ?= ci
GOTEST ?= go test
BENCH ?= .
BENCHCOUNT ?= 6
FUZZTIME ?= 30s
TOOL = go tool -modfile=tools/go.mod

.DEFAULT_GOAL := help
.PHONY: help experiments smoke check test portable race lint bench fuzz mutants compare-known report clean bin/experiment

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

experiments: bin/experiment ## run all experiments (SCALE=smoke, ci or full; default ci), then write the report
	bin/experiment run --scale $(SCALE) && bin/experiment report

smoke: bin/experiment ## run the smallest scale into bin/smoke, in under a minute
	bin/experiment run --scale smoke --fresh --out bin/smoke

check: bin/experiment ## run the smallest scale again and compare with the committed verdicts and figures
	bin/experiment check --scale smoke

test: ## vet and test every package
	go vet ./... && $(GOTEST) ./...

# Libraries on trial are not vetted for other machines: to build them there takes minutes.
portable: ## test the structures without assembly, and vet them for arm64 and 386
	$(GOTEST) -short -tags purego ./impl/... ./adapters && GOARCH=arm64 go vet ./impl/... && GOARCH=386 go vet ./impl/...

# The rest runs trials in processes of their own: no two of them share memory.
race: ## test what runs side by side under the race detector (needs a C compiler)
	CGO_ENABLED=1 $(GOTEST) -race -short ./impl/... ./adapters ./sketchtest ./experiments/engine ./internal/conversation
	CGO_ENABLED=1 $(GOTEST) -race -short -run HotSwap ./experiments

lint: ## formatting, vet, staticcheck
	@files=$$($(TOOL) gofumpt -l .) && if [ -n "$$files" ]; then echo "not formatted, run $(TOOL) gofumpt -w on:"; echo "$$files"; exit 1; fi
	go vet ./... && $(TOOL) staticcheck ./...

bench: ## run the Go benchmarks (BENCH=regexp, BENCHCOUNT=6) into bin/bench.txt and summarise them
	@mkdir -p bin && go test -run '^$$' -bench '$(BENCH)' -benchmem -count $(BENCHCOUNT) ./... > bin/bench.txt || { cat bin/bench.txt; exit 1; }
	@$(TOOL) benchstat bin/bench.txt

# go test -list prints the names of a package's targets before the package's own line.
fuzz: ## run every fuzz target for FUZZTIME (default 30s)
	@list=$$(go test -list '^Fuzz' ./...) && echo "$$list" | awk '/^Fuzz/ { names[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print names[i], $$2; n = 0 }' | while read -r name pkg; do echo "$$pkg $$name"; go test -run '^$$' -fuzz "^$$name\$$" -fuzztime $(FUZZTIME) "$$pkg" < /dev/null || exit 1; done

mutants: ## break structures on purpose and demand that check sees each of them
	SKETCHPROOF_MUTANTS=1 go test -count=1 -v -timeout 30m ./internal/mutants

compare-known: ## compare versions of libraries of which it is known what changed (downloads and builds them)
	SKETCHPROOF_COMPARE=1 go test -count=1 -v -timeout 60m -run TestKnownVersions ./cmd/experiment

report: bin/experiment ## write REPORT.md and its figures from the rows in results
	bin/experiment report

clean: ## remove bin and what killed runs left behind; results stay
	rm -rf bin && find results -type f \( -name "journal-*" -o -name "*.tmp*" \) | xargs rm -f && go clean ./...

# An interrupted run resumes only with the very executable that began it. The state of
# the git tree is kept out of the executable, because a run changes that state.
bin/experiment:
	@go build -trimpath -buildvcs=false -o bin/experiment ./cmd/experiment
