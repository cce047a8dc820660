import Foundation
import HubClient

extension ScenarioRunner {
    /// Runs a scenario in real time at a running hub, beside an app under test.
    ///
    /// It is meant for apps that are called, by a handle or as a party under test; for an app that calls there is
    /// ``begin(_:at:seed:)``. The run has a thread of its own, so that the app can do its part meanwhile. When the task
    /// is cancelled, the run fails, and its parties sign out.
    ///
    /// - Parameters:
    ///   - text: The text of a single scenario, as in a file.
    ///   - url: The hub's URL, such as `ws://localhost:8080/v1`; the hub is in open mode.
    ///   - seed: The seed of the random numbers if the scenario has none.
    /// - Returns: The record of the run; its `verdict` is `.passed` if all expectations were met.
    /// - Throws: ``ScenarioSyntaxErrors`` if the text is invalid or has a matrix of several scenarios;
    ///   ``HubStartError`` if `url` is not the URL of a hub, or the hub cannot be reached or does not answer within 10
    ///   s.
    public static func play(_ text: String, at url: String, seed: UInt64 = 1) async throws -> RunResult {
        try await begin(text, at: url, seed: seed).record
    }

    /// Begins to run a scenario at a running hub, and returns when its parties are signed in.
    ///
    /// An app can call the parties by the account names that ``ScenarioRun/account(of:)`` returns.
    ///
    /// - Parameters:
    ///   - text: The text of a single scenario, as in a file.
    ///   - url: The hub's URL, such as `ws://localhost:8080/v1`; the hub is in open mode.
    ///   - seed: The seed of the random numbers if the scenario has none.
    /// - Returns: The running scenario.
    /// - Throws: ``ScenarioSyntaxErrors`` if the text is invalid or has a matrix of several scenarios;
    ///   ``HubStartError`` if `url` is not the URL of a hub, or the hub cannot be reached or does not answer within 10
    ///   s.
    public static func begin(_ text: String, at url: String, seed: UInt64 = 1) async throws -> ScenarioRun {
        let scenario = try single(text)
        guard let address = HubAddress(url) else {
            throw HubStartError(sentence: "\(url) is no URL such as ws://localhost:8080/v1")
        }
        let accounts = Accounts(scenario, .unique)
        let (progress, interruption) = (RunProgress(), Interruption())
        let play = ScenarioRun(accounts, progress, interruption)
        let thread = Thread {
            let hub = RealHub(at: address)
            progress.end(
                with: Result {
                    try hub.check()
                    return run(
                        scenario,
                        at: hub,
                        accounts: accounts,
                        seed: seed,
                        observer: progress,
                        interruption: interruption
                    )
                }
            )
        }
        thread.stackSize = 4 << 20
        thread.name = "scenario"
        thread.start()
        try await play.begun()
        return play
    }

    /// Parses the text of a single scenario.
    ///
    /// - Throws: ``ScenarioSyntaxErrors`` if the text is invalid or has a matrix of several scenarios.
    package static func single(_ text: String) throws(ScenarioSyntaxErrors) -> Scenario {
        let scenarios = try ScenarioText.scenarios(parsing: text)
        guard let scenario = scenarios.first, scenarios.count == 1 else {
            let sentence =
                "the lines make \(scenarios.count) scenarios by a matrix; one is right, without `for each` at the top"
            throw ScenarioSyntaxErrors([ScenarioSyntaxError(line: 1, column: 1, sentence: sentence)])
        }
        return scenario
    }
}
