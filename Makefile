# Two commands matter: `make run` and `make test`. `make` alone lists them all.

PYTHON ?=
ARGS ?=
WORKERS ?= 2
THREADS ?= 8
BIND ?= 127.0.0.1:8000
DATA ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
TRANSLATIONS := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))

.DEFAULT_GOAL := help
# Two installations at once would disturb each other.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help run command install serve test lint golden golden-check defects bench bench-pages bench-filter bench-load screenshots \
	requirements messages patterns sbom

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.local $(TRANSLATIONS) ## Run it here with demo data (PORT, ENGINE=dynoxide|moto, ENGINE_PORT, FRESH=1)
	@exec $(BIN)/python -m dashboard.dev

command: $(VENV)/.local ## Run a management command beside `make run`, with the ENGINE_ENDPOINT that it prints (ARGS="simulate")
	@ENGINE_ENDPOINT="$(ENGINE_ENDPOINT)" $(BIN)/python -m dashboard.dev.command $(ARGS)

install: $(VENV)/.app $(TRANSLATIONS) ## Install what production needs, and nothing else

serve: $(VENV)/.app $(TRANSLATIONS) ## Run it for production, on what the AWS variables point at (BIND, WORKERS, THREADS)
	@$(BIN)/python manage.py check --deploy --fail-level WARNING
	@$(BIN)/python manage.py collectstatic --noinput -v0
	@exec $(BIN)/python -m gunicorn dashboard.wsgi:application --config python:dashboard.server.config \
		--bind $(BIND) --workers $(WORKERS) --threads $(THREADS)

test: $(VENV)/.dev $(TRANSLATIONS) ## Run the tests (ARGS="-k people" chooses some, ARGS=--changed what a change can affect)
	@$(BIN)/python -m pytest $(ARGS)

lint: $(VENV)/.dev $(TRANSLATIONS) ## Check style, types, translations and settings
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m mypy
	@$(BIN)/lint-imports --no-logo --no-cache
	@$(BIN)/python -m dashboard.web.lint
	@$(BIN)/djangofmt --check templates
	@$(BIN)/python -m dashboard.dev.biome
	@$(BIN)/python -m dashboard.web.translations check
	@TRASTIENDA_MODE=test $(BIN)/python manage.py check

golden: $(VENV)/.dev $(TRANSLATIONS) ## Record what the product stores, serves and shows, before a refactoring
	@$(BIN)/python -m tests.golden write

golden-check: $(VENV)/.dev $(TRANSLATIONS) ## Show what is different from what `make golden` recorded
	@$(BIN)/python -m tests.golden check

defects: $(VENV)/.dev $(TRANSLATIONS) ## Put each deliberate defect into a copy: a test must find it
	@$(BIN)/python -m tests.defects $(ARGS)

bench: $(if $(DATA),bench-filter,bench-pages) ## Measure the pages (ARGS=import: the import of 150,000 items), with DATA=<folder> the filter

bench-pages: $(VENV)/.dev $(TRANSLATIONS)
	@$(BIN)/python -m tests.bench$(addprefix _,$(ARGS))
	@echo "The profanity filter's figures need public data: make bench DATA=<folder> (docs/filter-benchmark.md says which)."

bench-filter: $(VENV)/.dev
	@$(MAKE) --no-print-directory $(VENV)/.bench || echo "Other filters are missing; what is there is measured."
	@DATA="$(DATA)" $(BIN)/python -m tests.bench_profanity

bench-load: $(VENV)/.dev $(TRANSLATIONS) ## Load the server while its engine fails (CLIENTS, SECONDS, THINK)
	@$(BIN)/python -m tests.bench_load

screenshots: $(VENV)/.dev $(TRANSLATIONS) ## Take pictures of every page
	@$(BIN)/python -m tests.screenshots $(ARGS)

requirements: ## Pin the newest versions of what requirements/*.in name (needs uv)
	@cd requirements && for name in app local dev bench; do \
		echo "Pinning $$name."; \
		uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-header \
			--no-annotate --no-emit-index-url --no-emit-find-links $$name.in -o $$name.txt || exit 1; \
	done

sbom: $(VENV)/.dev ## Write the bill of materials (.data/sbom.json, CycloneDX) and docs/licences.md
	@$(BIN)/python -m dashboard.dev.sbom

patterns: $(VENV)/.dev ## Write docs/access-patterns/ from the queries
	@TRASTIENDA_MODE=test $(BIN)/python manage.py access_patterns

messages: $(VENV)/.dev ## Collect the texts to translate and compile the translations
	@$(BIN)/python -m dashboard.web.translations extract
	@$(BIN)/python -m dashboard.web.translations compile

# The environment. bench.txt holds all of dev.txt, that all of local.txt, and that all of app.txt: the same versions.
$(VENV)/.app: requirements/app.txt | $(BIN)/python
	@echo "Installing what the app needs."
	@$(PIP) install --require-hashes -r $<
	@touch $@

$(VENV)/.local: requirements/local.txt | $(BIN)/python
	@echo "Installing what the app needs to run here."
	@$(PIP) install --require-hashes -r $<
	@touch $(VENV)/.app $@

$(VENV)/.dev: requirements/dev.txt | $(BIN)/python
	@echo "Installing what the tests need."
	@$(PIP) install --require-hashes -r $<
	@touch $(VENV)/.app $(VENV)/.local $@

$(VENV)/.bench: requirements/bench.txt | $(BIN)/python
	@echo "Installing the filters to compare ours with."
	@$(PIP) install --require-hashes -r $<
	@touch $(VENV)/.app $(VENV)/.local $(VENV)/.dev $@

$(BIN)/python:
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		"$$python" -c 'import ensurepip, venv' 2>/dev/null || { bare="$$python"; continue; }; \
		echo "Making $(VENV) with $$("$$python" --version)."; \
		"$$python" -m venv $(VENV) && exit 0; \
		rm -rf $(VENV); exit 1; \
	done; \
	if [ -n "$$bare" ]; then \
		echo "$$bare cannot make virtual environments here. On Debian and Ubuntu: apt install python3-venv"; \
	else \
		echo "Python 3.11 or newer is needed and was not found. Name one: make run PYTHON=/path/to/python"; \
	fi >&2; exit 1

%.mo: %.po | $(VENV)/.app
	@$(BIN)/python -m dashboard.web.translations compile
	@touch $@
