import HubEngine

/// The steps of blocks, and the order of a step's phases.
extension Run {
    /// Performs steps together: all are ready before the first begins, and all have begun before the first ends.
    func together(_ steps: [Step]) throws(StepFailure) {
        depth += 1
        defer { depth -= 1 }
        let positions = steps.map { begin($0) }
        var tasks: [StepTask] = []
        for step in steps { tasks.append(try task(for: step.stepAction)) }
        try performTasks(tasks)
        positions.forEach { end($0) }
    }

    /// Performs steps in random order, one after the other.
    func inAnyOrder(_ steps: [Step]) throws(StepFailure) {
        depth += 1
        defer { depth -= 1 }
        for step in steps.shuffled(using: &random) { try perform(step) }
    }

    /// Performs steps that each begin at a random moment within a span.
    func atRandom(within span: Duration, _ steps: [Step]) throws(StepFailure) {
        depth += 1
        defer { depth -= 1 }
        let microseconds = max(1, span.wholeNanoseconds / 1_000)
        var planned = steps.map { step in
            (at: now + .microseconds(Int64.random(in: 0...microseconds, using: &random)), step: step)
        }
        planned.sort { $0.at < $1.at }
        var running: [(position: Int, task: StepTask)] = []
        for (moment, step) in planned {
            _ = try waitUntil(max(.zero, moment - now)) { () throws(StepFailure) in false }
            let task = try task(for: step.stepAction)
            let position = begin(step)
            try wait(needs: task)
            try task.begin()
            running.append((position, task))
        }
        for (position, task) in running {
            try wait(done: task)
            end(position)
        }
    }

    /// Performs tasks together, phase by phase.
    func performTasks(_ tasks: [StepTask]) throws(StepFailure) {
        for task in tasks { try wait(needs: task) }
        for task in tasks { try task.begin() }
        for task in tasks { try wait(done: task) }
    }

    private func wait(needs task: StepTask) throws(StepFailure) {
        guard try waitUntil(scenario.timeout, task.isReady) else {
            throw StepFailure(expected: task.needs, actual: task.state())
        }
    }

    private func wait(done task: StepTask) throws(StepFailure) {
        guard try waitUntil(scenario.timeout, task.isDone) else {
            throw StepFailure(expected: task.expects, actual: task.state())
        }
    }
}
