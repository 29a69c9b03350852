# Two commands matter: `make app` and `make test`. Both set up what they need.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8501

.PHONY: app test check setup setup-dev system-packages stress bench demo clean

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

demo: setup
	$(BIN)/python -m annotator demo

setup: $(VENV)/.installed
setup-dev: $(VENV)/.installed-dev

$(VENV)/.installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Verbatim needs Python 3.11 or later; found `$(PYTHON) --version`. Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 2; }
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
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache
