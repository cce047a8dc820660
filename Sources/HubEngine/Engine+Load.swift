/// The amount of work and messages that a device's requests can cause, for a driver that limits them.
extension Engine {
    /// The actions of a device's transactions that are accepted and have no outcome yet, in order.
    public func pendingActions(of session: SessionID) -> [Action] {
        sessions[session]?.transactions.flatMap(\.pendingActions) ?? []
    }

    /// The number of a device's calls, and the bytes of their parties' handles and names.
    ///
    /// Each member of a group is sent all of these when the group is held, resumed or changed.
    public func parties(of session: SessionID) -> (count: Int, textBytes: Int) {
        var (count, textBytes) = (0, 0)
        for id in sessions[session]?.calls ?? [] {
            guard let call = calls[id] else { continue }
            count += 1
            textBytes += call.remoteHandle.value.utf8.count + call.shownName.utf8.count
        }
        return (count, textBytes)
    }

    /// Returns the session on whose behalf a timer runs; nil: the hub's own.
    func owner(of timer: Deadlines.Kind) -> SessionID? {
        switch timer {
        case .ring(let conversation): caller(of: conversation).flatMap { session(of: $0) }
        case .transaction(let session, _), .grace(let session): session
        case .drain: nil
        }
    }
}
