/// One run of a world, from a seed or from a schedule.
public struct Simulation: Sendable {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The world and its operations.
        public var schedule: Schedule
        /// The rule that was broken, if one was.
        public var violation: Violation?
        /// The number of the engine's events.
        public var events: Int
        /// The fingerprint of all effects.
        public var digest: Digest
        /// The events that the world has gone through.
        public var coverage: EventCoverage
        /// The events as sentences; empty unless requested.
        public var transcript: [String]
    }

    /// Runs a world that is generated from a seed, until a rule is broken or all steps are done.
    ///
    /// - Parameters:
    ///   - seed: The seed; equal seeds give equal runs.
    ///   - steps: The number of operations.
    ///   - faultInjection: A planted fault.
    /// - Returns: The result of the run.
    public static func run(seed: UInt64, steps: Int, faultInjection: World.FaultInjection? = nil) -> Outcome {
        var world = World(WorldShape(seed: seed), faultInjection: faultInjection)
        var generator = Generator(seed: seed)
        var operations: [Operation] = []
        while operations.count < steps, world.violation == nil {
            let operation = generator.next(in: world)
            operations.append(operation)
            world.run(operation)
        }
        world.finish()
        return outcome(of: world, Schedule(shape: world.shape, operations: operations))
    }

    /// Runs a schedule again.
    public static func replay(
        _ schedule: Schedule,
        recordsTranscript: Bool = false,
        faultInjection: World.FaultInjection? = nil
    ) -> Outcome {
        var world = World(
            schedule.shape,
            checksAll: schedule.checksEveryDevice,
            recordsTranscript: recordsTranscript,
            faultInjection: faultInjection
        )
        for operation in schedule.operations where world.violation == nil { world.run(operation) }
        world.finish()
        return outcome(of: world, schedule)
    }

    private static func outcome(of world: World, _ schedule: Schedule) -> Outcome {
        Outcome(
            schedule: schedule,
            violation: world.violation,
            events: world.events,
            digest: world.digest,
            coverage: world.coverage,
            transcript: world.transcript?.lines ?? []
        )
    }
}
