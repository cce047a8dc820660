import HubClient

/// All of a call directory, by two numbers: each whole load and each incremental one can be told from all others, by the
/// counts and by what any number is called.
struct DirectoryState: Equatable, Sendable, CustomStringConvertible {
    /// How many entries at most.
    let size: Int
    /// The last whole load; 0: none yet.
    var load = 0
    /// The incremental loads since.
    var step = 0

    /// How many incremental loads follow a whole one at most.
    static let mostSteps = 5

    /// How many numbers have names.
    var identification: Int { load == 0 ? 0 : size - load % 7 * 11 }
    /// How many are blocked: one of five of the load, and one for each step.
    var blocking: Int { load == 0 ? 0 : (identification + 4) / 5 + step }

    /// A number of the load: no two loads after each other have any in common.
    func number(_ index: Int) -> Int64 { 49_100_000_000 + Int64(index) * 2 + Int64(load % 2) }

    /// What it is called; each step gives new names to one of ten.
    func label(_ index: Int) -> String {
        let step = index % 10
        return (1...Self.mostSteps).contains(step) && step <= self.step ? "load \(load), step \(step)" : "load \(load)"
    }

    /// What the step blocks besides.
    private var blockedByStep: Int64 { 49_900_000_000 + Int64(step) }

    /// All numbers that are blocked, ascending.
    var blockedNumbers: [Int64] {
        guard load > 0 else { return [] }
        return stride(from: 0, to: identification, by: 5).map(number) + (0..<step).map { 49_900_000_001 + Int64($0) }
    }

    /// The next whole load.
    var nextLoad: DirectoryState { DirectoryState(size: size, load: load + 1) }
    /// The next incremental one.
    var nextStep: DirectoryState { DirectoryState(size: size, load: load, step: step + 1) }

    var description: String { "load \(load) with \(step) steps (\(blocking) blocked, \(identification) with names)" }

    /// What a client sends to have this.
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

    /// What fits in a message of 64 KB.
    private static let entriesInBatch = 600
}
