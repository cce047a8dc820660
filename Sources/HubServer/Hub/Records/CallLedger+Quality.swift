import HubEngine

/// Which audio session's figures belong to which calls, and when a record is complete.
extension CallLedger {
    /// A device's audio session has begun, for these calls.
    mutating func activated(_ audio: AudioSession, of session: SessionID, at now: Instant) {
        guard let index = index(of: session) else { return }
        devices[index]?.ssrc = audio.ssrc
        for call in audio.calls {
            guard let living = place(of: call, on: session).flatMap(living) else { continue }
            note(.audioBegan, of: living, at: now)
            cover(living, on: session)
        }
    }

    /// It has ended.
    mutating func deactivated(_ audio: AudioSession, of session: SessionID, at now: Instant) {
        guard let index = index(of: session) else { return }
        devices[index]?.ssrc = nil
        for call in audio.calls {
            guard let living = place(of: call, on: session).flatMap(living) else { continue }
            note(.audioEnded, of: living, at: now)
        }
    }

    /// The audio session that is active now is for this call, too: it goes on over a merge, and nobody is told.
    mutating func cover(_ living: LivingCall, on session: SessionID) {
        guard let ssrc = ssrc(of: session), let leg = living.leg, records[living.record]?.await(ssrc, on: leg) == true
        else { return }
        covered[Activation(session: session, ssrc: ssrc), default: []].append(Covered(record: living.record, leg: leg))
    }

    /// The relay's figures of an audio session; of one that goes on they are for those calls that have ended.
    mutating func received(_ quality: LegQuality) {
        let activation = Activation(session: quality.session, ssrc: quality.ssrc)
        guard let known = covered[activation] else { return }
        var left: [Covered] = []
        for place in known {
            let hasEnded = records[place.record]?.legs[place.leg].endedAt != nil
            if quality.share != .last, quality.share == .moved || !hasEnded { left.append(place) }
            if quality.share != .interim || hasEnded { add(quality, to: place) }
        }
        covered[activation] = left.isEmpty ? nil : left
    }

    private mutating func add(_ quality: LegQuality, to place: Covered) {
        if records[place.record]?.add(quality, to: place.leg) == true { touched.append(place.record) }
    }

    /// The sessions whose figures an ended call waits for although their audio sessions go on: they must be asked.
    var toBeAsked: [SessionID] {
        var sessions: [SessionID] = []
        for number in touched {
            for leg in records[number]?.legs ?? [] where leg.endedAt != nil {
                guard let ssrc = ssrc(of: leg.session), leg.awaited.contains(ssrc) else { continue }
                if !sessions.contains(leg.session) { sessions.append(leg.session) }
            }
        }
        return sessions
    }

    /// The records that are complete; called when an event and all its effects are over.
    ///
    /// - Parameter now: Whoever has waited too long for figures goes without.
    /// - Returns: The records, each once.
    mutating func takeComplete(at now: Instant) -> [CallRecord] {
        guard !touched.isEmpty || !waiting.isEmpty else { return [] }
        var complete: [CallRecord] = []
        for number in touched {
            guard let record = records[number], record.hasEnded else { continue }
            if record.endedAt == nil { finish(number, at: now) }
            if record.isComplete {
                if let done = forget(number) { complete.append(done) }
            } else if !waiting.contains(where: { $0.record == number }) {
                waiting.append((number, now + Self.patience))
            }
        }
        touched.removeAll(keepingCapacity: true)
        while let oldest = waiting.first, oldest.until <= now || records[oldest.record] == nil {
            waiting.removeFirst()
            if let late = forget(oldest.record) { complete.append(late) }
        }
        return complete
    }

    /// The devices whose audio sessions are active.
    var sessions: [SessionID] { devices.compactMap { $0?.ssrc == nil ? nil : $0?.session } }

    /// Everything there is, complete or not: the hub stops.
    mutating func takeAll(at now: Instant) -> [CallRecord] {
        let numbers = records.keys.sorted()
        for number in numbers where records[number]?.endedAt == nil { finish(number, at: now) }
        return numbers.compactMap { forget($0) }
    }

    /// What has happened since the last call, with the leg it happened on.
    mutating func takeNews() -> [(event: CallRecord.Event, leg: CallRecord.Leg?)] {
        defer { news.removeAll(keepingCapacity: true) }
        return news.map { item in (item.event, item.event.leg.flatMap { records[item.record]?.legs[$0] }) }
    }

    private mutating func finish(_ number: Int, at now: Instant) {
        records[number]?.finish(at: now)
        // A new conversation may have the name of this one from now on.
        if let conversation = records[number]?.conversation { byConversation[conversation] = nil }
    }

    private mutating func forget(_ number: Int) -> CallRecord? {
        guard let record = records.removeValue(forKey: number) else { return nil }
        for leg in record.legs {
            for ssrc in leg.awaited {
                let activation = Activation(session: leg.session, ssrc: ssrc)
                covered[activation]?.removeAll { $0.record == number }
                if covered[activation]?.isEmpty == true { covered[activation] = nil }
            }
        }
        return record
    }

    /// How long a record waits for figures.
    ///
    /// Longer: a loop that is behind is waited for; the record comes later.
    private static let patience: Duration = .seconds(5)
}
