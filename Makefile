# Statistical Machine Learning, Executed.  `make help` lists the targets; each sets up what it needs.

PYTHON ?= python3
PORT   ?= 8000
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SITE   := _build/html
HERE   := $(abspath .)
# Where Python may not keep what it has compiled, every process of the tests compiles the package again.
unexport PYTHONDONTWRITEBYTECODE

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup lock book serve bundle shots lab sync handouts bench test check test-machines mutants variants lint test-package test-coursework test-book test-browser clean

help:  ## list the targets
	@echo "Statistical Machine Learning, Executed"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# -- the environment ---------------------------------------------------------

setup: $(READY)  ## make .venv from requirements.lock (every other target does this by itself)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) bookkit/environment/setup.py $(VENV)
	@touch $@

lock: $(READY)  ## renew requirements.lock and environment.yml from pyproject.toml
	@$(BIN)/python -m bookkit.environment.lock

# -- read ----------------------------------------------------------------------

book: $(READY)  ## build the website
	@$(BIN)/python -m bookkit.site.build
	@echo "The book is built. Open file://$(HERE)/$(SITE)/index.html or run: make serve"

serve: book  ## build the website and serve it on http://localhost:8000 (PORT=... for another)
	@$(BIN)/python -m bookkit.site.serve $(SITE) $(PORT)

bundle: book  ## pack site, notebooks, package and lock into one zip file below _build, to read and run offline
	@$(BIN)/python -m bookkit.site.bundle

shots: book  ## photograph the pages, wide, on a phone and dark, into _build/shots
	@$(BIN)/python -m bookkit.site.shots

# -- run -----------------------------------------------------------------------

lab: $(READY)  ## open the chapters as notebooks in JupyterLab
	@$(BIN)/jupyter lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/book

sync: $(READY)  ## execute the chapters whose .md changed and write their .ipynb (ALL=1: every one; ONLY=05-kernels: that chapter)
	@$(BIN)/python -m bookkit.pages.sync $(if $(ALL)$(ONLY),--all) $(ONLY)

handouts: $(READY)  ## write the handouts of all problem sets into book/coursework
	@for set in coursework/[0-9]*/; do \
		$(BIN)/coursekit release "$$(basename $$set)" --book book || exit 1; \
	done

bench: $(READY)  ## compare the solvers with other libraries' and write book/D-benchmarks.md (QUICK=1, ONLY=svm; ONLY=pages: the site in a browser, beside version 0.1's)
	@$(BIN)/python -m benchmarks.run $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY))

# -- check -----------------------------------------------------------------------

test: $(READY)  ## run every check
	@$(BIN)/python -m bookkit.checks.stages

check: $(READY)  ## run what your change can touch, in under two minutes (BASE=main: since that revision)
	@$(BIN)/python -m bookkit.checks.changed $(if $(BASE),--base $(BASE))

test-machines: $(READY)  ## run the book as on other processors (FAR=2: the two least alike; ON=oldest; PARTS=notebooks)
	@$(BIN)/python -m bookkit.checks.machines $(if $(FAR),--far $(FAR)) $(if $(ON),--on $(ON)) $(PARTS)

mutants: $(READY)  ## break the code in small ways and see whether the tests notice (SAMPLE=300, SEED=0, ONLY=lecturekit/svm)
	@$(BIN)/python -m bookkit.checks.mutants $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

variants: $(READY)  ## run the wrong variants of claims, which their checks must refuse (ONLY=KER-14)
	@$(BIN)/python -m bookkit.pages.variants $(ONLY)

lint: $(READY)  ## ruff, ruff format and mypy --strict
	@$(BIN)/python -m bookkit.checks.stages lint

test-package: $(READY)  ## lecturekit: tests and doctests, plain and compiled, with coverage
	@$(BIN)/python -m bookkit.checks.stages package compiled

test-coursework: $(READY)  ## problem sets, graders, marking (in part skipped, loudly, where there is no bubblewrap)
	@$(BIN)/python -m bookkit.checks.stages coursework

test-book: $(READY)  ## the chapters: pairs, prose, claims, figures, re-execution, and the build without a warning
	@$(BIN)/python -m bookkit.checks.stages site notebooks book

test-browser: $(READY)  ## the built site in headless Chromium (skipped, loudly, where there is none)
	@$(BIN)/python -m bookkit.checks.stages site browser

clean:  ## remove everything that was built, the environment too
	rm -rf $(VENV) _build build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
