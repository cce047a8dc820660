# What a running hub does when the world is against it (docs/performance.md). Included by the Makefile.
#
#   make trials                             all of them, shortly
#   make soak                               random callers with random faults for an hour
#   make soak SOAK_MINUTES=10 SOAK_FLAGS="--devices 100 --seed 7"
#   make kill                               kills a hub under load 200 times, and looks what the next one remembers
#   make kill KILL_TIMES=1000 KILL_FLAGS="--seed 7"

SOAK_MINUTES ?= 60
SOAK_FLAGS ?=
KILL_TIMES ?= 200
KILL_FLAGS ?=

TRIALS = .build/release/callhub-trials

.PHONY: trials soak kill trials-programs
trials: trials-programs trials-packages ## Puts a hub to the test: a slow listener, bad networks and a full disk (as root), abuse, sign-ins, new certificates, random faults, kill -9
	$(TRIALS) slow-listener --check --json .build/slow-listener.json
	$(TRIALS) networks --check --json .build/networks.json
	$(TRIALS) abuse --check --json .build/abuse.json
	$(TRIALS) sign-ins --check --json .build/sign-ins.json
	$(TRIALS) full-disk --check --json .build/full-disk.json
	$(TRIALS) renewals --check --json .build/renewals.json
	$(TRIALS) soak --minutes 1 --interval 15 --check --json .build/soak.json
	$(TRIALS) kill --times 20 --check --json .build/kill.json

soak: trials-programs ## Random callers with random faults: SOAK_MINUTES=60 SOAK_FLAGS="--seed 7"
	$(TRIALS) soak --minutes $(SOAK_MINUTES) --check --json .build/soak.json $(SOAK_FLAGS)

kill: trials-programs ## Kills a hub under load, again and again: KILL_TIMES=200 KILL_FLAGS="--seed 7"
	$(TRIALS) kill --times $(KILL_TIMES) --check --json .build/kill.json $(KILL_FLAGS)

.PHONY: trials-packages
trials-packages:
	$(call install,iproute2 util-linux openssl pebble)

trials-programs: toolchain packages
	swift build -c release --product callhub
	swift build -c release --product callhub-trials
