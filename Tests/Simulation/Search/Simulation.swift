/// One life of a world, from a seed or from a schedule.
public struct Simulation: Sendable {
    /// How it went.
    public struct Outcome: Sendable {
        /// The world and what happened in it.
        public var scenario: Scenario
        /// The rule that was broken, if one was.
        public var violation: Violation?
        /// How many events the engine had.
        public var events: Int
        /// The fingerprint of all effects.
        public var digest: Digest
        /// What it has been through.
        public var tally: Tally
        /// What happened, for people; empty unless asked for.
        public var narration: [String]
    }

    /// Lives a world of a seed's.
    ///
    /// - Parameters:
    ///   - seed: equal seeds give equal lives.
    ///   - steps: how many operations.
    ///   - tamper: a planted fault.
    /// - Returns: how it went; the life ends with the first broken rule.
    public static func run(seed: UInt64, steps: Int, tamper: World.Tamper? = nil) -> Outcome {
        var world = World(WorldShape(seed: seed), tamper: tamper)
        var generator = Generator(seed: seed)
        var operations: [Operation] = []
        while operations.count < steps, world.violation == nil {
            let operation = generator.next(in: world)
            operations.append(operation)
            world.run(operation)
        }
        world.finish()
        return outcome(of: world, Scenario(shape: world.shape, operations: operations))
    }

    /// Lives a schedule again.
    public static func replay(_ scenario: Scenario, narrates: Bool = false, tamper: World.Tamper? = nil) -> Outcome {
        var world = World(scenario.shape, checksAll: scenario.isWatchedClosely, narrates: narrates, tamper: tamper)
        for operation in scenario.operations where world.violation == nil { world.run(operation) }
        world.finish()
        return outcome(of: world, scenario)
    }

    private static func outcome(of world: World, _ scenario: Scenario) -> Outcome {
        Outcome(
            scenario: scenario,
            violation: world.violation,
            events: world.events,
            digest: world.digest,
            tally: world.tally,
            narration: world.narrator?.lines ?? []
        )
    }
}
