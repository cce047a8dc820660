/// Sessions that operate another device of their account: its screen and buttons elsewhere (rule CH-04).
///
/// Such a session is shown that device's calls with their choices, and its transactions are performed there, as if its
/// user had requested them there.
extension Engine {
    /// Returns the session whose calls a session acts on: its own, or that of the operated device.
    ///
    /// - Parameter session: The session that has sent a request.
    /// - Returns: The session to act on; nil: the operated device is not signed in.
    func operatedSession(of session: SessionID) -> SessionID? {
        guard let device = operatedDevice(of: session) else { return session }
        return sessions(of: account(of: session)).first {
            sessions[$0]?.opening.deviceID == device && operatedDevice(of: $0) == nil
        }
    }

    private func operatedDevice(of session: SessionID) -> String? { sessions[session]?.opening.operatedDevice }

    /// Sends the snapshot of a device's call to the sessions that operate the device.
    mutating func notifyOperators(of session: SessionID, _ snapshot: CallSnapshot) {
        for other in operators(of: session) { effects.append(.notify(other, .operated(snapshot))) }
    }

    private func operators(of session: SessionID) -> [SessionID] {
        guard let account = account(of: session), accounts[account]?.operators ?? 0 > 0,
            let device = sessions[session]?.opening.deviceID, operatedDevice(of: session) == nil
        else { return [] }
        return sessions(of: account).filter { $0 != session && operatedDevice(of: $0) == device }
    }

    /// Notifies a client whose calls were of an earlier run of the hub, and then an operator of the device's calls.
    mutating func notifyReset(of session: SessionID) {
        effects.append(.notify(session, .didReset))
        guard operatedDevice(of: session) != nil else { return }
        for call in shownCalls(of: session) { effects.append(.notify(session, .operated(call))) }
    }

    /// Returns the calls that a client shows: its own, or those of the operated device.
    func shownCalls(of session: SessionID) -> [CallSnapshot] {
        operatedSession(of: session).map { snapshots(of: $0) } ?? []
    }

    /// Accepts a transaction of a session for its own device or for the operated one.
    mutating func acceptForDevice(_ actions: [ActionRequest], from session: SessionID, token: RequestToken) {
        guard let device = operatedSession(of: session) else {
            return refuse(token, .notFound, "the device that this session operates is not signed in")
        }
        accept(actions, from: device, token: token)
    }
}
