/// Makes a schedule that breaks a rule as short as it gets: delta debugging (Zeller and Hildebrandt's ddmin).
public struct Shrinker {
    private let rule: String
    private let tamper: World.Tamper?
    private var attempts = 0

    /// The shortest schedule found that breaks the same rule.
    ///
    /// - Parameters:
    ///   - scenario: one that breaks it.
    ///   - violation: the rule.
    ///   - tamper: the planted fault, if there is one.
    /// - Returns: a schedule of which no single operation can be left out; the given one where it does not break the rule.
    public static func shrink(_ scenario: Scenario, _ violation: Violation, tamper: World.Tamper? = nil) -> Scenario {
        var shrinker = Shrinker(rule: violation.rule, tamper: tamper)
        guard shrinker.breaks(scenario) else { return scenario }
        var shortest = scenario
        while true {
            let count = shortest.operations.count
            shrinker.leaveOut(from: &shortest)
            shrinker.simplify(&shortest)
            if shortest.operations.count == count || shrinker.attempts > 20_000 { return shortest }
        }
    }

    private init(rule: String, tamper: World.Tamper?) {
        self.rule = rule
        self.tamper = tamper
    }

    private mutating func breaks(_ scenario: Scenario) -> Bool {
        attempts += 1
        return Simulation.replay(scenario, tamper: tamper).violation?.rule == rule
    }

    /// Leaves out ever smaller runs of operations, from the end: what comes late depends on more.
    private mutating func leaveOut(from scenario: inout Scenario) {
        var size = max(1, scenario.operations.count / 2)
        while true {
            var end = scenario.operations.count
            while end > 0 {
                let start = max(0, end - size)
                var shorter = scenario
                shorter.operations.removeSubrange(start..<end)
                if breaks(shorter) { scenario = shorter }
                end = start
            }
            if size == 1 { return }
            size /= 2
        }
    }

    /// Takes simpler operations where they do as well: less delay, shorter transactions.
    private mutating func simplify(_ scenario: inout Scenario) {
        for place in scenario.operations.indices {
            for simpler in scenario.operations[place].simpler {
                var candidate = scenario
                candidate.operations[place] = simpler
                if breaks(candidate) { scenario = candidate }
            }
        }
    }
}

extension Operation {
    /// The same with less in it.
    fileprivate var simpler: [Operation] {
        func with(_ deed: Deed) -> Operation { Operation(device: device, deed: deed) }
        switch deed {
        case .request(let wishes) where wishes.count > 1:
            return wishes.indices.map { left in
                with(.request(wishes.indices.filter { $0 != left }.map { wishes[$0] }))
            }
        case .drop(let delay) where delay > 1: return [with(.drop(noticedAfter: 1))]
        case .network(let up, let down) where up + down > 0:
            return [with(.network(up: 0, down: down)), with(.network(up: up, down: 0))]
        case .wait(let milliseconds) where milliseconds > 1: return [with(.wait(milliseconds: 1)), with(.jump)]
        case .resume(resends: true): return [with(.resume(resends: false))]
        default: return []
        }
    }
}
