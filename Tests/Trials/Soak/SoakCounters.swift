import Synchronization

/// The counts of all actions, notifications and packets of a soak's clients.
final class SoakCounters: Sendable {
    /// Numbers that only increase.
    struct Counts: Sendable {
        /// Actions of clients, faults included.
        var deeds = 0
        /// Actions by name.
        var deedsByName: [String: Int] = [:]
        var faults = 0
        /// Sessions opened and sessions resumed, as seen by the clients.
        var signIns = 0
        var resumes = 0
        /// Sessions that could not be resumed.
        var resets = 0
        /// Attempts to sign in that failed.
        var failedSignIns = 0
        /// Refused requests.
        var refusals = 0
        var refusalsByCode: [Int: Int] = [:]
        /// Requests without an answer.
        var unanswered = 0
        /// Snapshots of ended calls.
        var callsEnded = 0
        var callsEndedByCause: [String: Int] = [:]
        var packetsSent = 0
        /// Packets received from other clients, and from the hub's tone and music.
        var packetsHeard = 0
        var packetsPlayed = 0
        /// Packets of a source that `audio.sources` does not name.
        var strays = 0
        /// Notifications missing, and messages that could not be read: each a fault of the hub.
        var missedNotifications = 0
        var unexpectedMessages = 0
        /// Frames that were late by 20 ms and more.
        var lateFrames = 0
    }

    private let state = Mutex(Counts())
    /// Descriptions of faults, at most 100.
    private let words = Mutex([String]())

    /// All numbers at this moment.
    var counts: Counts { state.withLock { $0 } }

    /// Changes the numbers.
    func note(_ change: (inout sending Counts) -> Void) {
        state.withLock { change(&$0) }
    }

    /// Counts an action.
    func countAction(_ name: String, isFault: Bool = false) {
        state.withLock {
            $0.deeds += 1
            $0.deedsByName[name, default: 0] += 1
            if isFault { $0.faults += 1 }
        }
    }

    /// Records a fault.
    func addFault(_ text: String) {
        words.withLock { if $0.count < 100 { $0.append(text) } }
    }

    /// The recorded faults.
    var faultDescriptions: [String] { words.withLock { $0 } }
}
