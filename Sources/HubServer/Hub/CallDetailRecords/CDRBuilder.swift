import HubEngine
import HubWire

/// The builder of call detail records: of active calls, and of those whose last statistics have not arrived.
///
/// Its input are the notifications to clients, their connections' state and the relay's statistics. The statistics of
/// an audio session may arrive at any later time, since the relay may be on another thread. A value without I/O and
/// clock.
struct CDRBuilder {
    /// A signed-in device.
    struct Device {
        let session: SessionID
        var account: String
        var id: String
        var name: String?
        var address: String
        /// The SSRC of its audio session; nil: it is not active.
        var ssrc: UInt32?
        /// Its calls that have not ended; few, so that a linear search is enough.
        var calls: [OngoingCall] = []
    }

    /// A call on a device that has not ended, and the number of its record.
    struct OngoingCall {
        var uuid: CallUUID
        var record: Int
        /// The index of the leg in the record; nil: the record keeps only the number of such legs.
        var leg: Int?
        var last: NotifiedState
    }

    /// The indices of a device in `devices` and of one of its calls.
    struct CallLocation {
        var device: Int
        var call: Int
    }

    /// The part of the last notification about a leg that the record depends on.
    struct NotifiedState: Equatable {
        var state: CallSnapshot.State
        var isMuted: Bool
        var group: GroupUUID?
        /// The number of people in the conversation besides the two parties.
        var participantCount: Int
        /// True if a transfer has made the call's conversation, or has failed: it may have another record.
        var isTransferred: Bool

        init(_ call: CallSnapshot) {
            state = call.state
            isMuted = call.isMuted
            group = call.group
            participantCount = call.participants.count
            isTransferred = call.transferor != nil || call.returned != nil
        }
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
    /// The events since `takeEvents`; only kept if `logsEvents` is set.
    var pendingEvents: [(record: Int, event: CallRecord.Event)] = []
    /// True if each event is to be logged.
    var logsEvents = false

    /// Indexed by session slot: a look-up for each notification, without a hash.
    var devices: [Device?] = []
    var records: [Int: CallRecord] = [:]
    var byConversation: [ConversationID: Int] = [:]
    var coveredCalls: [Activation: [Covered]] = [:]
    /// Records with a leg that has ended, to be checked after the event.
    var recordsToCheck: [Int] = []
    /// Ended records that wait for statistics, oldest first, with their deadlines.
    var waiting: [(record: Int, until: Instant)] = []
    private var lastNumber = 0

    /// The number of calls that have not ended, or wait for their last statistics.
    var count: Int { records.count }

    /// Returns the number of a device's calls that have not ended.
    func ongoingCalls(of session: SessionID) -> Int {
        index(of: session).map { devices[$0]?.calls.count ?? 0 } ?? 0
    }

    /// True while there are events to log, records to check or statistics to wait for.
    var hasPendingWork: Bool { !recordsToCheck.isEmpty || !waiting.isEmpty || !pendingEvents.isEmpty }

    /// The time at which the next record stops waiting for statistics.
    var nextDeadline: Instant? { waiting.first?.until }

    // MARK: Devices

    mutating func opened(_ session: SessionID, account: String, device: String, name: String?, address: String) {
        let index = Int(session.index)
        if devices.count <= index { devices.append(contentsOf: repeatElement(nil, count: index + 1 - devices.count)) }
        devices[index] = Device(
            session: session,
            account: account,
            id: Self.bounded(device),
            name: name.map(Self.bounded),
            address: address
        )
    }

    mutating func closed(_ session: SessionID) {
        if let index = index(of: session) { devices[index] = nil }
    }

    mutating func connectionLost(_ session: SessionID, at now: Instant) {
        guard let index = index(of: session) else { return }
        for call in devices[index]?.calls ?? [] { note(.connectionLost, of: call, at: now) }
    }

    mutating func connectionResumed(_ session: SessionID, address: String, at now: Instant) {
        guard let index = index(of: session) else { return }
        devices[index]?.address = address
        for call in devices[index]?.calls ?? [] { note(.connectionResumed, address, of: call, at: now) }
    }

    /// Returns the SSRC of a device's audio session; nil: it is not active, or the device is gone.
    func ssrc(of session: SessionID) -> UInt32? { index(of: session).flatMap { devices[$0]?.ssrc } }

    func index(of session: SessionID) -> Int? {
        let index = Int(session.index)
        return index < devices.count && devices[index]?.session == session ? index : nil
    }

    func location(of call: CallUUID, on session: SessionID) -> CallLocation? {
        guard let device = index(of: session),
            let index = devices[device]?.calls.firstIndex(where: { $0.uuid == call })
        else { return nil }
        return CallLocation(device: device, call: index)
    }

    func ongoing(_ location: CallLocation) -> OngoingCall? { devices[location.device]?.calls[location.call] }

    // MARK: Calls

    /// Notes that a device was notified of a call.
    ///
    /// - Parameters:
    ///   - call: The state of the call in the notification.
    ///   - session: The session of the device.
    ///   - conversation: The conversation of the call; nil: no longer known.
    ///   - now: The time of the notification.
    mutating func changed(
        _ call: CallSnapshot,
        of session: SessionID,
        in conversation: @autoclosure () -> ConversationID?,
        at now: Instant
    ) {
        let seen = NotifiedState(call)
        guard let location = location(of: call.uuid, on: session), let ongoing = ongoing(location) else {
            begin(call, of: session, in: conversation(), at: now)
            // The only notification of a call that has failed at once is its end.
            if call.hasEnded, let location = self.location(of: call.uuid, on: session) {
                end(call, at: location, at: now)
            }
            return
        }
        if call.hasConnected, !call.hasEnded, seen.isTransferred, let id = conversation(),
            let former = records[ongoing.record]?.conversation, former != id
        {
            return move(call, from: location, of: session, to: id, at: now)
        }
        guard ongoing.last != seen else { return }
        if call.hasEnded { return end(call, at: location, at: now) }
        devices[location.device]?.calls[location.call].last = seen
        counts.move(from: ongoing.last.state, to: call.state)
        records[ongoing.record]?.noteParticipants(seen.participantCount, on: ongoing.leg)
        noteChange(of: ongoing, to: call, at: now)
        if call.state == .connected { cover(ongoing, on: session) }
    }

    private mutating func begin(
        _ call: CallSnapshot,
        of session: SessionID,
        in conversation: ConversationID?,
        at now: Instant
    ) {
        guard let ongoing = add(call, of: session, in: conversation, at: now) else { return }
        counts.begin(call)
        let kind: CallRecord.EventKind =
            switch call.state {
            case .starting, .ended: .started
            case .ringing: .ringing
            case .connecting: call.isOutgoing ? .started : .answering
            case .connected, .held: .connected
            }
        note(kind, of: ongoing, at: now)
        if kind == .connected { connected(call, ongoing) }
    }

    /// Ends the leg of a transferred call in its record, and adds one to that of its new conversation.
    private mutating func move(
        _ call: CallSnapshot,
        from location: CallLocation,
        of session: SessionID,
        to conversation: ConversationID?,
        at now: Instant
    ) {
        guard let former = ongoing(location) else { return }
        note(.transferred, of: former, at: now)
        counts.move(from: former.last.state, to: call.state)
        devices[location.device]?.calls.remove(at: location.call)
        records[former.record]?.transferred(former.leg, at: now)
        recordsToCheck.append(former.record)
        guard let ongoing = add(call, of: session, in: conversation, at: now) else { return }
        note(.transferred, call.transferor?.handle.value, of: ongoing, at: now)
        if records[ongoing.record]?.joined(at: now) == true { counts.answered += 1 }
        if call.state == .connected { cover(ongoing, on: session) }
    }

    /// Adds a leg to the record of its conversation.
    private mutating func add(
        _ call: CallSnapshot,
        of session: SessionID,
        in conversation: ConversationID?,
        at now: Instant
    ) -> OngoingCall? {
        guard let index = index(of: session), let device = devices[index] else { return nil }
        let number = number(of: conversation, at: now)
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
        var first = NotifiedState(call)
        if call.hasEnded { first.state = .starting }
        let location = records[number]?.add(leg) ?? nil
        let ongoing = OngoingCall(uuid: call.uuid, record: number, leg: location, last: first)
        devices[index]?.calls.append(ongoing)
        records[number]?.noteParticipants(first.participantCount, on: location)
        return ongoing
    }

    private mutating func number(of conversation: ConversationID?, at now: Instant) -> Int {
        if let conversation, let known = byConversation[conversation] { return known }
        lastNumber += 1
        records[lastNumber] = CallRecord(number: lastNumber, startedAt: now, conversation: conversation)
        if let conversation { byConversation[conversation] = lastNumber }
        return lastNumber
    }

    private mutating func noteChange(of ongoing: OngoingCall, to call: CallSnapshot, at now: Instant) {
        let former = ongoing.last
        let wasConnected = former.state == .connected || former.state == .held
        switch call.state {
        case .connected where !wasConnected:
            note(.connected, of: ongoing, at: now)
            connected(call, ongoing)
        case .connected where former.state == .held: note(.resumed, of: ongoing, at: now)
        case .held where former.state != .held: note(.held, of: ongoing, at: now)
        case .connecting where former.state == .ringing: note(.answering, of: ongoing, at: now)
        case .starting, .connecting, .ringing, .connected, .held, .ended: break
        }
        if former.isMuted != call.isMuted { note(call.isMuted ? .muted : .unmuted, of: ongoing, at: now) }
        if former.group != call.group { note(call.group == nil ? .split : .merged, of: ongoing, at: now) }
    }

    private mutating func connected(_ call: CallSnapshot, _ ongoing: OngoingCall) {
        if records[ongoing.record]?.connected(ongoing.leg, at: call.connectedAt) == true { counts.answered += 1 }
    }

    private mutating func end(_ call: CallSnapshot, at location: CallLocation, at now: Instant) {
        guard let ongoing = ongoing(location) else { return }
        note(.ended, call.cause?.rawValue ?? call.endedReason?.name, of: ongoing, at: now)
        counts.end(call, from: ongoing.last.state)
        devices[location.device]?.calls.remove(at: location.call)
        records[ongoing.record]?.ended(ongoing.leg, by: call)
        recordsToCheck.append(ongoing.record)
    }

    mutating func note(
        _ kind: CallRecord.EventKind,
        _ detail: String? = nil,
        of ongoing: OngoingCall,
        at now: Instant
    ) {
        let event = CallRecord.Event(at: now, leg: ongoing.leg, kind: kind, detail: detail)
        records[ongoing.record]?.append(event)
        if logsEvents { pendingEvents.append((ongoing.record, event)) }
    }

    private static func bounded(_ text: String) -> String { String(text.unicodeScalars.prefix(60)) }
}
