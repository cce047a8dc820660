import HubEngine

/// The steps of blocks, and the order of a step's phases.
extension Run {
    /// Performs steps together: all are ready before the first begins, and all have begun before the first ends.
    func together(_ steps: [Step]) throws(StepFailure) {
        depth += 1
        defer { depth -= 1 }
        let places = steps.map { begin($0) }
        var tasks: [StepTask] = []
        for step in steps { tasks.append(try task(for: step.deed)) }
        try carryOut(tasks)
        places.forEach { end($0) }
    }

    /// Performs steps in random order, one after the other.
    func inAnyOrder(_ steps: [Step]) throws(StepFailure) {
        depth += 1
        defer { depth -= 1 }
        for step in steps.shuffled(using: &chance) { try perform(step) }
    }

    /// Performs steps that each begin at a random moment within a span.
    func atRandom(within span: Duration, _ steps: [Step]) throws(StepFailure) {
        depth += 1
        defer { depth -= 1 }
        let microseconds = max(1, span.wholeNanoseconds / 1_000)
        var planned = steps.map { step in
            (at: now + .microseconds(Int64.random(in: 0...microseconds, using: &chance)), step: step)
        }
        planned.sort { $0.at < $1.at }
        var running: [(place: Int, task: StepTask)] = []
        for (moment, step) in planned {
            _ = try waits(max(.zero, moment - now)) { () throws(StepFailure) in false }
            let task = try task(for: step.deed)
            let place = begin(step)
            try wait(needs: task)
            try task.begin()
            running.append((place, task))
        }
        for (place, task) in running {
            try wait(done: task)
            end(place)
        }
    }

    /// Performs tasks together, phase by phase.
    func carryOut(_ tasks: [StepTask]) throws(StepFailure) {
        for task in tasks { try wait(needs: task) }
        for task in tasks { try task.begin() }
        for task in tasks { try wait(done: task) }
    }

    private func wait(needs task: StepTask) throws(StepFailure) {
        guard try waits(scenario.patience, task.isReady) else {
            throw StepFailure(expected: task.needs, came: task.state())
        }
    }

    private func wait(done task: StepTask) throws(StepFailure) {
        guard try waits(scenario.patience, task.isDone) else {
            throw StepFailure(expected: task.expects, came: task.state())
        }
    }
}
