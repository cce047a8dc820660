import HubEngine

/// The bytes that a transaction makes the hub send to one other party, at most about so many: known before it is performed.
struct TrafficEstimate {
    /// What each party of a group is sent of all the others.
    private let groupBytes: Int
    /// The sum, of the actions of a device that are accepted and wait, and of those that are requested.
    private(set) var bytes = 0

    /// An estimate of what is pending already.
    init(_ engine: Engine, _ session: SessionID) {
        let parties = engine.parties(of: session)
        groupBytes = parties.count > 1 ? parties.count * Self.bytesOfSource + parties.textBytes : 0
        for action in engine.pendingActions(of: session) { add(action.kind) }
    }

    /// Adds an action.
    mutating func add(_ kind: ActionKind) {
        switch kind {
        case .playDTMF(let digits, .singleTone): bytes += digits.utf8.count * Self.bytesOfDigits
        case .playDTMF(let digits, _): bytes += digits.utf8.count + Self.bytesOfDigits
        case .answer, .setHeld, .setGroup, .pull, .end, .endHere: bytes += Self.bytesOfChange + groupBytes
        case .start: bytes += Self.bytesOfChange
        case .setMuted, .setTranslating, .unknown: bytes += Self.bytesOfDigits
        }
    }

    /// `call.dtmf`, and the little that observers are sent.
    private static let bytesOfDigits = 200
    /// `call.changed`, with what goes along with it.
    private static let bytesOfChange = 1_500
    /// One entry of `audio.sources` without handle and name.
    private static let bytesOfSource = 140
}
