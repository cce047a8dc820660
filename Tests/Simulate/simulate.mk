# The simulation (Tests/Simulation): included by the Makefile.

# What `make simulate` lives: the first world, how many, how long. NARRATE=1 tells a life without a fault, too.
SEED ?= 1
SEEDS ?= 1
STEPS ?= 2000
NARRATE ?=

SIMULATE = "$$(swift build -c release --show-bin-path)/callhub-simulate"

.PHONY: simulate
simulate: toolchain simulate-build ## Lives a world of accounts, devices and networks: SEED=1 SEEDS=1 STEPS=2000 NARRATE=1
	@$(SIMULATE) --seed $(SEED) --seeds $(SEEDS) --steps $(STEPS) $(if $(NARRATE),--narrate)

.PHONY: simulate-million
simulate-million: toolchain simulate-build ## A million events in a fixed set of worlds; part of `make test`
	@$(SIMULATE) --seed 1 --seeds 900 --steps 1500

.PHONY: simulate-build
simulate-build:
	$(BUILD) -c release --product callhub-simulate
