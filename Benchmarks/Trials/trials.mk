# What a running hub does when the world is against it (docs/performance.md). Included by the Makefile.
#
#   make trials                             all of them, shortly
#   make soak                               random callers with random faults for an hour
#   make soak SOAK_MINUTES=10 SOAK_FLAGS="--devices 100 --seed 7"

SOAK_MINUTES ?= 60
SOAK_FLAGS ?=

TRIALS = .build/release/callhub-trials

.PHONY: trials soak trials-programs
trials: trials-programs trials-packages ## Puts a hub to the test: a slow listener, bad networks and a full disk (as root), abuse, sign-ins, random faults
	$(TRIALS) slow-listener --check --json .build/slow-listener.json
	$(TRIALS) networks --check --json .build/networks.json
	$(TRIALS) abuse --check --json .build/abuse.json
	$(TRIALS) sign-ins --check --json .build/sign-ins.json
	$(TRIALS) full-disk --check --json .build/full-disk.json
	$(TRIALS) soak --minutes 1 --interval 15 --check --json .build/soak.json

soak: trials-programs ## Random callers with random faults: SOAK_MINUTES=60 SOAK_FLAGS="--seed 7"
	$(TRIALS) soak --minutes $(SOAK_MINUTES) --check --json .build/soak.json $(SOAK_FLAGS)

.PHONY: trials-packages
trials-packages:
	$(call install,iproute2 util-linux)

trials-programs: toolchain packages
	swift build -c release --product callhub
	swift build -c release --product callhub-trials
