# What a call costs the engine, and what a relayed packet costs the hub beside other programs (docs/performance.md).
# Included by the Makefile.
#
#   make bench                              50 to 2,000 calls, eight programs; about twenty-five minutes
#   make bench BENCH_FLAGS="--calls 50 --seconds 2"
#   make bench-engine                       the engine alone; half a minute
#   make bench-engine ENGINE_FLAGS="--standing 10,1000 --slices 3"
#   make bench-connections                  10,000 idle ones, 200,000 that come and go; about fifteen minutes
#   make bench-presence                     10,000 accounts that watch one another; a minute
#   make bench-store                        what is kept a second, and large call directories; half a minute
#   make bench-callkit                      an app on CallKit beside HubClient; a minute
#   make bench-mumble                       beside mumble-server, under TLS; six minutes
#   make bench-screen                       the phone's first screen in Chromium, near and far; half a minute
#   make bench-loops                        two loops beside one; two minutes
#   make bench-browser                      the phone's CPU in a call beside WebRTC; four minutes
#   make bench-browser BEFORE=main~10       beside the phone of another commit, too

BENCH_FLAGS ?= --calls 50,500,1000@25,2000@12 --system-calls --half-load
ENGINE_FLAGS ?=
CONNECTIONS_FLAGS ?=
LOOPS_FLAGS ?=
MUMBLE_FLAGS ?=
PRESENCE_FLAGS ?=
STORE_FLAGS ?=
CALLKIT_FLAGS ?=
SCREEN_FLAGS ?=

.PHONY: bench bench-engine bench-browser bench-connections bench-loops bench-mumble bench-presence bench-store
.PHONY: bench-callkit bench-screen bench-programs bench-packages
bench: bench-engine bench-programs bench-packages
	.build/release/callhub-bench --json .build/bench.json $(BENCH_FLAGS)

bench-engine: bench-programs ## Measures what a call costs the engine, with few and many calls standing beside
	.build/release/callhub-engine-bench --json .build/bench-engine.json $(ENGINE_FLAGS)

bench-connections: bench-programs ## Measures what idle connections, and those that come and go, cost the hub
	.build/release/callhub-bench-connections --json .build/bench-connections.json $(CONNECTIONS_FLAGS)

bench-loops: bench-programs ## Measures how much more the hub carries with two loops
	.build/release/callhub-bench-loops --json .build/bench-loops.json $(LOOPS_FLAGS)

bench-callkit: bench-programs ## Measures what calls cost an app on CallKit, beside HubClient
	.build/release/callhub-bench-callkit --json .build/bench-callkit.json $(CALLKIT_FLAGS)

bench-mumble: bench-programs ## Measures voice under TLS beside mumble-server
	$(call install,mumble-server)
	.build/release/callhub-bench-mumble --json .build/bench-mumble.json $(MUMBLE_FLAGS)

bench-presence: bench-programs ## Measures what the presence of people costs the hub
	.build/release/callhub-bench-presence --json .build/bench-presence.json $(PRESENCE_FLAGS)

bench-store: bench-programs ## Measures what the store keeps a second, and call directories of two million entries
	.build/release/callhub-bench-store --json .build/bench-store.json $(STORE_FLAGS)

# Alone without the other programs: it needs a browser, and the driver of the browser tests.
bench-screen: toolchain test-packages phone ## Measures the time until Chromium shows the phone's first screen
	swift build -c release --product callhub
	swift build -c release --product callhub-bench-screen
	.build/release/callhub-bench-screen --json .build/bench-screen.json $(SCREEN_FLAGS)

bench-browser: toolchain test-packages ## Measures the CPU of a call in the browser beside WebRTC; BEFORE=commit: and that phone's
	$(BUILD) --build-tests
	rm -rf .build/web-before
	@if test -n "$(BEFORE)"; then mkdir -p .build/web-before && \
	    git archive "$(BEFORE)" web-static | tar --extract --directory .build/web-before; fi
	BROWSER_BENCH=$(CURDIR)/.build/bench-browser.json $(if $(BEFORE),\
	    BROWSER_BENCH_BEFORE=$(CURDIR)/.build/web-before/web-static) $(TEST) --skip-build --no-parallel --filter "CPUBenchmark|DelayBenchmark"

# The counter is not a SwiftPM product: that would link the Swift runtime into a library that is loaded into other
# programs. It comes last, because SwiftPM makes .build/release a link and must find nothing there.
bench-programs: toolchain packages bench-libraries
	swift build -c release --product callhub
	swift build -c release --product bare-relay
	swift build -c release --product bare-epoll
	swift build -c release --product callhub-bench
	swift build -c release --product callhub-engine-bench
	swift build -c release --product callhub-bench-connections
	swift build -c release --product callhub-bench-loops
	swift build -c release --product callhub-bench-mumble
	swift build -c release --product callhub-bench-presence
	swift build -c release --product callhub-bench-store
	swift build -c release --product callhub-bench-callkit
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared \
	    -o .build/release/libcallhub-allocations.so Benchmarks/AllocationCounter/allocation_counter.c

# The C library of the relay without one, and of the clients that speak TLS.
.PHONY: bench-libraries
bench-libraries:
	$(call install,libssl-dev)

# One that cannot be had is left out of the measurement, with a sentence.
bench-packages:
	-$(call install,python3-venv nodejs node-ws)
	-@$(call python,--upgrade websockets uvloop)
