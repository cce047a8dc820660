import HubEngine
import HubWire

/// The records of the calls that live, and of those whose last figures have not come yet.
///
/// Fed with what clients are told, with their connections' coming and going and with what the relay has counted; the figures of an
/// audio session may come at any later time, since the relay may be another thread's. A value without I/O and clock.
struct CallLedger {
    /// A signed-in device.
    struct Device {
        var account: String
        var id: String
        var name: String?
        var address: String
        /// The SSRC of its audio session; nil: it is not active.
        var ssrc: UInt32?
        /// Its living calls.
        var calls: [CallUUID] = []
    }

    /// Where a leg's record is.
    struct Place {
        var record: Int
        /// Nil: only its number is kept.
        var leg: Int?
        var last: Seen
    }

    /// What a leg's client was last told, as far as it becomes part of the story.
    struct Seen: Equatable {
        var state: CallSnapshot.State
        var isMuted: Bool
        var group: GroupUUID?

        init(_ call: CallSnapshot) {
            state = call.state
            isMuted = call.isMuted
            group = call.group
        }
    }

    struct LegKey: Hashable {
        var session: SessionID
        var call: CallUUID
    }

    struct Activation: Hashable {
        var session: SessionID
        var ssrc: UInt32
    }

    struct Covered {
        var record: Int
        var leg: Int
    }

    private(set) var counts = CallCounts()
    /// What has happened since `takeNews`; kept only where somebody wants it.
    var news: [(record: Int, event: CallRecord.Event)] = []
    /// Whether each event is to be told.
    var tellsNews = false

    var devices: [SessionID: Device] = [:]
    var records: [Int: CallRecord] = [:]
    var byConversation: [ConversationID: Int] = [:]
    var conversations: [Int: ConversationID] = [:]
    var places: [LegKey: Place] = [:]
    var covered: [Activation: [Covered]] = [:]
    /// Records of which a leg has ended, to be looked at when the event is over.
    var touched: [Int] = []
    /// Ended records that wait for figures, oldest first, and until when they do.
    var waiting: [(record: Int, until: Instant)] = []
    private var lastNumber = 0

    /// Calls that live, or wait for their last figures.
    var count: Int { records.count }

    /// Whether there is anything to be told, written down or waited for.
    var hasNews: Bool { !touched.isEmpty || !waiting.isEmpty || !news.isEmpty }

    /// When the next record gives up waiting.
    var nextDeadline: Instant? { waiting.first?.until }

    // MARK: Devices

    mutating func opened(_ session: SessionID, account: String, device: String, name: String?, address: String) {
        devices[session] = Device(
            account: account,
            id: Self.bounded(device),
            name: name.map(Self.bounded),
            address: address
        )
    }

    mutating func closed(_ session: SessionID) {
        devices[session] = nil
    }

    mutating func connectionLost(_ session: SessionID, at now: Instant) {
        for call in devices[session]?.calls ?? [] { note(.connectionLost, of: call, on: session, at: now) }
    }

    mutating func connectionResumed(_ session: SessionID, address: String, at now: Instant) {
        devices[session]?.address = address
        for call in devices[session]?.calls ?? [] {
            note(.connectionResumed, address, of: call, on: session, at: now)
        }
    }

    // MARK: Calls

    /// A device was told of a call.
    ///
    /// - Parameters:
    ///   - call: What it was told.
    ///   - session: Whom.
    ///   - conversation: Which conversation it belongs to; nil: not known any more.
    ///   - now: When.
    mutating func changed(
        _ call: CallSnapshot,
        of session: SessionID,
        in conversation: @autoclosure () -> ConversationID?,
        at now: Instant
    ) {
        let key = LegKey(session: session, call: call.uuid)
        let seen = Seen(call)
        guard let former = places[key]?.last else {
            // A call that has failed at once is told of by its end alone.
            begin(call, of: session, in: conversation(), at: now)
            if call.hasEnded { end(call, of: session, at: now) }
            return
        }
        guard former != seen else { return }
        if call.hasEnded { return end(call, of: session, at: now) }
        places[key]?.last = seen
        counts.move(from: former.state, to: call.state)
        tellChange(from: former, to: call, of: session, at: now)
        if call.state == .connected { cover(call.uuid, on: session) }
    }

    private mutating func begin(
        _ call: CallSnapshot,
        of session: SessionID,
        in conversation: ConversationID?,
        at now: Instant
    ) {
        let number = number(of: conversation, at: now)
        guard let device = devices[session] else { return }
        counts.begin(call)
        let leg = CallRecord.Leg(
            session: session,
            callUUID: call.uuid,
            isOutgoing: call.isOutgoing,
            account: device.account,
            deviceID: device.id,
            deviceName: device.name,
            address: device.address,
            remoteHandle: call.remoteHandle
        )
        let place = records[number]?.add(leg)
        var first = Seen(call)
        if call.hasEnded { first.state = .starting }
        places[LegKey(session: session, call: call.uuid)] = Place(record: number, leg: place ?? nil, last: first)
        devices[session]?.calls.append(call.uuid)
        let kind: CallRecord.EventKind =
            switch first.state {
            case .starting, .ended: .started
            case .ringing: .ringing
            case .connecting: call.isOutgoing ? .started : .answering
            case .connected, .held: .connected
            }
        note(kind, of: call.uuid, on: session, at: now)
        if kind == .connected { connected(call, on: session) }
    }

    private mutating func number(of conversation: ConversationID?, at now: Instant) -> Int {
        if let conversation, let known = byConversation[conversation] { return known }
        lastNumber += 1
        records[lastNumber] = CallRecord(number: lastNumber, startedAt: now)
        if let conversation {
            byConversation[conversation] = lastNumber
            conversations[lastNumber] = conversation
        }
        return lastNumber
    }

    private mutating func tellChange(
        from former: Seen,
        to call: CallSnapshot,
        of session: SessionID,
        at now: Instant
    ) {
        let wasConnected = former.state == .connected || former.state == .held
        switch call.state {
        case .connected where !wasConnected:
            note(.connected, of: call.uuid, on: session, at: now)
            connected(call, on: session)
        case .connected where former.state == .held: note(.resumed, of: call.uuid, on: session, at: now)
        case .held where former.state != .held: note(.held, of: call.uuid, on: session, at: now)
        case .connecting where former.state == .ringing: note(.answering, of: call.uuid, on: session, at: now)
        case .starting, .connecting, .ringing, .connected, .held, .ended: break
        }
        if former.isMuted != call.isMuted {
            note(call.isMuted ? .muted : .unmuted, of: call.uuid, on: session, at: now)
        }
        if former.group != call.group {
            note(call.group == nil ? .split : .merged, of: call.uuid, on: session, at: now)
        }
    }

    private mutating func connected(_ call: CallSnapshot, on session: SessionID) {
        guard let place = places[LegKey(session: session, call: call.uuid)] else { return }
        if let leg = place.leg { records[place.record]?.legs[leg].connectedAt = call.connectedAt }
        guard records[place.record]?.connectedAt == nil else { return }
        records[place.record]?.connectedAt = call.connectedAt
        counts.answered += 1
    }

    private mutating func end(_ call: CallSnapshot, of session: SessionID, at now: Instant) {
        let key = LegKey(session: session, call: call.uuid)
        guard let place = places[key] else { return }
        note(.ended, call.cause?.rawValue ?? call.endedReason?.name, of: call.uuid, on: session, at: now)
        counts.end(call, from: place.last.state)
        places[key] = nil
        devices[session]?.calls.removeAll { $0 == call.uuid }
        if let leg = place.leg {
            records[place.record]?.legs[leg].endedAt = call.endedAt
            records[place.record]?.legs[leg].endedReason = call.endedReason
            records[place.record]?.legs[leg].cause = call.cause
        }
        records[place.record]?.livingLegs -= 1
        touched.append(place.record)
    }

    mutating func note(
        _ kind: CallRecord.EventKind,
        _ detail: String? = nil,
        of call: CallUUID,
        on session: SessionID,
        at now: Instant
    ) {
        guard let place = places[LegKey(session: session, call: call)] else { return }
        let event = CallRecord.Event(at: now, leg: place.leg, kind: kind, detail: detail)
        records[place.record]?.append(event)
        if tellsNews { news.append((place.record, event)) }
    }

    private static func bounded(_ text: String) -> String { String(text.unicodeScalars.prefix(60)) }
}
