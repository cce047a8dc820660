import BenchmarkSupport

/// The results of the full-disk trial.
struct FullDiskReport: TrialReport {
    /// The events while the disk was in one state.
    struct Stretch: Encodable {
        var name: String
        var isFull: Bool
        /// The time of each call from its start until both ends were connected.
        var setUpMilliseconds: [Double] = []
        var packetsHeard = 0
        var signInMilliseconds = 0.0
        /// Requests to store data.
        var done = 0
        var refused = 0
        /// The error messages of refused requests; each once.
        var sentences: [String] = []
        /// The hub's metrics: failures within the stretch, and entries waiting and lost at its end.
        var failures = 0
        var isFullCounted = false
        var waiting = 0
        var lost = 0
        /// Calls that a kill would have lost, in a hub that was started on the full disk.
        var unjournaled = 0
        /// The time until all waiting entries were written; nil on a full disk.
        var secondsUntilWritten: Double?
        /// Calls that clients do not see in Recents, or see twice.
        var missingRecents = 0
        /// Entries that are in only one of the database and the acknowledged data; nil if they were not compared.
        var wrongInFile: Int?

        /// Counts an answer.
        mutating func note(_ answer: FullDiskPhones.Answer) {
            switch answer {
            case .done: done += 1
            case .refused(let sentence):
                refused += 1
                if !sentences.contains(sentence) { sentences.append(sentence) }
            }
        }
    }

    /// The limit of the time until all is written, in seconds.
    ///
    /// The store tries again once a second; the rest is slack for a machine with other things to do.
    private static let longestWait = 3.0
    /// The limit of a call's set-up on a full disk, as a multiple of that with room.
    ///
    /// Half as much is this machine's noise, and one wait for a disk would be far more.
    private static let largestRatio = 3.0
    private static let sentence = "the hub cannot store this now: its disk is full; try again when there is free space"

    var calls: Int
    var megabytes: Int
    var stretches: [Stretch]
    /// The error that ended the trial early.
    var failure: String?

    init(_ options: TrialOptions, _ stretches: [Stretch], failure: String?) {
        calls = options["--calls"]
        megabytes = options["--megabytes"]
        self.stretches = stretches
        self.failure = failure
    }

    private var full: [Stretch] { stretches.filter(\.isFull) }
    private var withRoom: [Stretch] { stretches.filter { !$0.isFull } }

    /// The median set-up time on a full disk, as a multiple of that with room.
    private var setUpRatio: Double? {
        let room = median(withRoom.flatMap(\.setUpMilliseconds))
        return room > 0 ? median(full.flatMap(\.setUpMilliseconds)) / room : nil
    }

    var checks: [Check] {
        let said = stretches.count * calls * 2 * FullDiskPhones.packetsEach
        let strange = stretches.flatMap(\.sentences).count { $0 != Self.sentence }
        return [
            Check(name: "what kept the trial from its end", value: failure == nil ? 0 : 1, limit: 0),
            count("packets that were said in calls and not heard", said - stretches.map(\.packetsHeard).reduce(0, +)),
            Check(
                name: "a call's set-up on the full disk, as a multiple of that with room",
                value: setUpRatio,
                limit: Self.largestRatio
            ),
            count("things to remember that were refused with room", withRoom.map(\.refused).reduce(0, +)),
            Check(
                name: "things to remember that were refused on the full disk, in each stretch",
                value: full.map(\.refused).min().map { Double($0) },
                limit: 1,
                isLowest: true
            ),
            count("refusals with another sentence than that the disk is full", strange),
            Check(
                name: "failures that the metrics count on the full disk, in each stretch",
                value: full.map { $0.isFullCounted ? Double($0.failures) : 0 }.min(),
                limit: 1,
                isLowest: true
            ),
            Check(
                name: "s until all was written, once there was room",
                value: withRoom.compactMap(\.secondsUntilWritten).max(),
                limit: Self.longestWait
            ),
            count("ended calls that the hub has lost", stretches.map(\.lost).reduce(0, +)),
            count(
                "ended calls that a kill would have lost, but for a hub that was started on the full disk",
                stretches.filter { !FullDiskTrial.withoutJournal.contains($0.name) }.map(\.unjournaled).reduce(0, +)
            ),
            count("calls missing in Recents, or there twice", stretches.map(\.missingRecents).reduce(0, +)),
            count("what the database has and should not, or not and should", wrongInFile),
        ]
    }

    private var wrongInFile: Int? {
        let looks = stretches.compactMap(\.wrongInFile)
        return looks.isEmpty ? nil : looks.reduce(0, +)
    }

    private func count(_ name: String, _ value: Int?) -> Check {
        Check(name: name, value: value.map { Double($0) }, limit: 0)
    }

    var doubts: [String] { [] }

    var text: String {
        let heading = [
            "calls", "disk", "set-up ms", "slowest", "heard", "sign-in ms", "remembered", "refused", "failures counted",
            "waiting", "lost", "unjournaled", "written after s", "missing in Recents", "wrong in the file",
        ]
        let lines = stretches.map { stretch in
            [
                String(stretch.setUpMilliseconds.count), stretch.name, fixed(median(stretch.setUpMilliseconds), 1),
                fixed(stretch.setUpMilliseconds.max() ?? 0, 1), String(stretch.packetsHeard),
                fixed(stretch.signInMilliseconds, 0), String(stretch.done), String(stretch.refused),
                String(stretch.failures), String(stretch.waiting), String(stretch.lost), String(stretch.unjournaled),
                stretch.secondsUntilWritten.map { fixed($0, 2) } ?? "-", String(stretch.missingRecents),
                stretch.wrongInFile.map { String($0) } ?? "-",
            ]
        }
        let sentences = Set(stretches.flatMap(\.sentences)).sorted().map { "error message: \($0)\n" }.joined()
        return "a disk of \(megabytes) MB\n" + Table(lines: [heading] + lines).text + sentences
            + (failure.map { "ended before its time: \($0)\n" } ?? "")
    }
}
