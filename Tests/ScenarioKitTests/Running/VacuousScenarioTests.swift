import Testing

@testable import ScenarioKit

/// Tests that an expectation that could not fail is itself reported as a failure.
struct VacuousScenarioTests {
    private static let call = "parties alice, bob, carol\nalice calls bob as A\nbob: accept A\n"

    @Test(arguments: [
        ("bob drops\nalice: end A\nexpect bob's A is connected", "bob has no connection: its state is out of date"),
        ("bob drops\nexpect bob's audio is on for A", "bob has no connection: its state is out of date"),
        ("bob drops\nexpect bob has 1 call", "bob has no connection: its state is out of date"),
        ("bob drops\nexpect bob hears nothing", "bob has no connection: its state is out of date"),
        ("bob freezes\nalice: end A\nexpect bob's A is connected", "bob is frozen: its state is out of date"),
        ("bob freezes\nexpect bob hears nothing", "bob is frozen: its state is out of date"),
        ("bob leaves\nexpect bob does not ring", "bob is not signed in"),
        ("bob leaves\nexpect bob is not told didBegin", "bob is not signed in"),
        ("hub is killed\nexpect bob is not told didReset", "bob has no connection: its state is out of date"),
        ("bob leaves\nexpect either bob does not ring or bob hears nothing", "bob is not signed in"),
        ("carol calls alice as B\nexpect bob is not told perform hold B", "B is no call of bob's"),
        ("carol calls alice as B\nexpect bob's A is not grouped with B", "B is no call of bob's"),
        ("expect alice never heard carol", "carol never sent sound"),
    ])
    func `an expectation that nothing can contradict fails with a sentence`(_ lines: String, _ actual: String) throws {
        let failure = try #require(try runScenario(Self.call + lines).failure)
        #expect(failure.actual == actual)
    }

    @Test func `an expectation about a device that never signed in fails`() throws {
        let text = "party alice\nparty bob: away\nalice calls echo as A\nwait 300 ms\nexpect bob never heard alice"
        #expect(try runScenario(text).failure?.actual == "bob never signed in")
        #expect(
            try runScenario(text.replacing("never heard alice", with: "has no calls")).failure?.actual
                == "bob is not signed in"
        )
    }

    @Test func `of two alternatives the one that cannot be judged does not count`() throws {
        let text = Self.call + "bob drops\nexpect either bob hears nothing or alice's A is held within 300 ms"
        #expect(try runScenario(text).failure != nil)
        #expect(try runScenario(text.replacing("is held", with: "is connected")).failure == nil)
    }

    @Test(arguments: [
        ("hub starts", "it runs"), ("bob resumes", "bob's connection goes on: there is nothing to resume"),
        ("bob thaws", "bob is not frozen"), ("bob freezes\nbob freezes", "bob is frozen already"),
        ("bob is throttled no more", "bob is not throttled"), ("bob is delayed by 0 ms", "bob is not delayed"),
        ("bob drops\nbob drops", "bob has no connection"), ("hub is killed\nhub is killed", "it does not run"),
    ])
    func `a step with nothing to act on fails with a sentence`(_ lines: String, _ actual: String) throws {
        let failure = try #require(try runScenario("patience 100 ms\n" + Self.call + lines).failure)
        #expect(failure.actual == actual)
    }
}
