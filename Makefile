# `make run` and `make test` need no other set-up: both install into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN_INSTALLED := $(VENV)/.run-installed
DEV_INSTALLED := $(VENV)/.dev-installed
INSTALL := $(BIN)/python -m scripts.install

.PHONY: run install develop browser test test-all check bench lock clean

run: install
	@$(BIN)/plyforge show checkers
	@echo
	@$(BIN)/plyforge analyse checkers --time 5
	@echo
	@echo "Next: $(BIN)/plyforge analyse othello --multipv 3   another game, three lines"
	@echo "      $(BIN)/plyforge solve connect4:5x4            perfect play"
	@echo "      $(BIN)/plyforge serve                         play and analyse in the browser"
	@echo "      $(BIN)/plyforge play checkers                 a game against the engine"
	@echo "      $(BIN)/plyforge new mygame.py                 your own game"
	@echo "      $(BIN)/plyforge --help                        everything else"

# What running needs.
install: $(RUN_INSTALLED)

# The lock is complete and has hashes; the project itself, a folder, has none and comes after it.
# Python compiles modules when they are first imported, which is faster than all of them now.
$(RUN_INSTALLED): requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Plyforge needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) requirements.txt --project
	@touch $@

# What tests and checks need in addition.
develop: $(DEV_INSTALLED)

$(DEV_INSTALLED): $(RUN_INSTALLED) requirements-dev.txt
	$(INSTALL) requirements-dev.txt
	@touch $@

# The tests of the web pages need Chromium.
browser: develop
	@$(BIN)/python -m scripts.browser

# The tests start many processes; bytecode saves each of them half a second.
test test-all: export PYTHONDONTWRITEBYTECODE :=

test: browser
	$(BIN)/python -m pytest -n 2 --no-loadscope-reorder --durations=15

test-all: browser
	$(BIN)/python -m pytest -n 2 --durations=25 -m ""

check: develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: develop
	$(BIN)/python -m benchmarks

# Versions and hashes, never where packages come from.
lock: develop
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m scripts.lock

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
