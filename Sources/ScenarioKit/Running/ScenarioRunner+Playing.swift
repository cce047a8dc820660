import Foundation
import HubClient

extension ScenarioRunner {
    /// Plays a scenario with real phones at a hub that runs, beside an app that is tested there.
    ///
    /// For an app that is called, by a handle or as a party under test; for one that calls there is ``begin(_:at:seed:)``. The run has a
    /// thread of its own, so that the app can do its part meanwhile. When the task is cancelled, the run fails, and its parties leave.
    ///
    /// - Parameters:
    ///   - text: One scenario, as in a file.
    ///   - url: Where the hub is, such as `ws://localhost:8080/v1`; it is in open mode.
    ///   - seed: What chance goes by where the scenario names no seed.
    /// - Returns: What happened; its `verdict` is `.passed` where all came true.
    /// - Throws: ``ScenarioFaults`` where the text is no scenario, or a matrix of several; ``HubStartFault`` where no hub is there.
    public static func play(_ text: String, at url: String, seed: UInt64 = 1) async throws -> RunRecord {
        try await begin(text, at: url, seed: seed).record
    }

    /// Begins to play a scenario at a hub that runs, and returns when its parties are signed in.
    ///
    /// So an app can call them: ``ScenarioPlay/account(of:)`` says by which names.
    ///
    /// - Parameters:
    ///   - text: One scenario, as in a file.
    ///   - url: Where the hub is, such as `ws://localhost:8080/v1`; it is in open mode.
    ///   - seed: What chance goes by where the scenario names no seed.
    /// - Returns: The scenario that is being played.
    /// - Throws: ``ScenarioFaults`` where the text is no scenario, or a matrix of several; ``HubStartFault`` where no hub is there.
    public static func begin(_ text: String, at url: String, seed: UInt64 = 1) async throws -> ScenarioPlay {
        let scenarios = try ScenarioText.scenarios(parsing: text)
        guard let scenario = scenarios.first, scenarios.count == 1 else {
            let sentence =
                "the lines make \(scenarios.count) scenarios by a matrix; one is right, without `for each` at the top"
            throw ScenarioFaults([ScenarioFault(line: 1, column: 1, sentence: sentence)])
        }
        guard let address = HubAddress(url) else {
            throw HubStartFault(sentence: "\(url) is no URL such as ws://localhost:8080/v1")
        }
        let accounts = Accounts(scenario, .unique)
        let (progress, interruption) = (PlayProgress(), Interruption())
        let play = ScenarioPlay(accounts, progress, interruption)
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
}
