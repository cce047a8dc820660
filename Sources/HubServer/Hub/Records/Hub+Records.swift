import HubEngine
import HubWire

/// The call detail records, and the log of calls.
extension Hub {
    /// Adds a notification about calls to their records.
    func note(_ notification: Notification, to session: SessionID) {
        let now = clock.now
        switch notification {
        case .callChanged(let call):
            ledger.changed(call, of: session, in: engine.conversation(of: call.uuid, on: session), at: now)
        case .didActivateAudioSession(let audio):
            ledger.activated(audio, of: session, at: now)
            if let client = sessions[session], client.reportsDroppedPackets { client.audioSessions.note(audio) }
        case .didDeactivateAudioSession(let audio): ledger.deactivated(audio, of: session, at: now)
        case .didBegin, .didReset, .execute, .perform, .timedOutPerforming, .observed, .dtmf, .audioSources: break
        }
    }

    /// Adds the figures of an audio session, which may come late and from another thread.
    func received(_ quality: LegQuality) {
        ledger.received(quality)
        if let drops = quality.lastDrops { lastDrops.append(drops) }
    }

    /// Notifies clients of the last drops and writes the complete records; called when an event and all its effects are
    /// done.
    func settleRecords() {
        notifyOfLastDrops()
        guard ledger.hasNews else { return }
        for session in ledger.toBeAsked { routes?.askQuality(of: session) }
        if ledger.tellsNews { for (event, leg) in ledger.takeNews() { tell(event, on: leg) } }
        for record in ledger.takeComplete(at: clock.now) { keep(record) }
    }

    /// Writes all records, complete or not, when the hub stops.
    func closeRecords() {
        // No more figures can arrive from devices on other loops.
        for session in ledger.sessions {
            guard var quality = ground?.quality(of: session) else { continue }
            quality.share = .last
            ledger.received(quality)
        }
        for record in ledger.takeAll(at: clock.now) { keep(record) }
    }

    private func keep(_ record: CallRecord) {
        keeper?.keep(record)
        if log.tells(.info) { log(.info, "call ended", record.fields) }
    }

    private func tell(_ event: CallRecord.Event, on leg: CallRecord.Leg?) {
        guard let leg else { return }
        var fields = [
            ("call", leg.callUUID.uuidText), ("account", leg.account), ("device", leg.deviceID),
            ("session", sessions[leg.session]?.name ?? "-"),
        ]
        if event.kind == .started { fields.append(("called", leg.remoteHandle.value)) }
        if event.kind == .ringing { fields.append(("caller", leg.remoteHandle.value)) }
        if let detail = event.detail { fields.append(("detail", detail)) }
        log(.debug, event.kind.message, fields)
    }
}

extension CallRecord {
    /// The fields of the log line of a finished call: its outcome, and the worst of its audio figures.
    fileprivate var fields: [(String, String)] {
        guard let main = mainLeg else { return [] }
        var fields: [(String, String)] = []
        fields.reserveCapacity(7 + 6 * legs.count)
        fields.append(("call", main.callUUID.uuidText))
        fields.append(("caller", main.isOutgoing ? main.account : main.remoteHandle.value))
        fields.append(("called", main.isOutgoing ? main.remoteHandle.value : main.account))
        fields.append(("reason", main.endedReason?.name ?? "local"))
        fields.append(("cause", main.cause?.rawValue ?? "none"))
        fields.append(("answered", connectedAt == nil ? "false" : "true"))
        fields.append(("duration.ms", String(duration.wholeNanoseconds / 1_000_000)))
        for leg in legs {
            guard let quality = leg.quality else { continue }
            let (sent, heard) = (quality.sent, quality.heard)
            let dropped = sent.drops.indices.reduce(0) { $0 &+ sent.drops[$1] }
            let isCaller = leg.isOutgoing
            fields.append((isCaller ? "caller.sent" : "callee.sent", String(sent.received)))
            fields.append((isCaller ? "caller.lost" : "callee.lost", String(sent.lost)))
            fields.append((isCaller ? "caller.dropped" : "callee.dropped", String(dropped)))
            fields.append((isCaller ? "caller.stall.ms" : "callee.stall.ms", String(sent.longestStall / 1_000_000)))
            fields.append((isCaller ? "caller.heard" : "callee.heard", String(heard.taken)))
            let missed = heard.droppedSlow &+ heard.missedWhileLost
            fields.append((isCaller ? "caller.missed" : "callee.missed", String(missed)))
        }
        return fields
    }
}

extension CallRecord.EventKind {
    /// The log message.
    fileprivate var message: StaticString {
        switch self {
        case .started: "call started"
        case .ringing: "call rings"
        case .answering: "call is being answered"
        case .connected: "call connected"
        case .held: "call held"
        case .resumed: "call resumed"
        case .muted: "call muted"
        case .unmuted: "call unmuted"
        case .merged: "call merged"
        case .split: "call split"
        case .audioBegan: "audio session began"
        case .audioEnded: "audio session ended"
        case .connectionLost: "connection of a call lost"
        case .connectionResumed: "connection of a call resumed"
        case .ended: "leg of a call ended"
        }
    }
}
