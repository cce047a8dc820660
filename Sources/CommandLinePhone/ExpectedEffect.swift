import HubClient
import HubEngine

/// The effect of a command on the calls of an operated device, which the next line of a script waits for.
struct ExpectedEffect {
    /// Words for the effect, as in "the call is on hold".
    let words: String
    /// Indicates that the device's calls are as the command wishes.
    let isThere: (_ calls: [CallSnapshot]) -> Bool

    /// An effect on some calls; a call that has ended has no other effect any more.
    init(_ words: String, on calls: [CallUUID], _ fits: @escaping (CallSnapshot) -> Bool) {
        self.words = words
        isThere = { all in all.allSatisfy { !calls.contains($0.uuid) || fits($0) } }
    }

    /// The effect of a start: a call that there was not before, which the device has begun.
    init(callBesides known: [CallUUID]) {
        words = "the device calls"
        isThere = { all in all.contains { !known.contains($0.uuid) && $0.state != .starting } }
    }
}
