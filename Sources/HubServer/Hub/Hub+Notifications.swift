import HubAccountData
import HubEngine
import HubWire

/// Notifications to clients, and the end of their sessions.
extension Hub {
    /// Numbers a notification, keeps it for a resume, and sends it if there is a connection.
    func notify(_ id: SessionID, _ notification: Notification, causedBy chargedSession: ClientSession?) {
        guard let session = sessions[id] else { return }
        let notification = named(notification, for: session.account)
        note(notification, to: id)
        let message = WireNotification(notification)
        notify(session, message, causedBy: chargedSession)
        forwardToRecorders(.notified(message), of: session, causedBy: chargedSession)
    }

    /// Numbers a notification, keeps it for a resume, and sends it if there is a connection.
    ///
    /// - Parameters:
    ///   - session: The session to notify.
    ///   - notification: The notification.
    ///   - chargedSession: The session that is charged; nil: none.
    func notify(_ session: ClientSession, _ notification: WireNotification, causedBy chargedSession: ClientSession?) {
        send(notification, seq: session.log.nextSeq, to: session)
        session.log.append(notification, byteCount: outgoing.count, at: clock.now)
        charge(outgoing.count, for: session, causedBy: chargedSession)
    }

    /// Sends a notification if there is a connection; `outgoing` holds its bytes afterwards.
    func send(_ notification: WireNotification, seq: UInt64, to session: ClientSession, isLast: Bool = false) {
        outgoing.removeAll(keepingCapacity: true)
        notification.encode(seq: seq, into: &outgoing)
        guard let connection = session.connection else { return }
        transport?.sendText(outgoing, to: connection, number: seq, isLast: isLast)
    }

    /// Sends the last message of a connection: numbered, but not kept, since it is about the connection alone.
    ///
    /// - Parameters:
    ///   - notification: The `session.closing` notification.
    ///   - session: The session whose connection ends.
    ///   - seq: The number after the last one that the client was sent; nil: all notifications were sent.
    func sendUnlogged(_ notification: WireNotification, to session: ClientSession, seq: UInt64? = nil) {
        guard session.connection != nil else { return }
        let seq = seq ?? session.log.nextSeq
        send(notification, seq: seq, to: session, isLast: true)
        session.log.noteUnlogged(seq)
    }

    /// Notifies a client that its session will be closed when its calls have ended.
    func notifyClosing(_ id: SessionID, _ end: SessionEnd, causedBy chargedSession: ClientSession?) {
        guard let session = sessions[id], !session.wasNotifiedOfClosing else { return }
        session.wasNotifiedOfClosing = true
        notify(session, closing(end), causedBy: chargedSession)
    }

    /// Ends a session that the engine has ended.
    func endSession(_ id: SessionID, _ end: SessionEnd?, causedBy chargedSession: ClientSession?) {
        guard let session = sessions[id] else { return }
        if let reason = session.signOutReason {
            sendUnlogged(.closing(reason, retryAfterSeconds: nil), to: session)
        } else if let end, !session.wasNotifiedOfClosing || end == .shutdown {
            sendUnlogged(closing(end), to: session)
        }
        let connection = session.connection
        if let connection { pending.removeAll(of: connection) }
        session.pendingRefresh?.end()
        routes?.close(id)
        sessions.remove(session)
        records.close(id)
        let reason = session.signOutReason?.rawValue ?? end?.rawValue
        metrics.counters.sessionEnds[reason ?? "left", default: 0] += 1
        forwardToRecorders(.session(.closed), of: session, causedBy: chargedSession)
        accountData.noteSessionEnd(of: session)
        presence.remove(id)
        let isGoingAway = end == .draining || end == .shutdown
        if appearances.end(id, of: session.accountKey), !isGoingAway {
            notifyOfProviders(of: session.account, but: id, causedBy: chargedSession)
        }
        log(
            .debug,
            "session ended",
            ["session": session.name, "account": session.account, "reason": reason ?? "left"]
        )
        guard let connection else { return }
        let code: UInt16 = session.signOutReason != nil ? 1008 : isGoingAway ? 1001 : 1000
        transport?.close(connection, code: code, reason: reason ?? "")
    }

    /// Stops the hub gracefully: no new calls, active ones may go on until the grace period ends.
    ///
    /// - Parameters:
    ///   - grace: The time for which active calls may go on.
    ///   - chargedSession: The session of the administrator who requests it; nil: none.
    package func drain(grace: Duration, causedBy chargedSession: ClientSession? = nil) {
        guard !drainState.isDraining else { return }
        drainState.begin(until: clock.now + grace)
        log(.info, "draining", ["sessions": "\(sessions.count)", "graceSeconds": "\(grace.components.seconds)"])
        apply(.drain(until: drainState.ends), causedBy: chargedSession)
    }

    /// Ends all calls and sessions now: clients are notified, and the records contain the reason.
    package func shutDown() {
        drainState.begin(until: clock.now)
        apply(.drain(until: drainState.ends), causedBy: nil)
        deadlineReached()
    }

    /// Makes the closing notification, with the URL and the delay of the reconnection if the hub stops.
    ///
    /// Clients reconnect here only after this hub is gone, and elsewhere at once; a random delay spreads them.
    private func closing(_ end: SessionEnd) -> WireNotification {
        guard end == .draining || end == .shutdown else { return .closing(ClosingReason(end), retryAfterSeconds: nil) }
        let left = drainState.secondsLeft(at: clock.now)
        let jitter = max(0, settings.drainRetryJitter.components.seconds)
        let least = settings.drainElsewhere == nil ? (end == .shutdown ? 1 : left) : 0
        return .closing(
            ClosingReason(end),
            retryAfterSeconds: Int(least + Int64.random(in: 0...jitter, using: &random)),
            url: settings.drainElsewhere
        )
    }

    /// Returns the log fields of a connection, and of the session that is signed in on it.
    func fields(of connection: ConnectionID) -> [(String, String)] {
        var fields = [
            ("connection", connection.description), ("address", admissionControl.address(of: connection)?.text ?? "-"),
        ]
        if let session = sessions[connection] {
            fields += [("session", session.name), ("account", session.account), ("device", session.device.id ?? "-")]
        }
        return fields
    }
}
