# Fuzzing: included by the Makefile. Built as usual, HubFuzz replays files; built as below, it is libFuzzer (Main.swift).

# How long `make fuzz` looks for faults in each subject.
FUZZ_SECONDS ?= 300
FUZZ_SUBJECTS ?= JSONRPC RTPPacket HTTPHead Frames

# Memory that was never written holds one byte that is in no UTF-8 text (HubPeer): it must be in no answer.
FUZZ_ASAN = detect_leaks=0:max_malloc_fill_size=1048576:malloc_fill_byte=245

FUZZ_SCRATCH = .build/fuzz
FUZZER = $(FUZZ_SCRATCH)/release/HubFuzz

.PHONY: fuzz
fuzz: toolchain fuzz-build ## Looks for bytes that the hub cannot bear; FUZZ_SECONDS=300 for each subject
	$(call fuzz,$(FUZZ_SECONDS))

.PHONY: fuzz-short
fuzz-short: toolchain fuzz-build ## The same for 10 seconds each; part of `make test`
	$(call fuzz,10)

.PHONY: fuzz-replay
fuzz-replay: toolchain ## Replays every input that was ever of interest
	$(BUILD) --product HubFuzz
	@"$$(swift build --show-bin-path)/HubFuzz"

# lld, because gold dies of an internal error on the instrumented code.
.PHONY: fuzz-build
fuzz-build:
	$(BUILD) -c release --product HubFuzz --scratch-path $(FUZZ_SCRATCH) -Xswiftc -sanitize=fuzzer,address \
	    -Xswiftc -parse-as-library -Xswiftc -DFUZZING -Xswiftc -use-ld=lld

# What is found is written where it is replayed from then on; what only widens the coverage stays in .build. Swift's crash
# reporter must be off: it would outlive the fuzzer and keep its pipe open.
# As many subjects at once as there are cores.
define fuzz
@printf '%s\n' $(FUZZ_SUBJECTS) | xargs -P "$$(nproc)" -I {} sh -c ' \
    mkdir -p $(FUZZ_SCRATCH)/corpus/{} && \
    SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=$(FUZZ_ASAN) HUB_FUZZ_SUBJECT={} $(FUZZER) -max_total_time=$(1) -max_len=4096 \
        -artifact_prefix=Tests/Fuzz/FailCases/{}/ $(FUZZ_SCRATCH)/corpus/{} Tests/Fuzz/Corpus/{} \
        > $(FUZZ_SCRATCH)/{}.log 2>&1 || { tail -60 $(FUZZ_SCRATCH)/{}.log; exit 1; }; \
    echo "{}: nothing found in $(1) s"'
endef
