import HubEngine
import ScenarioKit
import Testing

/// Variables, loops and matrices.
@Suite struct ExpansionTests {
    @Test func `nested loops are expanded in order`() throws {
        let lines = try steps(
            """
            parties alice, bob
            repeat 2 times:
                for each WHO of alice, bob:
                    for each FLAG of on, off:
                        {WHO}: do not disturb {FLAG}
                wait 1 s
            """
        )
        let round = [
            "alice: do not disturb on", "alice: do not disturb off", "bob: do not disturb on",
            "bob: do not disturb off", "wait 1 s",
        ]
        #expect(lines == round + round)
    }

    @Test func `a variable may contain another one, in names and in texts`() throws {
        let lines = try steps(
            """
            let number = 300
            let time = {number} ms
            let verb = calls
            alice {verb} bob  # with {no} variable
            let WHO = alice
            expect {WHO}'s A shows "{number} \\{times\\}"
            wait {time}
            """
        )
        #expect(lines == ["alice calls bob", "expect alice's A shows \"300 \\{times\\}\"", "wait 300 ms"])
    }

    @Test func `a variable's scope ends with its block`() throws {
        let lines = try steps(
            """
            for each N of 1, 2:
                let TIME = {N} s
                wait {TIME}
            let TIME = 3 s
            wait {TIME}
            """
        )
        #expect(lines == ["wait 1 s", "wait 2 s", "wait 3 s"])
    }

    @Test func `a matrix gives a scenario for each combination`() throws {
        let scenarios = try ScenarioText.scenarios(
            parsing: """
                let both = alice, bob
                for each WHO of {both}
                for each HOW of accept, hold and accept
                scenario {WHO} by {HOW}
                party carol: manual
                parties alice, bob
                {WHO} calls carol
                carol: {HOW} A
                """
        )
        #expect(
            scenarios.map(\.title) == [
                "alice by accept", "alice by hold and accept", "bob by accept", "bob by hold and accept",
            ]
        )
        #expect(
            scenarios.map(\.variant) == [
                ["WHO = alice", "HOW = accept"], ["WHO = alice", "HOW = hold and accept"],
                ["WHO = bob", "HOW = accept"],
                ["WHO = bob", "HOW = hold and accept"],
            ]
        )
        #expect(
            scenarios.map { $0.steps.last?.text } == [
                "carol: accept A", "carol: hold and accept A", "carol: accept A", "carol: hold and accept A",
            ]
        )
        #expect(scenarios.map { $0.steps[0].line } == [7, 7, 7, 7])
    }

    @Test func `each iteration of a repetition gives its calls the same names`() throws {
        let steps = try ScenarioText.scenarios(
            parsing: """
                repeat 2 times:
                    alice calls bob
                    bob: accept A
                for each WHO of carol, dave:
                    {WHO} calls bob
                dave: end C
                """
        )[0].steps
        let names = steps.compactMap { step -> CallName? in
            guard case .transaction(_, let actions, _) = step.stepAction, case .call(_, let name, _)? = actions.first
            else {
                return nil
            }
            return name
        }
        #expect(names == ["A", "A", "B", "C"])
    }

    @Test func `blocks keep their steps, and loops inside them are expanded`() throws {
        let scenario = try ScenarioText.scenarios(
            parsing: """
                parties alice, bob
                at random within 200 ms:
                    for each WHO of alice, bob:
                        {WHO} drops
                """
        )[0]
        guard case .atRandom(.milliseconds(200), let steps)? = scenario.steps.first?.stepAction else {
            Issue.record("\(scenario)")
            return
        }
        #expect(steps.map(\.text) == ["alice drops", "bob drops"])
    }

    @Test(arguments: Growth.allCases) func `unbounded expansion is refused`(growth: Growth) {
        do {
            _ = try ScenarioText.scenarios(parsing: growth.text)
            Issue.record("accepted")
        } catch {
            #expect(error.faults.contains { $0.sentence.contains(growth.rawValue) }, "\(error)")
        }
    }

    /// Texts that exceed a limit, by a part of the error message.
    enum Growth: String, CaseIterable {
        case aLoop = "more than 10000 lines"
        case variables = "more than 2000 bytes"
        case aMatrix = "more than 1000 scenarios"
        case aFile = "at most 1000000 bytes"
        case aLine = "at most 2000 bytes"
        case blocks = "at most 12 deep"
        case parties = "100 parties take part already"
        case strangers = "is not a party of this scenario"
        case calls = "250 names of calls already"
        case names = "250 variables already"
        case faultsInALoop = "\"hodl\" is not a known request"

        var text: String {
            switch self {
            case .aLoop:
                "repeat 99999 times:\n  repeat 999999999 times:\n    repeat 99999 times:\n      let a = 1"
            case .variables:
                "let v0 = xx\n" + (1...30).map { "let v\($0) = {v\($0 - 1)}{v\($0 - 1)}\n" }.joined() + "wait {v30}"
            case .aMatrix: (1...9).map { "for each V\($0) of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9\n" }.joined() + "wait 1 s"
            case .aFile: String(repeating: "wait 1 s\n", count: 120_000)
            case .aLine: "alice calls " + String(repeating: "b", count: 2_000)
            case .parties: (1...900).map { "parties a\($0)x, b\($0), c\($0)\n" }.joined() + "wait 1 s"
            case .strangers: (1...900).map { "a\($0) calls b\($0)\n" }.joined()
            case .calls: String(repeating: "alice calls bob\n", count: 9_000)
            case .names: (1...9_000).map { "let a\($0) = 1\n" }.joined() + "wait 1 s"
            case .faultsInALoop:
                "alice calls bob\nrepeat 9000 times:\n  bob: hodl " + String(repeating: "a ", count: 900)
            case .blocks:
                (0..<40).map { String(repeating: " ", count: $0) + "repeat 2 times:" }.joined(separator: "\n")
            }
        }
    }

    @Test func `a file that is too long is refused at the line that exceeds the limit`() {
        do {
            _ = try ScenarioText.scenarios(parsing: String(repeating: "wait 1 s\n", count: 10_001))
            Issue.record("accepted")
        } catch {
            #expect(error.faults.map(\.line) == [10_000])
        }
    }

    private func steps(_ text: String) throws -> [String] {
        try ScenarioText.scenarios(parsing: text)[0].steps.map(\.text)
    }
}
