# What a relayed packet costs the hub, beside a bare relay (docs/performance.md). Included by the Makefile.
#
#   make bench                              50, 250 and 500 calls; about four minutes
#   make bench BENCH_FLAGS="--calls 50 --seconds 2"

BENCH_FLAGS ?= --calls 50,250,500

.PHONY: bench bench-programs
bench: bench-programs
	.build/release/callhub-bench --json .build/bench.json $(BENCH_FLAGS)

# The counter is not a SwiftPM product: that would link the Swift runtime into a library that is loaded into other
# programs. It comes last, because SwiftPM makes .build/release a link and must find nothing there.
bench-programs: toolchain packages
	swift build -c release --product callhub
	swift build -c release --product bare-relay
	swift build -c release --product callhub-bench
	$(CC) -std=gnu11 -O2 -Wall -Wextra -Werror -fPIC -shared \
	    -o .build/release/libcallhub-allocations.so Benchmarks/AllocationCounter/allocation_counter.c
