# Two commands matter: `make app` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8501

.PHONY: app test check setup setup-dev system-packages stress demo audit lowest clean

app: setup
	@test -f project/verbatim.db || $(BIN)/python -m annotator demo
	$(BIN)/python -m annotator serve --port $(PORT)

test: setup-dev system-packages check
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not stress"

check: setup-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

stress: setup-dev
	$(BIN)/python -m pytest -m stress

# Known weaknesses of the locked packages. Needs the network; says so in words where there is no answer.
audit: setup-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.9,<3'
	$(BIN)/python scripts/audit.py requirements.lock

# The lowest versions that the requirements allow, in an environment of their own, and the tests that need no browser or engine.
LOWEST := .venv-lowest
LOWEST_TESTS ?= tests/text tests/metrics tests/stats tests/store tests/ingest tests/exports tests/images tests/pages
lowest: setup-dev
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	PATH="$(LOWEST)/bin:$$PATH" $(LOWEST)/bin/python scripts/lowest.py requirements.txt requirements-login.txt > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check -c $(LOWEST)/constraints.txt -r requirements-dev.txt
	$(LOWEST)/bin/python -m pytest -q -m "not browser and not engines and not shared and not stress" $(LOWEST_TESTS)

demo: setup
	$(BIN)/python -m annotator demo

setup: $(VENV)/.installed
setup-dev: $(VENV)/.installed-dev

$(VENV)/.installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Verbatim needs Python 3.11 or later; found `$(PYTHON) --version`. Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
	@echo "Installing into $(VENV): some minutes the first time, silent meanwhile."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

system-packages:
	@scripts/system-packages.sh

clean:
	rm -rf $(VENV) $(LOWEST) .pytest_cache .mypy_cache .ruff_cache
