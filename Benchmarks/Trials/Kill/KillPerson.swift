import BenchmarkSupport
import HubClient

/// Somebody who uses the hubs of a trial, one after the other, and knows what they have told him.
protocol KillPerson: Actor {
    /// Signs in to the next hub.
    func signIn(to url: String) async throws(BenchmarkError)

    /// Compares what the hub remembers with what the ones before it have said.
    ///
    /// - Returns: What is wrong.
    func audit() async -> [String]

    /// Does what he does until the hub is dead; returns when everything that it has said has been heard.
    ///
    /// - Returns: What should never have been.
    func live() async -> [String]

    /// What was done so far.
    var counts: KillCounts { get }
}

/// What a trial has done, added up.
struct KillCounts: Sendable {
    /// Calls of whose end somebody was told.
    var ended = 0
    /// Of these, by what happened.
    var endedByKind: [String: Int] = [:]
    /// Calls that were under way when the hub died.
    var cut = 0
    /// Changes that were answered: settings, contacts, block list, Recents marked and removed.
    var changes = 0
    /// Changes that were asked for when the hub died.
    var cutChanges = 0
    /// Whole loads of the directory that were answered.
    var loads = 0
    /// Incremental ones.
    var steps = 0
    /// Loads of which some batches were there when the hub died.
    var cutLoads = 0
    /// Numbers looked up in the directory after a start.
    var lookUps = 0
    /// Entries of Recents looked at after a start.
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

/// What one asks of the hub came to nothing, for its end was nearer; or it was refused, which should not be.
func complaint(_ error: HubClientError, _ what: String) -> [String] {
    switch error {
    case .refused, .signInRefused, .malformedAnswer, .noAnswer: ["\(what): \(error)"]
    default: []
    }
}
