# `make run` and `make test` are all the set-up there is: both install into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: run install browser test test-all check bench lock clean

run: install
	@$(BIN)/plyforge show checkers
	@echo
	@$(BIN)/plyforge analyse checkers --time 5
	@echo
	@echo "Next: $(BIN)/plyforge analyse othello --multipv 3   another game, three lines"
	@echo "      $(BIN)/plyforge solve connect4:5x4            perfect play"
	@echo "      $(BIN)/plyforge serve                         all of it in the browser"
	@echo "      $(BIN)/plyforge play checkers                 a game against the engine"
	@echo "      $(BIN)/plyforge new mygame.py                 a game of your own"
	@echo "      $(BIN)/plyforge --help                        everything else"

install: $(INSTALLED)

# The lock is installed with hashes; the project itself, a folder, has none and comes after it.
$(INSTALLED): constraints.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Plyforge needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# The tests of pages need a Chromium.
browser: install
	@$(BIN)/python -m scripts.browser

test: browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup --durations=15

test-all: browser
	$(BIN)/python -m pytest -n 2 --dist loadgroup --durations=25 -m ""

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: install
	$(BIN)/python -m benchmarks

# Writes versions and hashes, never where they came from.
lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --generate-hashes --no-emit-index-url --no-annotate --no-header --python-version 3.11 --output-file constraints.txt

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
