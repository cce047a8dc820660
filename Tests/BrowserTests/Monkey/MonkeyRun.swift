import BrowserKit

/// A run of three monkeys and the callers, in rounds with a rest after each.
struct MonkeyRun {
    private let monkeys: [Monkey]
    private let callers: MonkeyCallers
    private let account: HubAccount

    init(_ monkeys: [Monkey], _ callers: MonkeyCallers, _ account: HubAccount) {
        (self.monkeys, self.callers, self.account) = (monkeys, callers, account)
    }

    /// The numbers of a run.
    struct Counts {
        var inputs = 0
        var acts = 0
        var records = 0
    }

    private static let inputsOfRound = 40

    /// Runs rounds for a time, or until something was wrong, and returns all that was.
    func faults(within time: Duration) async throws -> [String] {
        let start = ContinuousClock.now
        var faults: [String] = []
        while faults.isEmpty, ContinuousClock.now - start < time {
            try await round()
            for monkey in monkeys { faults += await monkey.faults }
            for monkey in monkeys where !monkey.page.loggedErrors.isEmpty {
                let inputs = await monkey.inputs.suffix(30).joined(separator: "\n")
                faults.append("\(monkey.name): \(monkey.page.loggedErrors)\n\(inputs)")
            }
            for monkey in monkeys {
                for words in account.unmeant(by: monkey.name, await monkey.acts) {
                    faults.append("the hub: \(words)\n\(await monkey.inputs.suffix(30).joined(separator: "\n"))")
                }
            }
        }
        if !faults.isEmpty { print("the monkey: something was wrong after \(ContinuousClock.now - start)") }
        return faults
    }

    /// Lets all act at the same time, then rest.
    private func round() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for monkey in monkeys {
                group.addTask { for _ in 0..<Self.inputsOfRound { try await monkey.step() } }
            }
            let calling = Task { try await callers.callUntilCancelled() }
            defer { calling.cancel() }
            try await group.waitForAll()
            calling.cancel()
            try await calling.value
        }
        for monkey in monkeys { try await monkey.rest() }
    }

    /// Returns the numbers of inputs and of acts, and of calls in the hub's records.
    func counts() async -> Counts {
        var counts = Counts()
        for monkey in monkeys {
            counts.inputs += await monkey.inputCount
            counts.acts += await monkey.acts.count
        }
        counts.records = account.records.count
        return counts
    }
}
