# What a call costs the engine, and what a relayed packet costs the hub beside a bare relay (docs/performance.md).
# Included by the Makefile.
#
#   make bench                              50, 250 and 500 calls; about five minutes
#   make bench BENCH_FLAGS="--calls 50 --seconds 2"
#   make bench-engine                       the engine alone; half a minute
#   make bench-engine ENGINE_FLAGS="--standing 10,1000 --slices 3"

BENCH_FLAGS ?= --calls 50,250,500
ENGINE_FLAGS ?=

.PHONY: bench bench-engine bench-programs
bench: bench-engine bench-programs
	.build/release/callhub-bench --json .build/bench.json $(BENCH_FLAGS)

bench-engine: bench-programs ## Measures what a call costs the engine, with few and many calls standing beside
	.build/release/callhub-engine-bench --json .build/bench-engine.json $(ENGINE_FLAGS)

# The counter is not a SwiftPM product: that would link the Swift runtime into a library that is loaded into other
# programs. It comes last, because SwiftPM makes .build/release a link and must find nothing there.
bench-programs: toolchain packages
	swift build -c release --product callhub
	swift build -c release --product bare-relay
	swift build -c release --product callhub-bench
	swift build -c release --product callhub-engine-bench
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared \
	    -o .build/release/libcallhub-allocations.so Benchmarks/AllocationCounter/allocation_counter.c
