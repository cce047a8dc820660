import Testing

@testable import ScenarioKit

/// Tests that a failed expectation is reported with its step, the expected and the actual state.
struct FailingScenarioTests {
    struct Case: CustomTestStringConvertible {
        var text: String
        var line: Int
        var expected: String
        var actual: String
        /// The time from the step's start to its failure: the timeout, or the moment a forbidden state is seen.
        var after: Duration
        var testDescription: String { text.split(separator: "\n").last.map(String.init) ?? text }

        init(
            _ text: String,
            line: Int,
            _ expected: String,
            _ actual: String,
            after: Duration = .seconds(2)
        ) {
            (self.text, self.line, self.expected, self.actual, self.after) = (text, line, expected, actual, after)
        }
    }

    @Test(arguments: [
        Case(
            "alice calls bob as A\nbob: accept A\nexpect alice's A is held",
            line: 3,
            "alice's A is held",
            "alice's A is connected, shows bob from handle"
        ),
        Case(
            "alice calls bob as A\nbob: accept A\nexpect alice hears nothing",
            line: 3,
            "alice hears nothing",
            "alice heard bob from 0.0"
        ),
        Case(
            "alice calls bob as A\nbob: accept A\nalice: hold A\nexpect bob hears alice",
            line: 4,
            "bob hears alice",
            "bob has heard nothing"
        ),
        Case(
            "alice calls bob as A\nalice: hold A",
            line: 2,
            "alice can ask for hold A",
            "alice's A is connecting, remotely ringing"
        ),
        Case(
            "alice calls bob as A\nbob: accept A\nalice cannot hold A: invalidAction",
            line: 3,
            "the hub refuses it with invalidAction",
            "it accepts",
            after: .zero
        ),
        Case(
            "parties alice, bob, carol\nalice calls bob as A\nalice cannot call carol: maximumCallGroupsReached",
            line: 3,
            "the hub refuses it with maximumCallGroupsReached",
            "it accepts",
            after: .zero
        ),
        Case(
            "alice calls bob as A\nbob: accept A\nalice: key 5 on A\nexpect bob is not told dtmf 5 within 100 ms",
            line: 4,
            "bob is not told dtmf 5",
            "bob is told dtmf 5",
            after: .zero
        ),
        Case(
            "parties alice, bob\nbob: do not disturb on\nalice calls bob as A\nexpect bob rings within 300 ms",
            line: 4,
            "bob rings",
            "bob has no call",
            after: .milliseconds(300)
        ),
        Case(
            "alice calls bob as A\nbob: hold and accept A",
            line: 2,
            "bob is offered hold and accept for A",
            "offers accept, decline"
        ),
        Case(
            "parties alice, bob\nexpect bob never heard alice\nalice calls bob as A\nbob: accept A\nwait 200 ms",
            line: 2,
            "bob never heard alice",
            "bob heard alice from 0.0",
            after: .milliseconds(20)
        ),
        Case(
            "alice calls bob as A\nbob: accept A\nbob: end A\nexpect bob's recents: missed from alice",
            line: 4,
            "bob's recents: missed from alice",
            "they are: answered from alice"
        ),
        Case(
            "party alice: manual\nparty bob\nalice calls bob as A\nalice fulfills hold A",
            line: 4,
            "alice is asked to perform hold A",
            "alice is to perform call bob as A"
        ),
        Case(
            "alice calls bob as A\nbob drops\nbob: accept A",
            line: 3,
            "bob is offered accept for A",
            "the connection is cut"
        ),
        Case(
            "alice calls bob as A\nbob: accept A\nexpect either bob hears nothing or bob's A is held",
            line: 3,
            "either bob hears nothing or bob's A is held",
            "bob's A is connected"
        ),
        Case(
            "alice calls bob as A\nexpect bob does not ring within 50 ms",
            line: 2,
            "bob does not ring",
            "bob rings",
            after: .zero
        ),
    ])
    func `a failing scenario reports the place and the reason`(_ scenarioText: Case) throws {
        let record = try runScenario(scenarioText.text)
        let failure = try #require(record.failure)
        let step = try #require(failure.step)
        #expect(record.steps[step].line == scenarioText.line)
        #expect(failure.at == record.steps[step].begin + scenarioText.after)
        #expect(failure.expected == scenarioText.expected)
        #expect(failure.actual.contains(scenarioText.actual), "\(failure.actual)")
    }
}
