import HubEngine

/// An estimate, near the maximum, of the bytes that a transaction causes to one other party; made in advance.
struct FanOutEstimate {
    /// The bytes that each party of a group is sent about all the others.
    private let groupBytes: Int
    /// The bytes for the device's pending actions, and for the requested ones.
    private(set) var bytes = 0

    /// Makes an estimate of the pending actions.
    init(_ engine: Engine, _ session: SessionID) {
        let parties = engine.parties(of: session)
        // Handles and names are in `audio.sources`, and in the `participants` of `call.changed`.
        groupBytes = parties.count > 1 ? parties.count * Self.bytesOfMember + 2 * parties.textBytes : 0
        for action in engine.pendingActions(of: session) { add(action.kind) }
    }

    /// Adds the bytes of an action.
    mutating func add(_ kind: ActionKind) {
        switch kind {
        case .playDTMF(let digits, .singleTone): bytes += digits.utf8.count * Self.bytesOfDigits
        case .playDTMF(let digits, _): bytes += digits.utf8.count + Self.bytesOfDigits
        case .answer, .setHeld, .setGroup, .pull, .end, .endHere, .decline: bytes += Self.bytesOfChange + groupBytes
        // The notifications of both ends, and those of a transferred call's new callee.
        case .transfer: bytes += 2 * (Self.bytesOfChange + groupBytes)
        case .start: bytes += Self.bytesOfChange
        case .setMuted, .setTranslating, .unknown: bytes += Self.bytesOfDigits
        }
    }

    /// The bytes of `call.dtmf`, and of the small notifications to observers.
    private static let bytesOfDigits = 200
    /// The bytes of `call.changed`, and of its accompanying notifications.
    private static let bytesOfChange = 1_500
    /// The bytes of one entry of `audio.sources` and one of `participants`, without handle and name.
    private static let bytesOfMember = 140 + 80
}
