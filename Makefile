# CallHub from a clean clone: `make run` builds the hub and starts it. `make` alone says what else there is.

# For `make run`: ARGS="--listen 127.0.0.1:9000 --log-level debug"
ARGS ?=
# For `make test`: FILTER="ListenAddressTests|GateTests" runs those alone.
FILTER ?=

# What the build links, and what only the tests need.
PACKAGES = libwebsockets-dev libwebsockets-evlib-uv libssl-dev libcurl4-openssl-dev libsodium-dev libsqlite3-dev \
    libuv1-dev libopus-dev libogg-dev libqrencode-dev libsystemd-dev libasound2-dev pkg-config python3
TEST_PACKAGES = espeak-ng openssl pebble zbar-tools python3-venv chromium chromium-headless-shell zsh fish \
    groff-base
# What `make test-browser` needs beside them.
BROWSER_PACKAGES = firefox-esr pulseaudio
# What `make test-proxies` needs.
PROXY_PACKAGES = caddy nginx haproxy apache2
# What `make test-monitoring` needs.
MONITORING_PACKAGES = prometheus
# What `make wasm` needs.
WASM_PACKAGES = emscripten dpkg-dev

# An import that Package.swift does not declare may find its module or not, by the order of the build.
BUILD = swift build --explicit-target-dependency-import-check error
# Without XCTest, which has no tests here and leaks a little of its own.
TEST = swift test --disable-xctest --explicit-target-dependency-import-check error
SOURCES = Package.swift Sources Samples Tests Benchmarks

# What the tests of the last run have said, for machines, and the program that reads it.
EVENTS = .build/events
CHECK_EVENTS = .build/check-events
PROOF = "$$(swift build --show-bin-path)/HubConformance"

# A crash must end a test, not wait for a key in Swift's crash reporter.
export SWIFT_BACKTRACE ?= interactive=no,color=no

# Foundation leaks (a few bytes a Process, 4 KB a file in /proc and the like), and so does what is kept for good: that our
# own memory does not grow is what the ...ScaleTests hold.
export ASAN_OPTIONS ?= detect_leaks=0

.DEFAULT_GOAL := help
.NOTPARALLEL:

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: toolchain packages phone ## Builds the hub and starts it on http://localhost:8080; ARGS="..." are its options
	$(BUILD) -c release --product callhub
	@exec "$$(swift build -c release --show-bin-path)/callhub" serve $(ARGS)

# The phone as browsers load it fast: .build/web-static, which the program finds; see Sources/PhoneBundle/bundle.py.
.PHONY: phone
phone: packages ## Bundles the phone in web-static for use: a few compressed files in .build/web-static
	@mkdir -p .build
	@python3 -B Sources/PhoneBundle/bundle.py web-static .build/web-static

# At the hub of CALLHUB_URL with the account CALLHUB_ACCOUNT, or else at a simulated one in the program.
SAMPLES = sample-monkeycall sample-hotline sample-directory
.PHONY: $(SAMPLES)
sample-monkeycall: SAMPLE = MonkeyCall
sample-hotline: SAMPLE = Hotline
sample-directory: SAMPLE = Directory
$(SAMPLES): toolchain packages ## Runs a sample app with typed commands; CALLHUB_URL=ws://localhost:8080/v1 CALLHUB_ACCOUNT=alice
	$(BUILD) --product $(SAMPLE)
	@exec "$$(swift build --show-bin-path)/$(SAMPLE)"

.PHONY: build
build: toolchain packages ## Builds everything for debugging
	$(BUILD) --build-tests

.PHONY: check
check: toolchain test-packages test-python lint ## Lint, and all tests but browsers, sound in real time and long properties
	$(BUILD) --product CallHubPackageTests
	@$(call run-tests,,$(CHECK_EVENTS),--check)

# The properties are built and tried at the lowest priority, beside tests that for the most part wait for time to pass.
.PHONY: test
test: toolchain test-packages test-python ## Builds everything, runs all tests; FILTER=name runs some
	$(BUILD) --build-tests
	@$(if $(FILTER),$(TEST) --skip-build --filter "$(FILTER)",$(call test-all))

# The simulation in a release build, and the fuzzers under a sanitizer; each has a build of its own. So has the package of a
# stranger, whose tests run when nothing else does.
.PHONY: properties
properties: simulate-million fuzz-replay fuzz-short build-callkit-package

.PHONY: test-callkit-package build-callkit-package
test-callkit-package: build-callkit-package ## An app's package that depends on this one: twenty stories of calls in two seconds
	@python3 Tests/CallKitPackage/run.py test --in-time
build-callkit-package: toolchain packages
	@python3 Tests/CallKitPackage/run.py build

# A client in Python that knows docs/protocol.md and nothing of the sources, against the hub as people start it.
CONTRACT = .build/venv/bin/pytest -c Tests/Contract/pytest.ini \
    -o cache_dir=.build/pytest Tests/Contract
.PHONY: test-contract
test-contract: toolchain packages test-python ## Holds the hub against its contract by a client that is not ours
	$(BUILD) --product callhub
	@CALLHUB="$$(swift build --show-bin-path)/callhub" $(CONTRACT)

# The tests that drive browsers, with the long ones and those of Firefox, which `make test` leaves out.
.PHONY: test-browser
test-browser: toolchain browser-packages test-python ## Holds the phone in the browser against Chromium and Firefox
	$(BUILD) --build-tests
	BROWSER_TESTS=all $(TEST) --skip-build --filter "$(if $(FILTER),$(FILTER),BrowserTests)"

# A seed repeats the inputs; the calls' times are the machine's.
MONKEY_SEED ?= 1
MONKEY_SECONDS ?= 600
CALLKIT_RUNS ?= 1000
CALLKIT_SEED ?=
.PHONY: monkey
monkey: toolchain test-packages test-python ## Random input on three pages while calls come and go: MONKEY_SEED=7 MONKEY_SECONDS=60
	$(BUILD) --build-tests
	MONKEY_SEED=$(MONKEY_SEED) MONKEY_SECONDS=$(MONKEY_SECONDS) $(TEST) --skip-build --filter MonkeyTests

.PHONY: random-apps
random-apps: toolchain test-packages ## A thousand random runs of apps on CallKit with faults; one alone: CALLKIT_SEED=7
	$(BUILD) --build-tests
	CALLKIT_RUNS=$(CALLKIT_RUNS) CALLKIT_SEED=$(CALLKIT_SEED) $(TEST) --skip-build --filter RandomAppTests

.PHONY: test-proxies
test-proxies: toolchain packages ## Makes calls through Caddy, nginx, HAProxy and Apache, with their files of config/proxies
	$(call install,$(PROXY_PACKAGES))
	$(BUILD) --build-tests
	$(TEST) --skip-build --filter ProxyProgramTests

.PHONY: test-monitoring
test-monitoring: toolchain packages ## Checks the dashboard and the alert rules in config/monitoring, by promtool
	$(call install,$(MONITORING_PACKAGES))
	$(BUILD) --build-tests
	$(TEST) --skip-build --filter MonitoringTests

.PHONY: screenshots
screenshots: toolchain browser-packages ## Draws each screen of the phone into .build/screenshots; SCREENS=call,group some
	$(BUILD) --build-tests
	rm -rf .build/screenshots
	SCREENSHOTS=$(CURDIR)/.build/screenshots $(TEST) --skip-build --filter ScreenshotTests
	@ls .build/screenshots | wc -l

# What proves which row of CallKit's semantics: see docs/conformance.md.
.PHONY: conformance
conformance: toolchain ## Writes docs/conformance.md from the last `make test`, or runs it first
	@test -n "$(wildcard $(EVENTS)/*.jsonl)" || $(MAKE) test || true
	$(BUILD) --product HubConformance
	@$(PROOF) write $(EVENTS) docs/conformance.md

# Each sanitizer has a folder of its own, so that none of the builds makes another start anew. One test after the other:
# all at once are so slow that those that keep to real time fail.
.PHONY: test-sanitize
test-sanitize: toolchain test-packages test-python ## Runs all tests under the address and the thread sanitizer
	$(call sanitized-tests,address)
	$(call sanitized-tests,thread)

.PHONY: mutation
mutation: toolchain packages mutation-packages ## Breaks the engine's rules one by one: do its tests notice? BY=scenarios, ONLY=words, TABLE=docs/mutations.md
	python3 Tests/Mutation/mutate.py $(if $(BY),--by "$(BY)") $(if $(ONLY),--only "$(ONLY)") $(if $(TABLE),--table "$(TABLE)")

.PHONY: bench
bench: toolchain packages ## Measures what a call costs the engine and a relayed packet the hub, beside other relays

.PHONY: format
format: toolchain ## Formats all Swift files
	swift format --in-place --parallel --recursive $(SOURCES)

# With librsvg2-bin; the results are committed.
.PHONY: icons
icons: ## Draws the phone's icons for installing it
	cd web-static/icons && for size in 192 512; do rsvg-convert -w $$size -h $$size phone.svg -o phone-$$size.png; done
	cd web-static/icons && rsvg-convert -w 512 -h 512 maskable.svg -o maskable-512.png

# From Debian's sources of libopus; the result is committed.
.PHONY: wasm
wasm: ## Builds libopus in WebAssembly, for browsers without WebCodecs, into web-static/audio/wasm
	$(call install,$(WASM_PACKAGES))
	Sources/OpusWASM/build.sh

# With librsvg2-bin also as PNG.
.PHONY: ladders
ladders: toolchain ## Draws ladders of made-up runs into .build/ladders, to be looked at
	LADDERS=$(CURDIR)/.build/ladders $(TEST) --filter LadderFiles
	@if command -v rsvg-convert > /dev/null; then for file in .build/ladders/*.svg; do \
	    rsvg-convert "$$file" -o "$${file%.svg}.png"; done; fi
	@ls .build/ladders

.PHONY: lint
lint: toolchain ## Checks format, conventions, comments and folders of all Swift files
	swift format lint --strict --parallel --recursive $(SOURCES)
	@cd Tests/Lint && python3 -m unittest --quiet
	@cd Sources/PhoneBundle && python3 -B -m unittest --quiet
	python3 Tests/Lint/comments.py $(SOURCES)
	python3 Tests/Lint/folders.py Sources

# By the toolchain's own docc, without network; what docc warns of is an error. ScenarioKit depends on the other two.
.PHONY: docs
docs: toolchain packages ## Builds the reference of HubEngine, HubClient and ScenarioKit into .build/docs
	$(BUILD) --target ScenarioKit
	@python3 Tests/Documentation/docs.py "$$(swift build --show-bin-path)/Modules"
	@echo "The pages need a server: python3 -m http.server --directory .build/docs 8000,"
	@echo "then open http://localhost:8000/documentation"

.PHONY: clean
clean: ## Deletes everything that was built
	rm -rf .build

.PHONY: toolchain
toolchain:
	@command -v swift >/dev/null || { \
	    echo "There is no swift on the PATH; install Swift 6.3 or newer from https://www.swift.org/install/." >&2; exit 1; }

.PHONY: packages test-packages browser-packages mutation-packages
packages:
	$(call install,$(PACKAGES))
test-packages:
	$(call install,$(PACKAGES) $(TEST_PACKAGES))
browser-packages:
	$(call install,$(PACKAGES) $(TEST_PACKAGES) $(BROWSER_PACKAGES))
mutation-packages:
	$(call install,python3)

# Other people's implementations, in a Python of the build's own. Silent, and without the network, where nothing is missing.
PYTHON_REQUIREMENTS = Tests/HubCryptoTests/Peer/requirements.txt Tests/Contract/requirements.txt Tests/Browser/requirements.txt
.PHONY: test-python
test-python: test-packages .build/venv/tests-installed
.build/venv/tests-installed: $(PYTHON_REQUIREMENTS)
	@$(call python,--requirement Tests/HubCryptoTests/Peer/requirements.txt --requirement Tests/Contract/requirements.txt)
	@$(call python,--no-deps --requirement Tests/Browser/requirements.txt)
	@touch $@

# Runs what the build with the options of the first argument has built: the tests tell what happens in the folder of the second.
# The third is options of run.py; the fourth are commands before it and the fifth commands after it, which set `status` to 1
# where they fail.
define run-tests
rm -rf $(2); mkdir -p $(2); status=0; programs="$$(swift build $(1) --show-bin-path)"; $(4) \
python3 Tests/Runs/run.py "$$programs" $(2) $(3) || status=1; \
$(5) "$$programs/HubConformance" failures $(2) $(2)/loops $(2)/pages; exit $$status
endef

# Runs all tests, beside them the properties, and compares docs/conformance.md with the run. Linux shares the CPU among
# sessions: the properties have one of their own, of the lowest priority.
define test-all
$(call run-tests,,$(EVENTS),--contract='$(CONTRACT)',\
    setsid sh -c 'echo 19 2>/dev/null >/proc/self/autogroup; exec nice -n 19 "$$@"' sh $(MAKE) --no-print-directory \
    properties > .build/properties.txt 2>&1 & properties=$$!; trap 'kill -- -$$properties' INT TERM;,\
    "$$programs/HubConformance" check $(EVENTS) docs/conformance.md || status=1; \
    wait $$properties || status=1; cat .build/properties.txt; \
    python3 Tests/CallKitPackage/run.py test || status=1;)
endef

# Builds under a sanitizer in a folder of its own, then runs those tests of FILTER, or all, one after the other.
define sanitized-tests
$(BUILD) --build-tests --sanitize $(1) --scratch-path .build/sanitize-$(1)
@$(if $(FILTER),$(TEST) --skip-build --sanitize $(1) --scratch-path .build/sanitize-$(1) --filter "$(FILTER)",$(call \
    run-tests,--sanitize $(1) --scratch-path .build/sanitize-$(1),.build/sanitize-$(1)/events,--no-parallel))
endef

# Installs packages from PyPI; the options are pip's.
define python
test -x .build/venv/bin/pip || python3 -m venv .build/venv; \
.build/venv/bin/pip install --quiet --disable-pip-version-check $(1)
endef

# Installs what is missing of some Debian packages; silent where nothing is.
define install
@command -v dpkg-query >/dev/null || { \
    echo "This is no Debian: make sure that it has what Debian calls $(1)." >&2; exit 0; }; \
missing=$$(for package in $(1); do \
    dpkg-query --show --showformat '$${db:Status-Status}' $$package 2>/dev/null | grep -qx installed || echo $$package; done); \
test -n "$$missing" || exit 0; \
if test "$$(id -u)" = 0; then asRoot=; elif command -v sudo >/dev/null; then asRoot=sudo; else \
    echo "Packages are missing and there is no sudo; as root: apt-get install" $$missing >&2; exit 1; fi; \
echo "Installing what the build needs:" $$missing; \
$$asRoot apt-get -o Acquire::Retries=3 update --quiet=2 && \
$$asRoot env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install --quiet=2 --yes --no-install-recommends $$missing
endef

include Benchmarks/bench.mk
include Tests/Trials/trials.mk
include packages/packages.mk
-include Tests/Fuzz/fuzz.mk
-include Tests/Simulate/simulate.mk
-include Tests/Scenarios/scenarios.mk
-include Tests/Packaging/packaging.mk
