# Everything needs only Python 3.11+ and make. PYTHON chooses the interpreter that makes the environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test cover lint bench pictures torture mutants soak clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $@

demo: setup
	@$(BIN)/parlour demo

# What the tests start, some hundred servers and commands, need not compile the packages again each time.
test: export PYTHONDONTWRITEBYTECODE :=
test: setup
	@$(BIN)/python -m pytest -q --numprocesses auto --maxprocesses 4 --dist worksteal

# Statements and branches of all packages, by the tests of every day, in all processes; fails where too little is covered.
cover: export COVERAGE_FILE := $(CURDIR)/.coverage
cover: setup
	@$(BIN)/python -m coverage erase
	@$(BIN)/python -m coverage run -m pytest -q --numprocesses auto --maxprocesses 4 --dist worksteal
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage json --quiet -o - | $(BIN)/python -m tests.support.covered

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: setup
	@$(BIN)/python -m benchmarks

pictures: setup
	@$(BIN)/python -m docs.studio

# Each test is named as it ends; what they print comes in the end.
torture: setup
	@$(BIN)/python -m pytest -v -m torture -rP --durations=15 --numprocesses auto --maxprocesses 4 --dist worksteal

# OF: uno, minesweeper, rooms; default: all of them. SHARE: tenths of all mutants.
mutants: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group mutants
	@$(BIN)/python -m tests.support.mutants $(OF) --share $(or $(SHARE),1)

# SOAK: seconds.
soak: setup
	@$(BIN)/python -m benchmarks.soak --seconds $(or $(SOAK),3600)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
