import BenchmarkSupport
import HubClient

/// A user of a trial's successive hubs, who compares each with the acknowledgements of those before it.
protocol KillTrialUser: Actor {
    /// Signs in to the next hub.
    func signIn(to url: String) async throws(BenchmarkError)

    /// Compares the data that the hub has restored with that acknowledged by the hubs before it.
    ///
    /// - Returns: A sentence for each difference.
    func audit() async -> [String]

    /// Uses the hub until it is dead, and returns when everything that it sent has been received.
    ///
    /// - Returns: A sentence for each unexpected answer.
    func runLoad() async -> [String]

    /// The counts of all that was done so far.
    var counts: KillCounts { get }
}

/// The counts of a trial's users, added up.
struct KillCounts: Sendable {
    /// Calls of which at least one party was notified that they ended, or the request to end them was accepted.
    var ended = 0
    /// Of these, by kind of call.
    var endedByKind: [String: Int] = [:]
    /// Calls that were under way when the hub died.
    var cut = 0
    /// Changes acknowledged: settings, contacts, block list, Recents marked and removed.
    var changes = 0
    /// Changes requested and not acknowledged when the hub died.
    var cutChanges = 0
    /// Whole loads of the directory that were acknowledged.
    var loads = 0
    /// Incremental loads that were acknowledged.
    var steps = 0
    /// Loads that had begun when the hub died.
    var cutLoads = 0
    /// Numbers looked up in the directory after a start.
    var lookUps = 0
    /// Entries of Recents compared after a start.
    var entries = 0

    static func + (one: KillCounts, other: KillCounts) -> KillCounts {
        KillCounts(
            ended: one.ended + other.ended,
            endedByKind: one.endedByKind.merging(other.endedByKind, uniquingKeysWith: +),
            cut: one.cut + other.cut,
            changes: one.changes + other.changes,
            cutChanges: one.cutChanges + other.cutChanges,
            loads: one.loads + other.loads,
            steps: one.steps + other.steps,
            cutLoads: one.cutLoads + other.cutLoads,
            lookUps: one.lookUps + other.lookUps,
            entries: one.entries + other.entries
        )
    }
}

/// Returns a sentence for a request that was refused or not answered properly; none for one that the hub's end cut off.
func unexpectedError(_ error: HubClientError, _ what: String) -> [String] {
    switch error {
    case .refused, .signInRefused, .malformedResponse, .noResponse: ["\(what): \(error)"]
    default: []
    }
}
