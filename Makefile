# Every target does all its own set-up; `make train` installs no more than training needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FOLDER ?= runs/first
# Whose empty environment gets the wheel; and options such as --game roma.
SMOKE_PYTHON ?= $(PYTHON)
SMOKE_OPTIONS ?=
# The beginnings of the names of those that are executed, such as "01 07"; all of them where there is none.
NOTEBOOKS ?=
# Of JupyterLab, such as --no-browser on another machine.
JUPYTER_OPTIONS ?=
# With an older Python, pip would end in an error that names a dependency.
CREATE_VENV = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or later is needed, and $(PYTHON) is \
%s: name another, such as make PYTHON=python3.12 $(MAKECMDGOALS)" % sys.version.split()[0])' && $(PYTHON) -m venv $(VENV)
# Without --no-compile a fifth of what is installed would be bytecode of modules that nobody imports.
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-compile -c constraints.txt --editable

# Tests start hundreds of processes; without bytecode each of them compiles again what it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup setup-release train test test-fast test-release notebooks notebooks-open docs lint types mypy basedpyright dist smoke clean

help:
	@echo "make train           set up, train an agent for a few minutes, and print how well it plays (FOLDER=$(FOLDER))"
	@echo "make test            set up, and run the linter, the type checkers, the tests of every day and the gate on speed"
	@echo "make test-fast       set up, and run the tests that take a minute in all"
	@echo "make test-release    set up, and run all tests, those of notebooks, examples, documentation and packages included"
	@echo "make notebooks-open  set up, and open the notebooks in JupyterLab"
	@echo "make notebooks       set up, and execute the notebooks anew; make test says which are stale (NOTEBOOKS=\"01 07\")"
	@echo "make docs            set up, and build the documentation site: docs/_build/html/index.html"
	@echo "make dist            set up, and build what is published into dist/, with compiled code for this platform and Python"
	@echo "make smoke           build, and run every command of both wheels in empty environments (SMOKE_PYTHON=$(SMOKE_PYTHON))"
	@echo "make setup           set up alone, for the tests of every day: $(VENV) with pinned versions"
	@echo "make setup-release   the same for all tests"

setup: $(VENV)/.ready
setup-release: $(VENV)/.ready-release

$(VENV)/.ready: pyproject.toml constraints.txt
	@$(CREATE_VENV)
	$(INSTALL) ".[test]"
	@touch $@ $(VENV)/.ready-train

$(VENV)/.ready-release: pyproject.toml constraints.txt
	@$(CREATE_VENV)
	$(INSTALL) ".[dev]"
	@touch $@ $(VENV)/.ready $(VENV)/.ready-train $(VENV)/.ready-docs

$(VENV)/.ready-train: pyproject.toml constraints.txt
	@$(CREATE_VENV)
	$(INSTALL) ".[train]"
	@touch $@

$(VENV)/.ready-notebooks: pyproject.toml constraints.txt
	@$(CREATE_VENV)
	$(INSTALL) ".[notebooks]"
	@touch $@ $(VENV)/.ready-train

$(VENV)/.ready-docs: pyproject.toml constraints.txt
	@$(CREATE_VENV)
	$(INSTALL) ".[docs]"
	@touch $@

# A run that was stopped goes on; one that has ended is only measured again.
train: $(VENV)/.ready-train
	$(BIN)/romans train --folder $(FOLDER) $(if $(wildcard $(FOLDER)/config.json),--resume)
	$(BIN)/romans evaluate $(FOLDER)/policy.npz --against random,greedy --table 2+0 --table 2+1 --table 1+1
	$(BIN)/romans evaluate greedy --against random --table 2+0 --table 2+1 --table 1+1

PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal

test: lint types
	$(PYTEST) --ignore=tests/release
	$(BIN)/python -m benchmarks.gate

# tests/conftest.py names the folders of slow tests.
test-fast: setup
	$(PYTEST) -m "not slow"

# What is released, and who touches packaging, the cache of compiled code, the documentation, the examples or the pages of
# the server needs it.
test-release: setup-release lint types
	$(PYTEST)
	$(BIN)/python -m benchmarks.gate

# Tables and texts that a change was meant to change; the tests compare them.
notebooks: setup-release
	$(BIN)/python notebooks/execute.py $(NOTEBOOKS)

notebooks-open: $(VENV)/.ready-notebooks
	$(BIN)/jupyter lab notebooks $(JUPYTER_OPTIONS)

# Any warning is an error. tests/release/docs builds the same in a folder of its own. ROMANS_ENV_REPOSITORY gives pages
# their links to the repository, ROMANS_ENV_SITE, the address of the site, shared links their picture.
docs: $(VENV)/.ready-docs
	$(BIN)/python docs/site/wasm.py
	$(BIN)/python -m sphinx -c docs/site -b html -W --keep-going -q -d docs/_build/doctrees . docs/_build/html
	@echo "docs/_build/html/index.html"

# ROMANS_ENV_REPOSITORY, the address of the repository, gives the metadata their links.
dist: setup-release
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	ROMANS_ENV_COMPILE=1 $(BIN)/python -m hatchling build -t wheel -d dist
	$(BIN)/python -m twine check --strict dist/*

smoke: dist
	$(BIN)/python -m tests.release.smoke dist/*-none-any.whl --python $(SMOKE_PYTHON) $(SMOKE_OPTIONS)
	$(BIN)/python -m tests.release.smoke dist/*-cp*.whl --constraints constraints.txt $(SMOKE_OPTIONS)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	[ ! -x $(BIN)/lint-imports ] || $(BIN)/lint-imports

types: setup
	$(MAKE) -j 2 mypy basedpyright

mypy:
	$(BIN)/mypy

basedpyright:
	$(BIN)/basedpyright --level error

clean:
	rm -rf $(VENV) dist docs/_build .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
