import HubEngine

/// What is kept of one conversation for its record: who, when, what happened, and what became of the sound.
///
/// Bounded, however long the call lasts and whatever is done in it.
struct CallRecord: Sendable {
    /// Where in the life of a call an event belongs; the raw value is its name in the record.
    enum EventKind: String, Sendable {
        /// The caller's device has asked for it.
        case started
        /// A device of the callee rings.
        case ringing
        /// A device answers; its action is not fulfilled yet.
        case answering
        /// The device can speak and hear.
        case connected
        case held
        case resumed
        case muted
        case unmuted
        /// It is in a group from now on.
        case merged
        /// It is in a group no more.
        case split
        /// Its audio session has begun.
        case audioBegan
        case audioEnded
        case connectionLost
        case connectionResumed
        case ended
    }

    /// Something that happened on a leg.
    struct Event: Sendable {
        var at: Instant
        /// Which of `legs`; nil: one of which nothing is kept.
        var leg: Int?
        var kind: EventKind
        var detail: String?
    }

    /// One party's end of it on one device.
    struct Leg: Sendable {
        var session: SessionID
        var callUUID: CallUUID
        var isOutgoing: Bool
        var account: String
        var deviceID: String
        var deviceName: String?
        /// The peer of the connection it came on, and of later ones.
        var address: String
        var remoteHandle: Handle
        var connectedAt: Instant?
        var endedAt: Instant?
        var endedReason: EndReason?
        var cause: EndCause?
        /// Nil: its audio session has never covered it.
        var quality: LegQuality?
        /// The audio sessions whose figures have not come yet.
        var awaited: [UInt32] = []

        /// The figures of an audio session that was waited for.
        mutating func add(_ figures: LegQuality) {
            if figures.share != .moved { awaited.removeAll { $0 == figures.ssrc } }
            if quality == nil { quality = figures } else { quality? += figures }
        }
    }

    /// Names it in this run of the hub.
    let number: Int
    /// What it is about, as the engine calls it as long as it lives; nil: nothing that is known.
    let conversation: ConversationID?
    /// The first ones; of more than that only the number is kept.
    var legs: [Leg] = []
    var omittedLegs = 0
    /// Legs that live.
    var livingLegs = 0
    var startedAt: Instant
    var connectedAt: Instant?
    var endedAt: Instant?
    private(set) var firstEvents: [Event] = []
    private(set) var lastEvents: [Event] = []
    private(set) var omittedEvents = 0

    init(number: Int, startedAt: Instant, conversation: ConversationID?) {
        self.number = number
        self.conversation = conversation
        self.startedAt = startedAt
        legs.reserveCapacity(2)
        firstEvents.reserveCapacity(12)
    }

    /// A leg more; where it is kept, its place.
    mutating func add(_ leg: Leg) -> Int? {
        livingLegs += 1
        guard legs.count < Self.keptLegs else {
            omittedLegs += 1
            return nil
        }
        legs.append(leg)
        return legs.count - 1
    }

    /// A leg's device can speak and hear; true where it is the first one.
    mutating func connected(_ leg: Int?, at instant: Instant?) -> Bool {
        if let leg { legs[leg].connectedAt = instant }
        guard connectedAt == nil else { return false }
        connectedAt = instant
        return true
    }

    /// A leg is over.
    mutating func ended(_ leg: Int?, by call: CallSnapshot) {
        livingLegs -= 1
        guard let leg else { return }
        legs[leg].endedAt = call.endedAt
        legs[leg].endedReason = call.endedReason
        legs[leg].cause = call.cause
    }

    /// Its last leg has ended.
    mutating func finish(at now: Instant) {
        endedAt = legs.reduce(nil) { last, leg in leg.endedAt.map { max($0, last ?? $0) } ?? last } ?? now
    }

    /// Figures of an audio session will come for a leg; false: they are waited for already.
    mutating func await(_ ssrc: UInt32, on leg: Int) -> Bool {
        guard !legs[leg].awaited.contains(ssrc) else { return false }
        legs[leg].awaited.append(ssrc)
        return true
    }

    /// Figures for a leg have come; true where nothing lives any more.
    mutating func add(_ quality: LegQuality, to leg: Int) -> Bool {
        legs[leg].add(quality)
        return hasEnded
    }

    /// Whether its last leg has ended.
    var hasEnded: Bool { livingLegs == 0 }

    /// Whether nothing more will come of it.
    var isComplete: Bool { hasEnded && legs.allSatisfy(\.awaited.isEmpty) }

    /// The leg that the record is named by: the caller's, or the first one of a call from outside.
    var mainLeg: Leg? { legs.first(where: \.isOutgoing) ?? legs.first }

    /// Keeps an event: the first ones, and the last ones.
    mutating func append(_ event: Event) {
        guard firstEvents.count >= Self.keptEvents else { return firstEvents.append(event) }
        if lastEvents.count >= Self.keptEvents {
            lastEvents.removeFirst()
            omittedEvents += 1
        }
        lastEvents.append(event)
    }

    /// Events kept from the beginning, and as many from the end.
    ///
    /// More: longer stories; more memory a call, some 60 bytes each.
    static let keptEvents = 40
    /// Legs of which all is kept.
    ///
    /// More: an account with more devices is in the record whole; more memory a call, some 700 bytes each.
    static let keptLegs = 16
}
