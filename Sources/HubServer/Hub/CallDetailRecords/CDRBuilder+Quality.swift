import HubEngine

/// The assignment of audio sessions' statistics to calls, and the completion of records.
extension CDRBuilder {
    /// Notes that a device's audio session has begun, for these calls.
    mutating func activated(_ audio: AudioSession, of session: SessionID, at now: Instant) {
        guard let index = index(of: session) else { return }
        devices[index]?.ssrc = audio.ssrc
        for call in audio.calls {
            guard let ongoing = location(of: call, on: session).flatMap(ongoing) else { continue }
            note(.audioBegan, of: ongoing, at: now)
            cover(ongoing, on: session)
        }
    }

    /// Notes that a device's audio session has ended.
    mutating func deactivated(_ audio: AudioSession, of session: SessionID, at now: Instant) {
        guard let index = index(of: session) else { return }
        devices[index]?.ssrc = nil
        for call in audio.calls {
            guard let ongoing = location(of: call, on: session).flatMap(ongoing) else { continue }
            note(.audioEnded, of: ongoing, at: now)
        }
    }

    /// Assigns the active audio session to this call, too: it continues over a merge, without a notification.
    mutating func cover(_ ongoing: OngoingCall, on session: SessionID) {
        guard let ssrc = ssrc(of: session), let leg = ongoing.leg,
            records[ongoing.record]?.expectStatistics(ssrc, on: leg) == true
        else { return }
        coveredCalls[Activation(session: session, ssrc: ssrc), default: []].append(
            Covered(record: ongoing.record, leg: leg)
        )
    }

    /// Adds the relay's statistics of an audio session; those of one that goes on only to calls that have ended.
    mutating func received(_ quality: LegQuality) {
        let activation = Activation(session: quality.session, ssrc: quality.ssrc)
        guard let known = coveredCalls[activation] else { return }
        var left: [Covered] = []
        for location in known {
            let hasEnded = records[location.record]?.legs[location.leg].endedAt != nil
            if quality.coverage != .last, quality.coverage == .moved || !hasEnded { left.append(location) }
            if quality.coverage != .interim || hasEnded { add(quality, to: location) }
        }
        coveredCalls[activation] = left.isEmpty ? nil : left
    }

    private mutating func add(_ quality: LegQuality, to location: Covered) {
        if records[location.record]?.add(quality, to: location.leg) == true { recordsToCheck.append(location.record) }
    }

    /// The sessions with active audio sessions whose statistics an ended call awaits; they must be requested.
    var sessionsToQuery: [SessionID] {
        var sessions: [SessionID] = []
        for number in recordsToCheck {
            for leg in records[number]?.legs ?? [] where leg.endedAt != nil {
                guard let ssrc = ssrc(of: leg.session), leg.awaited.contains(ssrc) else { continue }
                if !sessions.contains(leg.session) { sessions.append(leg.session) }
            }
        }
        return sessions
    }

    /// Returns the complete records; called when an event and all its effects are done.
    ///
    /// - Parameter now: The time; records that have waited too long for statistics are returned without them.
    /// - Returns: The records, each once.
    mutating func takeComplete(at now: Instant) -> [CallRecord] {
        guard !recordsToCheck.isEmpty || !waiting.isEmpty else { return [] }
        var complete: [CallRecord] = []
        for number in recordsToCheck {
            guard let record = records[number], record.hasEnded else { continue }
            if record.endedAt == nil { finish(number, at: now) }
            if record.isComplete {
                if let done = removeRecord(number) { complete.append(done) }
            } else if !waiting.contains(where: { $0.record == number }) {
                waiting.append((number, now + Self.statisticsTimeout))
            }
        }
        recordsToCheck.removeAll(keepingCapacity: true)
        while let oldest = waiting.first, oldest.until <= now || records[oldest.record] == nil {
            waiting.removeFirst()
            if let late = removeRecord(oldest.record) { complete.append(late) }
        }
        return complete
    }

    /// The sessions of the devices whose audio sessions are active.
    var sessionsWithAudio: [SessionID] { devices.compactMap { $0?.ssrc == nil ? nil : $0?.session } }

    /// Returns all records, complete or not, when the hub stops.
    mutating func takeAll(at now: Instant) -> [CallRecord] {
        let numbers = records.keys.sorted()
        for number in numbers where records[number]?.endedAt == nil { finish(number, at: now) }
        return numbers.compactMap { removeRecord($0) }
    }

    /// Returns the events since the last call, with their legs.
    mutating func takeEvents() -> [(event: CallRecord.Event, leg: CallRecord.Leg?)] {
        defer { pendingEvents.removeAll(keepingCapacity: true) }
        return pendingEvents.map { item in (item.event, item.event.leg.flatMap { records[item.record]?.legs[$0] }) }
    }

    private mutating func finish(_ number: Int, at now: Instant) {
        records[number]?.finish(at: now)
        // A new conversation may have the ID of this one from now on.
        if let conversation = records[number]?.conversation { byConversation[conversation] = nil }
    }

    private mutating func removeRecord(_ number: Int) -> CallRecord? {
        guard let record = records.removeValue(forKey: number) else { return nil }
        for leg in record.legs {
            for ssrc in leg.awaited {
                let activation = Activation(session: leg.session, ssrc: ssrc)
                coveredCalls[activation]?.removeAll { $0.record == number }
                if coveredCalls[activation]?.isEmpty == true { coveredCalls[activation] = nil }
            }
        }
        return record
    }

    /// The maximum time for which a record waits for statistics.
    ///
    /// Longer: statistics of a slow loop are included; the record is written later.
    private static let statisticsTimeout: Duration = .seconds(5)
}
