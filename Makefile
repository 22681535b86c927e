# Everything needs only Python 3.11+ and make. PYTHON chooses the interpreter that makes the environment.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test lint bench torture clean

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip>=25.1'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $@

demo: setup
	@$(BIN)/parlour demo

test: setup
	@$(BIN)/python -m pytest -q --numprocesses auto --maxprocesses 4

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: setup
	@$(BIN)/python -m benchmarks

torture: setup
	@$(BIN)/python -m pytest -q -m torture -s

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
