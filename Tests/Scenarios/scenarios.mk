# The library of scenarios: included by the Makefile. `make test` runs all of them in virtual time (LibraryTests).

# What `make scenarios` runs, and with what: SCENARIO_FLAGS="--hub ws://localhost:8080" or "--repeat 3 --seed 7".
SCENARIOS ?= Tests/Scenarios
SCENARIO_FLAGS ?=

.PHONY: scenarios
scenarios: toolchain ## Runs the library of scenarios against real hubs: SCENARIOS=FILES SCENARIO_FLAGS="--virtual"
	$(BUILD) -c release --product callhub
	@"$$(swift build -c release --show-bin-path)/callhub" scenario run $(SCENARIOS) $(SCENARIO_FLAGS)
