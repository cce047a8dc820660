import HubEngine
import HubSimulation
import Testing

/// Simulated accounts, devices and networks against the engine; `make test` runs many more of them, optimised.
struct SimulationTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `no simulation violates an invariant, and after all sign-outs no state remains`(seed: UInt64) {
        let outcome = Simulation.run(seed: seed, steps: 500)
        #expect(outcome.violation == nil, "make simulate SEED=\(seed) STEPS=500")
        #expect(outcome.events > 100)
        #expect(outcome.coverage.missing.count < CoverageEvent.allCases.count - 8)
    }

    @Test func `the same seed gives the same events, effects and schedule`() {
        let one = Simulation.run(seed: 99, steps: 500)
        let two = Simulation.run(seed: 99, steps: 500)
        #expect(one.schedule == two.schedule)
        #expect(one.digest == two.digest)
        #expect(Simulation.replay(one.schedule).digest == one.digest)
        #expect(Simulation.run(seed: 100, steps: 500).digest != one.digest)
    }

    @Test(arguments: PlantedFault.all)
    func `an injected fault is found and shrunk to a minimal sequence`(fault: PlantedFault) throws {
        let faultInjection = fault.faultInjection
        let found = try #require(
            (1...40 as ClosedRange<UInt64>).lazy.map {
                Simulation.run(seed: $0, steps: 400, faultInjection: faultInjection)
            }
            .first { $0.violation != nil }
        )
        let shortest = Shrinker.shrink(found.schedule, faultInjection: faultInjection)
        let repeated = Simulation.replay(shortest, recordsTranscript: true, faultInjection: faultInjection)
        let violation = try #require(repeated.violation)
        #expect(repeated.transcript.count >= shortest.operations.count)
        #expect(shortest.operations.count <= fault.operations, "\(repeated.transcript.joined(separator: "\n"))")
        for left in shortest.operations.indices {
            var shorter = shortest
            shorter.operations.remove(at: left)
            #expect(Simulation.replay(shorter, faultInjection: faultInjection).violation?.rule != violation.rule)
        }
    }
}

/// A fault injected into the engine's effects, and the maximum number of operations that show it.
struct PlantedFault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let operations: Int
    let faultInjection: World.FaultInjection

    static let all = [
        PlantedFault(testDescription: "an audio session is not deactivated", operations: 5) { effects in
            effects.removeAll { if case .notify(_, .didDeactivateAudioSession) = $0 { true } else { false } }
        },
        PlantedFault(testDescription: "a request has two replies", operations: 4) { effects in
            for case .reply(let token, .ignored) in effects { effects.append(.reply(token, .done)) }
        },
        PlantedFault(testDescription: "the reply does not come first", operations: 2) { effects in
            if case .reply(_, .accepted)? = effects.first { effects.append(effects.removeFirst()) }
        },
        PlantedFault(testDescription: "a held call is notified as active", operations: 8) { effects in
            effects = effects.map { effect in
                guard case .notify(let session, .callChanged(var call)) = effect, call.state == .held else {
                    return effect
                }
                call.state = .connected
                call.isOnHold = false
                return .notify(session, .callChanged(call))
            }
        },
        PlantedFault(testDescription: "notifications of audio sources are missing", operations: 3) { effects in
            effects.removeAll { if case .notify(_, .audioSources) = $0 { true } else { false } }
        },
        PlantedFault(testDescription: "a changed route does not reach the relay", operations: 2) { effects in
            effects.removeAll { if case .audioRouteChanged = $0 { true } else { false } }
        },
        PlantedFault(testDescription: "an operator is not notified of a call", operations: 4) { effects in
            effects.removeAll { if case .notify(_, .operated) = $0 { true } else { false } }
        },
        PlantedFault(testDescription: "the notification of an action timeout is missing", operations: 6) { effects in
            effects.removeAll { if case .notify(_, .timedOutPerforming) = $0 { true } else { false } }
        },
    ]
}
