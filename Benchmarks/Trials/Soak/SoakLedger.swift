import Synchronization

/// What all the clients of a soak have done and been told, counted.
final class SoakLedger: Sendable {
    /// Numbers that only grow.
    struct Counts: Sendable {
        /// Things that clients did, faults included.
        var deeds = 0
        /// By what they were.
        var deedsByName: [String: Int] = [:]
        var faults = 0
        /// Sessions that clients know they opened, and took up.
        var signIns = 0
        var resumes = 0
        /// Sessions that could not be taken up.
        var resets = 0
        /// Attempts to sign in that failed.
        var failedSignIns = 0
        /// Refusals that clients were told.
        var refusals = 0
        var refusalsByCode: [Int: Int] = [:]
        /// Requests whose answer never came.
        var unanswered = 0
        /// Last snapshots of calls.
        var callsEnded = 0
        var callsEndedByCause: [String: Int] = [:]
        var packetsSent = 0
        /// Packets that came of other clients, and of the hub's tone and music.
        var packetsHeard = 0
        var packetsPlayed = 0
        /// Packets of somebody whom `audio.sources` does not name.
        var strays = 0
        /// Notifications that were missing, or could not be read: a fault of the hub's each.
        var missedNotifications = 0
        var unexpectedMessages = 0
        /// Frames that were late by more than the pause between two.
        var lateFrames = 0
    }

    private let state = Mutex(Counts())
    /// What was wrong, in words; the first ones.
    private let words = Mutex([String]())

    /// All numbers, as they are now.
    var counts: Counts { state.withLock { $0 } }

    /// Changes the numbers.
    func note(_ change: (inout sending Counts) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Notes a deed.
    func deed(_ name: String, isFault: Bool = false) {
        state.withLock {
            $0.deeds += 1
            $0.deedsByName[name, default: 0] += 1
            if isFault { $0.faults += 1 }
        }
    }

    /// Notes what should never be.
    func complain(_ text: String) {
        words.withLock { if $0.count < 100 { $0.append(text) } }
    }

    /// What should never have been.
    var complaints: [String] { words.withLock { $0 } }
}
