# Vieta: everything a user or a developer types. Each target installs what it misses, builds what changed, and may be the
# first one called in a fresh clone.

# Two GiB of memory a compiler.
JOBS ?= $(shell cores=$$(nproc); gib=$$(awk '/MemTotal/ {print int($$2/2097152)}' /proc/meminfo); \
	[ $$gib -lt 1 ] && gib=1; [ $$cores -lt $$gib ] && echo $$cores || echo $$gib)
LAUNCHER := $(shell command -v ccache > /dev/null && echo -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
CONFIGURE = cmake $(LAUNCHER) --preset
NINJA = cmake --build

.PHONY: help build run test bench bench-compile lint format clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

build: ## the executable, build/release/vieta
	@tools/install_dependencies build
	@$(CONFIGURE) release -DVIETA_TESTS=OFF > build-release.log 2>&1 || { cat build-release.log; exit 1; }
	@rm -f build-release.log
	@$(NINJA) build/release -j $(JOBS) --target vieta

run: build ## find Kepler's third law in the table of planets
	build/release/vieta search examples/kepler/planets.csv --target period --seed 1

test: ## build and run the tests
	@tools/install_dependencies build test
	@tools/run_tests dev -j $(JOBS)

bench: ## the benchmark tables; JSON in build/bench
	@tools/install_dependencies build bench
	@$(CONFIGURE) release -DVIETA_TESTS=OFF > /dev/null
	@$(NINJA) build/release -j $(JOBS) --target engine_bench random_trees_bench search_bench fit_bench founding_bench
	@mkdir -p build/bench
	@test -x build/bench/venv/bin/python || python3 -m venv build/bench/venv
	@build/bench/venv/bin/pip install -q -r bench/fit/requirements.txt || echo "PyPI is out of reach: nothing to compare with"
	@build/bench/venv/bin/pip install -q -r bench/engine/requirements.txt || echo "no pyoperon here: nothing to compare with"
	build/release/bench/engine_bench build/bench/engine.json
	build/bench/venv/bin/python bench/engine/beside.py build/release/bench/random_trees_bench build/bench/operon.json
	build/release/bench/founding_bench build/bench/founding.json
	build/release/bench/search_bench build/bench/search.json
	build/bench/venv/bin/python bench/fit/run.py build/release/bench/fit_bench build/bench/fit.json

bench-compile: ## build time of user functions; FULL=1 for all sizes
	@tools/install_dependencies build bench-compile
	@mkdir -p build/bench
	FULL=$(FULL) python3 bench/compile_time/run.py

lint: ## format, layers, text and clang-tidy
	@tools/install_dependencies build test lint
	@$(CONFIGURE) dev > /dev/null
	@tools/lint -j $(JOBS)

format: ## clang-format everything
	@tools/install_dependencies lint
	@git ls-files '*.h' '*.cc' | xargs clang-format-19 -i

clean: ## remove build folders
	rm -rf build build-release.log
