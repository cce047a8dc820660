import HubEngine

/// The data of one conversation for its record: parties, times, events, and audio statistics.
///
/// Its size is bounded, however long the call lasts and whatever happens in it.
struct CallRecord: Sendable {
    /// The kind of an event in the life of a call; the raw value is its name in the record.
    enum EventKind: String, Sendable {
        /// The caller's device has requested the call.
        case started
        /// A device of the callee has begun to ring.
        case ringing
        /// A device has begun to answer; its action is not fulfilled yet.
        case answering
        /// The device can send and receive audio.
        case connected
        case held
        case resumed
        case muted
        case unmuted
        /// The call has joined a group.
        case merged
        /// The call has left its group.
        case split
        /// A transfer has connected the call with another party.
        case transferred
        /// Its audio session has begun.
        case audioBegan
        case audioEnded
        case connectionLost
        case connectionResumed
        case ended
    }

    /// An event on a leg.
    struct Event: Sendable {
        var at: Instant
        /// The index in `legs`; nil: a leg that is only counted.
        var leg: Int?
        var kind: EventKind
        var detail: String?
    }

    /// One party's end of the conversation on one device.
    struct Leg: Sendable {
        var session: SessionID
        var callUUID: CallUUID
        var isOutgoing: Bool
        var account: String
        var deviceID: String
        var deviceName: String?
        /// The address of its connection when the call began.
        var address: String
        var remoteHandle: Handle
        var connectedAt: Instant?
        var endedAt: Instant?
        var endedReason: EndReason?
        var cause: EndCause?
        /// The maximum number of other people in the conversation of a group, at one time.
        var participants = 0
        /// The audio statistics; nil: no audio session has covered the call.
        var quality: LegQuality?
        /// The SSRCs of the audio sessions whose statistics have not arrived.
        var awaited: [UInt32] = []

        /// Adds the statistics of an audio session.
        mutating func add(_ statistics: LegQuality) {
            if statistics.coverage != .moved { awaited.removeAll { $0 == statistics.ssrc } }
            if quality == nil { quality = statistics } else { quality? += statistics }
        }
    }

    /// The number of the record in this run of the hub.
    let number: Int
    /// The engine's ID of the conversation, valid until it ends; nil: unknown.
    let conversation: ConversationID?
    /// The first legs, up to `keptLegs`; further ones are only counted.
    var legs: [Leg] = []
    var omittedLegs = 0
    /// The number of legs that have not ended.
    var ongoingLegs = 0
    /// The number of legs that came from other conversations by a transfer.
    private var joinedLegs = 0
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

    /// Adds a leg; returns its index, or nil if it is only counted.
    mutating func add(_ leg: Leg) -> Int? {
        ongoingLegs += 1
        guard legs.count < Self.keptLegs else {
            omittedLegs += 1
            return nil
        }
        legs.append(leg)
        return legs.count - 1
    }

    /// Notes that a leg is connected; returns true if it is the first one.
    mutating func connected(_ leg: Int?, at instant: Instant?) -> Bool {
        if let leg { legs[leg].connectedAt = instant }
        guard connectedAt == nil else { return false }
        connectedAt = instant
        // A leg that has come by a transfer is connected in this conversation since now.
        if joinedLegs > 0 {
            for index in legs.indices where legs[index].endedAt == nil { legs[index].connectedAt = instant }
        }
        return true
    }

    /// Notes that a leg has gone on to another conversation.
    mutating func transferred(_ leg: Int?, at now: Instant) {
        ongoingLegs -= 1
        guard let leg else { return }
        legs[leg].endedAt = now
        legs[leg].cause = .transferred
    }

    /// Notes that a leg has come from another conversation; returns true if that connects two such legs.
    mutating func joined(at now: Instant) -> Bool {
        joinedLegs += 1
        guard joinedLegs == 2, connectedAt == nil else { return false }
        connectedAt = now
        for index in legs.indices where legs[index].connectedAt == nil { legs[index].connectedAt = now }
        return true
    }

    /// Notes the number of other people in a leg's conversation.
    mutating func noteParticipants(_ count: Int, on leg: Int?) {
        if let leg { legs[leg].participants = max(legs[leg].participants, count) }
    }

    /// Notes the end of a leg.
    mutating func ended(_ leg: Int?, by call: CallSnapshot) {
        ongoingLegs -= 1
        guard let leg else { return }
        legs[leg].endedAt = call.endedAt
        legs[leg].endedReason = call.endedReason
        legs[leg].cause = call.cause
    }

    /// Sets the end of the conversation, after its last leg has ended.
    mutating func finish(at now: Instant) {
        endedAt = legs.reduce(nil) { last, leg in leg.endedAt.map { max($0, last ?? $0) } ?? last } ?? now
    }

    /// Notes that statistics of an audio session will arrive for a leg; false: they are awaited already.
    mutating func expectStatistics(_ ssrc: UInt32, on leg: Int) -> Bool {
        guard !legs[leg].awaited.contains(ssrc) else { return false }
        legs[leg].awaited.append(ssrc)
        return true
    }

    /// Adds statistics to a leg; returns true if all legs have ended.
    mutating func add(_ quality: LegQuality, to leg: Int) -> Bool {
        legs[leg].add(quality)
        return hasEnded
    }

    /// True if the last leg has ended.
    var hasEnded: Bool { ongoingLegs == 0 }

    /// True if all legs have ended and all statistics have arrived.
    var isComplete: Bool { hasEnded && legs.allSatisfy(\.awaited.isEmpty) }

    /// The leg that names the record: the caller's, or the first one of a call from outside.
    var mainLeg: Leg? { legs.first(where: \.isOutgoing) ?? legs.first }

    /// Adds an event; the first and the last ones are kept.
    mutating func append(_ event: Event) {
        guard firstEvents.count >= Self.keptEvents else { return firstEvents.append(event) }
        if lastEvents.count >= Self.keptEvents {
            lastEvents.removeFirst()
            omittedEvents += 1
        }
        lastEvents.append(event)
    }

    /// The number of events kept from the beginning, and as many from the end.
    ///
    /// More: longer histories; more memory a call, some 60 bytes each.
    static let keptEvents = 40
    /// The number of legs that are kept.
    ///
    /// More: calls to accounts with more devices are recorded completely; more memory a call, some 700 bytes each.
    static let keptLegs = 16
}
