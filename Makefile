# Every command a person needs. `make help` lists them; `make train` and `make test` work in a fresh clone.
#   PYTHON=python3.12    the interpreter that .venv is made from
#   TORCH_INDEX=...      where torch comes from: auto, default (pip's own indexes) or the address of an index; see README.md
#   C4_PORTABLE=1        compiles without -march=native
#   C4_BUILD_JOBS=n      files that are compiled at once; without it, one for each processor
#   GAME=gomoku8         whose champion is made
#   ARGS="..."           is passed on: overrides of the configuration for train, play and eval, options of pytest for test
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

ARGS ?=
BIN := .venv/bin
export PYTHON TORCH_INDEX
INSTALLED_FROM := pyproject.toml constraints.txt uv.lock scripts/environment.sh scripts/locked.py

CPP := $(shell find src/c4/native tests/native tests/fuzz -name '*.h' -o -name '*.cc')
CXX_INCLUDES = -std=c++20 -Isrc/c4/native -Itests/native -Itests/fuzz $$($(BIN)/python -m pybind11 --includes)

.PHONY: help
help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

# ---- environment and build

# One environment for all goals of a call: under -j two installations would write into .venv at once.
ENVIRONMENT := .venv/.for-$(if $(filter-out build train play eval champion,$(MAKECMDGOALS)),developing,running)

.venv/.for-running: $(INSTALLED_FROM)
	@scripts/environment.sh openvino,solver,sweeps,ui,web
	@touch $@

.venv/.for-developing: $(INSTALLED_FROM)
	@scripts/environment.sh all,adapters,browser,docs,test,dev
	@touch $@ .venv/.for-running

.PHONY: build
build: $(ENVIRONMENT) ## compile the native module; only what has changed
	@$(BIN)/python setup.py --quiet build_ext --inplace

.PHONY: clean
clean: ## remove what was built; .venv and runs stay
	rm -rf build dist src/*.egg-info src/c4/native/*.so .mypy_cache .ruff_cache .pytest_cache .import_linter_cache

.PHONY: constraints
constraints: .venv/.for-developing ## pin what is installed now in constraints.txt
	@{ sed -n '/^#/p' constraints.txt; $(BIN)/pip freeze --all --exclude-editable --exclude pip | sed 's/+cpu//' | sort -f; } > constraints.new
	@mv constraints.new constraints.txt

.PHONY: lock
lock: ## write uv.lock, for those who use uv, with the versions of constraints.txt
	@uv lock $$(sed -n '/^#/!s/^/-P /p' constraints.txt)

.PHONY: licences
licences: .venv/.for-developing ## write docs/LICENCES.md from what is installed
	@$(BIN)/python scripts/supply.py licences

.PHONY: sbom
sbom: .venv/.for-developing ## write a bill of materials of what is installed, build/sbom.json (CycloneDX)
	@$(BIN)/python scripts/supply.py sbom

# ---- use

.PHONY: train
train: build ## train; ARGS="experiment=... search.cpuct=3"
	@$(BIN)/python train.py $(ARGS)

.PHONY: play
play: build ## play against it; ARGS="checkpoint=runs/..."
	@$(BIN)/python play.py $(ARGS)

.PHONY: eval
eval: build ## measure a player; ARGS="checkpoint=runs/..."
	@$(BIN)/python evaluate.py $(ARGS)

# The recipe is experiment=GAME; what differs from it for the player that ships.
GAME ?= connect4
RUN ?=
CHAMPIONS ?= src/c4/champion
CHAMPION_connect4 := budget=two_hours
CHAMPION_gomoku6 := budget.minutes=20
# How its card's figures are taken where that differs from a report's own way.
CARD := evaluation.baseline.games=20 evaluation.baseline.rollouts_first=3000
CARD_gomoku6 := evaluation.simulations=[0,1,32,128,400,600] evaluation.duel_simulations=400 \
  evaluation.baseline.games=100 evaluation.baseline.rollouts_first=5000
CARD_gomoku8 := evaluation.simulations=[0,1,32,128,400,600] evaluation.duel_simulations=400 \
  evaluation.baseline.games=40 evaluation.baseline.rollouts_first=3000

.PHONY: champion
champion: build ## train the player of GAME that ships from nothing, and write it with its card; RUN=FOLDER: of a run that was made
	@$(if $(RUN),,$(BIN)/python train.py experiment=$(GAME) name=champion_$(GAME) $(CHAMPION_$(GAME)) $(ARGS))
	@$(BIN)/python evaluate.py \
		checkpoint=$(if $(RUN),$(RUN:%/=%)/,$$(ls -dt runs/champion_$(GAME)/*/ | head -n 1))checkpoints/last.safetensors \
		$(or $(CARD_$(GAME)),$(CARD)) output=champion file=$(CHAMPIONS)

LONG := zero_to_strong zero_to_strong_report ladder ladder_report ablation endurance fuzz chaos crowd faults ray_faults
ASKING := compare killed_at_a_write make_large_set
BENCHMARKS ?= $(filter-out $(LONG:%=benchmarks/%.py) $(ASKING:%=benchmarks/%.py), $(shell grep -ls __main__ benchmarks/*.py))
.PHONY: bench
bench: .venv/.for-developing build ## run the short benchmarks, on a quiet machine; BENCHMARKS="FILES" ARGS
	@for benchmark in $(BENCHMARKS); do $(BIN)/python $$benchmark $(ARGS); done

.PHONY: docs
docs: .venv/.for-developing ## make the site of the documents, build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

.PHONY: docs-serve
docs-serve: .venv/.for-developing ## show the site of the documents, and follow your edits
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

.PHONY: pictures
pictures: .venv/.for-developing build ## make the pictures of README and docs anew; ARGS="page terminal curve knobs"
	@$(BIN)/python scripts/pictures.py $(ARGS)

.PHONY: screens
screens: .venv/.for-developing build ## draw the terminal's screens anew that the tests compare
	@PYTHONPATH=. $(BIN)/python -m tests.ui.terminal.scenes

.PHONY: notebook
notebook: .venv/.for-developing build ## run docs/tour.ipynb anew and keep what it shows
	@$(BIN)/python scripts/notebook.py

# ---- check

# What has run the tests of the C++ code under the sanitizers need not run them plainly.
.PHONY: test
test: .venv/.for-developing build $(if $(filter check,$(MAKECMDGOALS)),,native-test) ## run all tests; ARGS are pytest's
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist worksteal $(ARGS)

.PHONY: check
check: checks test ## all that CI runs

.PHONY: checks
checks: ## all of it but the tests, two at a time: what only compiles need not wait for the environment
	@$(MAKE) -j 2 --output-sync=target lint type layers stubs-check asan tsan fuzz

.PHONY: lint
lint: .venv/.for-developing ## ruff, clang-format and clang-tidy
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/clang-format --dry-run --Werror $(CPP)
	@printf '%s\n' $(filter %.cc,$(CPP)) | xargs -P 2 -I{} $(BIN)/clang-tidy --quiet {} -- $(CXX_INCLUDES) 2>/dev/null

.PHONY: fmt
fmt: .venv/.for-developing ## format Python and C++, mend what ruff can
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format
	@$(BIN)/clang-format -i $(CPP)

.PHONY: type
type: .venv/.for-developing build ## mypy --strict
	@$(BIN)/mypy

.PHONY: layers
layers: .venv/.for-developing ## who may import and include whom
	@$(BIN)/lint-imports
	@$(BIN)/python scripts/check_includes.py

.PHONY: stubs
stubs: .venv/.for-developing build ## write _core.pyi from the built module
	@$(BIN)/python scripts/stubs.py

.PHONY: stubs-check
stubs-check: .venv/.for-developing build ## fail when _core.pyi differs from the built module
	@$(BIN)/python scripts/stubs.py --check

# ---- native tests, each kind of build in a folder of its own

NATIVE_TESTS := $(patsubst tests/native/%.cc,%,$(wildcard tests/native/*_test.cc))
CXX_TEST = $(CXX) -std=c++20 -Isrc/c4/native -Itests/native -Itests/fuzz -Wall -Wextra -Werror -ffp-contract=off -pthread \
  -MMD -MP -MT $@ -MF $@.d
FLAGS_native-test := -O1 -g1 -D_GLIBCXX_ASSERTIONS
FLAGS_asan := $(FLAGS_native-test) -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan := $(FLAGS_native-test) -fsanitize=thread

# As many at once as there are processors, or as whoever called has room for.
COMPILING = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j $(or $(C4_BUILD_JOBS),$(shell getconf _NPROCESSORS_ONLN)))

TESTS_native-test := $(NATIVE_TESTS)
TESTS_asan := $(NATIVE_TESTS)
TESTS_tsan := $(patsubst tests/native/%.cc,%,$(shell grep -l thread tests/native/*_test.cc))

native-test: ## run the tests of the C++ code
asan: ## the same with the address and undefined behaviour sanitizers
tsan: ## those that have threads with the thread sanitizer

define kind_of_build
.PHONY: $(1)
$(1):
	@$$(MAKE) $$(COMPILING) $(addprefix build/$(1)/,$(TESTS_$(1)))
	@for test in $(TESTS_$(1)); do build/$(1)/$$$$test; done
build/$(1)/%: tests/native/%.cc
	@mkdir -p $$(@D)
	@echo "$(1): compiling $$*"
	@$$(CXX_TEST) $(FLAGS_$(1)) $$(filter %.cc %.o,$$^) -o $$@
-include $(wildcard build/$(1)/*.d)
endef
$(foreach kind,native-test asan tsan,$(eval $(call kind_of_build,$(kind))))

# ---- fuzzing: sequences from seeds, and inputs that coverage has found

FUZZ_TARGETS_OF_CPP := game position search generator state
FUZZ_SEQUENCES ?= 16000
FUZZ_SEED ?= 1
FUZZ_REPLAYS := $(FUZZ_TARGETS_OF_CPP:%=build/asan/replay_%)
.PHONY: fuzz
fuzz: ## a million random calls in sequences, and all that fuzz-coverage has kept, under the sanitizers; FUZZ_SEQUENCES=n FUZZ_SEED=n
	@$(MAKE) $(COMPILING) build/asan/fuzz_main $(FUZZ_REPLAYS)
	@build/asan/fuzz_main $(FUZZ_SEQUENCES) $(FUZZ_SEED)
	@for target in $(FUZZ_TARGETS_OF_CPP); do \
		$(or $(wildcard $(BIN)/python),python3) tests/fuzz/kept.py unpack $$target build/asan/kept/$$target; \
		build/asan/replay_$$target build/asan/kept/$$target; \
	done

FUZZ_CXX ?= clang++
FUZZ_RUNS ?= 1000000
FUZZ_TARGETS ?=
FUZZ_JOBS ?= 1
FLAGS_coverage := -O2 -g -D_GLIBCXX_ASSERTIONS -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
.PHONY: fuzz-coverage
fuzz-coverage: .venv/.for-developing build ## look for inputs that break something, by coverage, with clang; FUZZ_RUNS=n in all, FUZZ_TARGETS="search state", FUZZ_JOBS=n at once
	@printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' | \
		$(FUZZ_CXX) -fsanitize=fuzzer -x c++ - -o /dev/null 2>/dev/null || \
		{ echo "c4: $(FUZZ_CXX) with libFuzzer is missing: install it (Debian: apt install clang libclang-rt-dev) or name yours with FUZZ_CXX=." >&2; exit 1; }
	@$(MAKE) -j $(FUZZ_JOBS) CXX=$(FUZZ_CXX) $(FUZZ_TARGETS_OF_CPP:%=build/coverage/%) build/coverage/atheris
	@$(BIN)/python benchmarks/fuzz.py runs=$(FUZZ_RUNS) targets="$(FUZZ_TARGETS)" jobs=$(FUZZ_JOBS) $(ARGS)

build/coverage/atheris: tests/fuzz/requirements.txt
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes --upgrade --target $@ -r $< || \
		{ echo "c4: atheris could not be installed for this Python; FUZZ_TARGETS=\"$(FUZZ_TARGETS_OF_CPP)\" does without." >&2; mkdir -p $@; }
	@touch $@

# What compares hashes leads nowhere when a byte is a choice.
CALLS := game search generator
$(CALLS:%=build/coverage/%) $(CALLS:%=build/coverage/fuzz_%.o): private NOT_TRACED := -fno-sanitize-coverage=trace-cmp

# To compile these is the work: the inputs that are kept are run in a moment.
build/asan/registry/%.o: private OPTIMIZED := -O0

REGISTRY := $(notdir $(wildcard src/c4/native/registry/*.cc))
define kind_of_fuzzing
build/$(1)/registry/%.o: src/c4/native/registry/%.cc
	@mkdir -p $$(@D)
	@echo "$(1): compiling registry/$$*"
	@$$(CXX_TEST) $$(FLAGS_$(1)) $$(OPTIMIZED) -c $$< -o $$@
build/$(1)/fuzz_%.o: tests/native/fuzz_%.cc
	@mkdir -p $$(@D)
	@echo "$(1): compiling fuzz_$$*"
	@$$(CXX_TEST) $$(FLAGS_$(1)) $$(NOT_TRACED) -c $$< -o $$@
$(CALLS:%=build/$(1)/$(2)%): build/$(1)/$(2)%: build/$(1)/fuzz_%.o
build/$(1)/$(2)%: tests/fuzz/%.cc $(3) $(REGISTRY:%.cc=build/$(1)/registry/%.o)
	@mkdir -p $$(@D)
	@echo "$(1): compiling fuzz/$$*"
	@$$(CXX_TEST) $$(FLAGS_$(1)) $$(NOT_TRACED) $$(filter %.cc %.o,$$^) -o $$@
.PRECIOUS: build/$(1)/registry/%.o build/$(1)/fuzz_%.o
-include $(wildcard build/$(1)/registry/*.d build/$(1)/*.d)
endef
$(eval $(call kind_of_fuzzing,asan,replay_,build/asan/replay_main.o))
$(eval $(call kind_of_fuzzing,coverage,,))
build/asan/fuzz_main: $(CALLS:%=build/asan/fuzz_%.o)
build/asan/replay_main.o: tests/fuzz/replay_main.cc
	@mkdir -p $(@D)
	@$(CXX_TEST) $(FLAGS_asan) -c $< -o $@
