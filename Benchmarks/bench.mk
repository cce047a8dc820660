# What a relayed packet costs the hub, beside a bare relay (docs/performance.md). Included by the Makefile.
#
#   make bench                              50, 250 and 500 calls; about three minutes
#   make bench BENCH_FLAGS="--calls 50 --seconds 2"

BENCH_FLAGS ?= --calls 50,250,500

.PHONY: bench bench-programs
bench: bench-programs
	.build/release/callhub-bench --json .build/bench.json $(BENCH_FLAGS)

bench-programs: .build/release/libcallhub-allocations.so
	swift build -c release --product callhub
	swift build -c release --product bare-relay
	swift build -c release --product callhub-bench

# Not a SwiftPM product: that would link the Swift runtime into a library that is loaded into other programs.
.build/release/libcallhub-allocations.so: Benchmarks/AllocationCounter/allocation_counter.c
	mkdir -p .build/release
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared -o $@ $<
