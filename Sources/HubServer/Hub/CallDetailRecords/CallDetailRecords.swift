import HubEngine
import HubWire

/// The call detail records, and the log of calls.
///
/// Owns the builder of the records and their writer, and the last drops of which clients are yet to be notified.
struct CallDetailRecords {
    private var cdrBuilder = CDRBuilder()
    private let cdrWriter: CDRWriter?
    private let log: HubLog
    private var lastDrops: [DropReport] = []

    /// Makes records of no calls.
    ///
    /// - Parameters:
    ///   - cdrWriter: The writer; nil: records are logged, and not written.
    ///   - log: The log of calls.
    init(_ cdrWriter: CDRWriter?, log: HubLog) {
        self.cdrWriter = cdrWriter
        self.log = log
        cdrBuilder.logsEvents = log.isEnabled(.debug)
    }

    /// The number of calls that have not ended, or await their last statistics.
    var count: Int { cdrBuilder.count }

    /// The counters of calls, for metrics.
    var counts: CallCounts { cdrBuilder.counts }

    /// The time until which statistics are awaited; nil: none are.
    var nextDeadline: Instant? { cdrBuilder.nextDeadline }

    /// Returns the number of a session's calls that have not ended.
    func ongoingCalls(of session: SessionID) -> Int { cdrBuilder.ongoingCalls(of: session) }

    // MARK: Sessions

    /// Adds a session, on a connection from an address.
    mutating func open(_ session: ClientSession, from address: String) {
        cdrBuilder.opened(
            session.id,
            account: session.account,
            device: session.device.id ?? "",
            name: session.device.name,
            address: address
        )
    }

    /// Notes that a session has ended.
    mutating func close(_ session: SessionID) { cdrBuilder.closed(session) }

    /// Notes that the connection of a session is lost.
    mutating func connectionLost(_ session: SessionID, at now: Instant) {
        cdrBuilder.connectionLost(session, at: now)
    }

    /// Notes that a session has another connection, from an address.
    mutating func connectionResumed(_ session: SessionID, from address: String, at now: Instant) {
        cdrBuilder.connectionResumed(session, address: address, at: now)
    }

    // MARK: Calls

    /// Adds the new state of a call to its record.
    ///
    /// - Parameters:
    ///   - call: The call as its client was notified of it.
    ///   - session: The session of the client.
    ///   - conversation: The conversation of the call.
    ///   - now: The time.
    mutating func change(
        _ call: CallSnapshot,
        of session: SessionID,
        in conversation: ConversationID?,
        at now: Instant
    ) {
        cdrBuilder.changed(call, of: session, in: conversation, at: now)
    }

    /// Notes that a client's audio session is active.
    mutating func activate(_ audio: AudioSession, of session: SessionID, at now: Instant) {
        cdrBuilder.activated(audio, of: session, at: now)
    }

    /// Notes that a client's audio session is no longer active.
    mutating func deactivate(_ audio: AudioSession, of session: SessionID, at now: Instant) {
        cdrBuilder.deactivated(audio, of: session, at: now)
    }

    /// Adds the statistics of an audio session, which may come late and from another thread.
    mutating func receive(_ quality: LegQuality) {
        cdrBuilder.received(quality)
        if let drops = quality.lastDrops { lastDrops.append(drops) }
    }

    /// Adds the statistics so far of an active audio session, when the hub stops.
    mutating func receiveAtStop(_ quality: LegQuality) {
        var quality = quality
        quality.coverage = .last
        cdrBuilder.received(quality)
    }

    /// Removes and returns the last drops of audio sessions that have ended.
    mutating func takeLastDrops() -> [DropReport] {
        guard !lastDrops.isEmpty else { return [] }
        defer { lastDrops = [] }
        return lastDrops
    }

    // MARK: Writing

    /// True if there is anything to write or to request from the relays.
    var hasPendingWork: Bool { cdrBuilder.hasPendingWork }

    /// The sessions whose relays are to be asked for statistics.
    var sessionsToQuery: [SessionID] { cdrBuilder.sessionsToQuery }

    /// The sessions of the devices whose audio sessions are active.
    var sessionsWithAudio: [SessionID] { cdrBuilder.sessionsWithAudio }

    /// Logs what has happened to calls, and writes the complete records.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - sessionName: Returns a session's name for the log; nil: it has ended.
    mutating func write(at now: Instant, sessionName: (SessionID) -> String?) {
        if cdrBuilder.logsEvents {
            for case (let event, let leg?) in cdrBuilder.takeEvents() {
                log(.debug, event.kind.message, event.fields(of: leg, sessionName: sessionName(leg.session)))
            }
        }
        for record in cdrBuilder.takeComplete(at: now) { write(record) }
    }

    /// Writes all records, complete or not, when the hub stops.
    mutating func writeAll(at now: Instant) {
        for record in cdrBuilder.takeAll(at: now) { write(record) }
    }

    private func write(_ record: CallRecord) {
        cdrWriter?.append(record)
        if log.isEnabled(.info) { log(.info, "call ended", record.fields) }
    }
}
