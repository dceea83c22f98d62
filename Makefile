# Statistical Machine Learning, Executed.  `make help` lists the targets; each sets up what it needs.

PYTHON ?= python3
PORT   ?= 8000
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
SITE   := _build/html
HERE   := $(abspath .)
# Two processes for two cores: with threads of their own they would wait for each other.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 2
marked  = $$(grep -l 'mark\.$(1)' tests/test_*.py)  # the files that hold a mark: reading all takes longer than some stages

# Where Python may not keep what it has compiled, every process of the tests compiles the package again.
unexport PYTHONDONTWRITEBYTECODE

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup lock book serve bundle shots lab sync handouts bench test lint test-package test-coursework test-book test-browser clean

help:  ## list the targets
	@echo "Statistical Machine Learning, Executed"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# -- the environment ---------------------------------------------------------

setup: $(READY)  ## make .venv from requirements.lock (every other target does this by itself)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) tools/setup.py $(VENV)
	@touch $@

lock: $(READY)  ## renew requirements.lock and environment.yml from pyproject.toml
	@$(BIN)/python tools/lock.py

# -- read ----------------------------------------------------------------------

book: $(READY)  ## build the website
	@$(BIN)/python tools/build.py
	@echo "The book is built. Open file://$(HERE)/$(SITE)/index.html or run: make serve"

serve: book  ## build the website and serve it on http://localhost:8000 (PORT=... for another)
	@$(BIN)/python tools/serve.py $(SITE) $(PORT)

bundle: book  ## pack site, notebooks, package and lock into one zip file below _build, to read and run offline
	@$(BIN)/python tools/bundle.py

shots: book  ## photograph the pages, wide, on a phone and dark, into _build/shots
	@$(BIN)/python tools/shots.py

# -- run -----------------------------------------------------------------------

lab: $(READY)  ## open the chapters as notebooks in JupyterLab
	@$(BIN)/jupyter lab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/book

sync: $(READY)  ## execute the chapters whose .md changed and write their .ipynb (ALL=1: every one; ONLY=05-kernels: that one)
	@$(BIN)/python tools/sync.py $(if $(ALL)$(ONLY),--all) $(ONLY)

handouts: $(READY)  ## write the handouts of all problem sets into book/coursework
	@for set in coursework/[0-9]*/; do \
		$(BIN)/lecturekit coursework release "$$(basename $$set)" --book book || exit 1; \
	done

bench: $(READY)  ## compare the solvers with other libraries' and write book/D-benchmarks.md (QUICK=1, ONLY=svm)
	@$(BIN)/python -m benchmarks.run $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY))

# -- check -----------------------------------------------------------------------

test: $(READY)  ## run every check
	@mkdir -p _build
	@echo "== the website is built beside the first tests (what it says: _build/book.log)"
	@$(MAKE) book >_build/book.log 2>&1 & book=$$!; \
	$(MAKE) lint test-package || { kill $$book; exit 1; }; \
	wait $$book || { cat _build/book.log; exit 1; }
	@$(MAKE) test-coursework test-book test-browser BUILT=1
	@echo "make test: every check passed."

lint: $(READY)  ## ruff, ruff format and mypy --strict
	@echo "== lint"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

test-package: $(READY)  ## lecturekit: tests and doctests, plain and compiled, with coverage
	@echo "== the package, as plain Python (this run measures coverage)"
	@LECTUREKIT_NO_JIT=1 $(PYTEST) --cov --cov-report=term-missing:skip-covered -m "not book and not browser and not coursework and not compiled"
	@echo "== the package, compiled by numba"
	@$(PYTEST) -m "jit or compiled" $(call marked,\(jit\|compiled\))

test-coursework: $(READY)  ## problem sets, graders, marking (in part skipped, loudly, where there is no bubblewrap)
	@echo "== coursework: the problem sets, their graders, the marking, and attacks on it"
	@$(PYTEST) --dist loadgroup -m coursework -rs $(call marked,coursework)

test-book: $(if $(BUILT),,book)  ## the chapters: pairs, prose, claims, figures, re-execution, and the build without a warning
	@echo "== the book: pairs, prose, claims, site"
	@$(PYTEST) -m book $(call marked,book)
	@echo "== the book: every notebook executed again, outputs and figures compared"
	@$(PYTEST) --dist loadfile --nbval --durations=5 book

test-browser: $(if $(BUILT),,book)  ## the built site in headless Chromium (skipped, loudly, where there is none)
	@echo "== the site, in a browser"
	@$(BIN)/pytest -n 3 -m browser -rs $(call marked,browser)  # a browser often waits: three for two cores

clean:  ## remove everything that was built, the environment too
	rm -rf $(VENV) _build build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
