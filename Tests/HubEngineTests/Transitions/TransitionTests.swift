import HubEngine
import HubSimulation
import Testing

/// The engine's result for each event in each situation, compared with the cells of `docs/transitions.md`.
struct TransitionTests {
    @Test(arguments: CallSituation.allCases)
    func `each event has the outcome of the transition table (CK-57)`(situation: CallSituation) throws {
        let own = try MarkdownTable(below: "Transitions at the device")
        let far = try MarkdownTable(below: "Transitions at the other party")
        for trigger in TransitionTrigger.allCases {
            let outcome = try CallWorld.outcome(of: trigger, in: situation)
            let cell = "\(trigger.rawValue), \(situation.rawValue)"
            #expect(own[trigger.rawValue, situation.rawValue] == outcome.own, "\(cell)")
            guard situation.hasOtherParty else { continue }
            #expect(far[trigger.rawValue, situation.rawValue] == outcome.far, "the other party: \(cell)")
        }
    }

    @Test func `the transition tables contain every situation and every event exactly once`() throws {
        let situations = CallSituation.allCases
        let rows = TransitionTrigger.allCases.map(\.rawValue)
        let own = try MarkdownTable(below: "Transitions at the device")
        #expect(own.columns == situations.map(\.rawValue))
        #expect(own.rows == rows)
        let far = try MarkdownTable(below: "Transitions at the other party")
        #expect(far.columns == situations.filter(\.hasOtherParty).map(\.rawValue))
        #expect(far.rows == rows)
    }

    @Test(arguments: try MarkdownTable(below: "Transitions of several calls").columns)
    func `each event with several calls has the outcome of the table`(calls: String) throws {
        let table = try MarkdownTable(below: "Transitions of several calls")
        for (name, deed) in SeveralCallsTrigger.all {
            #expect(try table[name, calls] == SeveralCallsWorld.outcome(of: deed, with: calls), "\(name), \(calls)")
        }
    }

    @Test func `the table of several calls contains none to three calls, and every possible event`() throws {
        let table = try MarkdownTable(below: "Transitions of several calls")
        #expect(table.rows == SeveralCallsTrigger.all.map(\.name))
        let counts = table.columns.map { $0 == "none" ? 0 : $0.split { ",+".contains($0) }.count }
        #expect(Set(counts).isSuperset(of: [0, 1, 2, 3]))
        #expect(Set(table.columns).count == table.columns.count)
    }
}

/// The table of pending actions.
struct ActionTransitionTests {
    @Test(arguments: PendingActionCase.allCases)
    func `an action interrupted by an event has the outcome of the table`(underway: PendingActionCase) throws {
        let table = try MarkdownTable(below: "Pending actions")
        for fate in ActionOutcome.allCases {
            let outcome = try CallWorld.outcome(of: underway, fate)
            #expect(table[underway.rawValue, fate.rawValue] == outcome, "\(underway.rawValue), \(fate.rawValue)")
        }
    }

    @Test func `the table of interrupted actions contains every action and every event exactly once`() throws {
        let table = try MarkdownTable(below: "Pending actions")
        #expect(table.rows == PendingActionCase.allCases.map(\.rawValue))
        #expect(table.columns == ActionOutcome.allCases.map(\.rawValue))
    }
}
