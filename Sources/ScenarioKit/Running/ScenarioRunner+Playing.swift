import Foundation
import HubClient

extension ScenarioRunner {
    /// Plays a scenario with real phones at a hub that runs, beside an app that is tested there.
    ///
    /// The app is no party: the scenario calls its account by a handle (`alice calls generic:app as A`). The run has a thread of its own,
    /// so that the app can do its part meanwhile.
    ///
    /// - Parameters:
    ///   - text: One scenario, as in a file.
    ///   - url: Where the hub is, such as `ws://localhost:8080/v1`; it is in open mode.
    ///   - seed: What chance goes by where the scenario names no seed.
    /// - Returns: What happened; its `verdict` is `.passed` where all came true.
    /// - Throws: ``ScenarioFaults`` where the text is no scenario, or a matrix of several; ``HubStartFault`` where no hub is there.
    public static func play(_ text: String, at url: String, seed: UInt64 = 1) async throws -> RunRecord {
        let scenarios = try ScenarioText.scenarios(parsing: text)
        guard let scenario = scenarios.first, scenarios.count == 1 else {
            let sentence =
                "the lines make \(scenarios.count) scenarios by a matrix; one is right, without `for each` at the top"
            throw ScenarioFaults([ScenarioFault(line: 1, column: 1, sentence: sentence)])
        }
        guard let address = HubAddress(url) else {
            throw HubStartFault(sentence: "\(url) is no URL such as ws://localhost:8080/v1")
        }
        return try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                let hub = RealHub(at: address)
                continuation.resume(
                    with: Result {
                        try hub.check()
                        return run(scenario, at: hub, seed: seed)
                    }
                )
            }
            thread.stackSize = 4 << 20
            thread.name = "scenario"
            thread.start()
        }
    }
}
