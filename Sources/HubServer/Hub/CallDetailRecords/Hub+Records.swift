import HubEngine
import HubWire

/// The statistics and notifications that call detail records are made of.
extension Hub {
    /// Adds a notification about calls to their records.
    func note(_ notification: Notification, to session: SessionID) {
        let now = clock.now
        switch notification {
        case .callChanged(let call):
            records.change(call, of: session, in: engine.conversation(of: call.uuid, on: session), at: now)
        case .didActivateAudioSession(let audio):
            records.activate(audio, of: session, at: now)
            if let client = sessions[session], client.reportsDroppedPackets { client.audioSessions.note(audio) }
        case .didDeactivateAudioSession(let audio): records.deactivate(audio, of: session, at: now)
        case .didBegin, .didReset, .execute, .perform, .timedOutPerforming, .operated, .observed, .dtmf, .audioSources:
            break
        }
    }

    /// Adds the statistics of an audio session, which may come late and from another thread.
    package func received(_ quality: LegQuality) { records.receive(quality) }

    /// Notifies clients of the last drops and writes the complete records; called when an event and all its effects are
    /// done.
    func flushRecords() {
        // At a resume the answer to `session.open` and the missed notifications have been sent before.
        for report in records.takeLastDrops() { notify(report) }
        guard records.hasPendingWork else { return }
        for session in records.sessionsToQuery { routes?.requestQuality(of: session) }
        records.write(at: clock.now) { sessions[$0]?.name }
    }

    /// Writes all records, complete or not, when the hub stops.
    package func closeRecords() {
        // No more statistics can arrive from devices on other loops.
        for session in records.sessionsWithAudio {
            guard let quality = transport?.quality(of: session) else { continue }
            records.receiveAtStop(quality)
        }
        records.writeAll(at: clock.now)
    }
}
