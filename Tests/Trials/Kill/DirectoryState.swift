import HubAccountData
import HubClient

/// The content of a call directory, given by the numbers of its loads.
///
/// Each whole load and each incremental one differs from all others in the number of entries and in the labels.
struct DirectoryState: Equatable, Sendable, CustomStringConvertible {
    /// The largest number of entries.
    let size: Int
    /// The number of the last whole load; 0: none yet.
    var load = 0
    /// The number of incremental loads since then.
    var step = 0

    /// The most incremental loads that follow a whole one.
    static let mostSteps = 5

    /// The number of entries with labels.
    var identification: Int { load == 0 ? 0 : size - load % 7 * 11 }
    /// The number of blocked numbers: one of five of the load's, and one for each step.
    var blocking: Int { load == 0 ? 0 : (identification + 4) / 5 + step }

    /// Returns a number of the load; two consecutive loads have no numbers in common.
    func number(_ index: Int) -> Int64 { 49_100_000_000 + Int64(index) * 2 + Int64(load % 2) }

    /// Returns the label of a number; each step gives new labels to one of ten.
    func label(_ index: Int) -> String {
        let step = index % 10
        return (1...Self.mostSteps).contains(step) && step <= self.step ? "load \(load), step \(step)" : "load \(load)"
    }

    /// The number that the last step blocks.
    private var blockedByStep: Int64 { 49_900_000_000 + Int64(step) }

    /// All blocked numbers, ascending.
    var blockedNumbers: [Int64] {
        guard load > 0 else { return [] }
        return stride(from: 0, to: identification, by: 5).map(number) + (0..<step).map { 49_900_000_001 + Int64($0) }
    }

    /// The next whole load.
    var nextLoad: DirectoryState { DirectoryState(size: size, load: load + 1) }
    /// The state after the next incremental load.
    var nextStep: DirectoryState { DirectoryState(size: size, load: load, step: step + 1) }

    var description: String { "load \(load) with \(step) steps (\(blocking) blocked, \(identification) with names)" }

    /// Returns the requests that load this state.
    func batches(of extension: String) -> [DirectoryLoad] {
        let isStep = step > 0
        let indices = isStep ? Array(stride(from: step, to: identification, by: 10)) : Array(0..<identification)
        let starts = Array(stride(from: 0, to: indices.count, by: Self.entriesInBatch))
        return starts.enumerated().map { batch, start in
            let piece = indices[start...].prefix(Self.entriesInBatch)
            var load = DirectoryLoad(`extension`, isIncremental: isStep)
            load.batch = batch + 1
            load.isFinal = batch == starts.count - 1
            load.identification = piece.map { DirectoryEntry(number($0), label($0)) }
            if isStep {
                load.removeIdentification = piece.map(number)
                load.blocking = load.isFinal ? [blockedByStep] : []
            } else {
                load.blocking = piece.filter { $0 % 5 == 0 }.map(number)
            }
            return load
        }
    }

    /// The entries that fit in a message of 64 KB.
    private static let entriesInBatch = 600
}
