/// The participants of calls, computed a second time from the state and not from the lists that were sent (row CH-01).
extension Engine {
    func participantViolations(of session: Session, _ id: SessionID) -> [String] {
        var found: [String] = []
        for own in session.calls {
            guard let call = calls[own] else { continue }
            if call.participants != participants(of: own) {
                found.append("\(own) has other participants than its owner was notified of")
            }
            guard call.group != nil || remoteCall(of: own)?.group != nil else { continue }
            let listed = describedParties(besides: own).map(\.party)
            if Set(listed).count != listed.count { found.append("\(own) lists a participant twice") }
            if listed.count != call.participants.count { found.append("\(own) has miscounted its participants") }
            for other in sessions.keys where other != id {
                switch (listed.contains(.device(other)), isParticipant(other, in: own, call)) {
                case (true, false): found.append("\(own) lists \(other), which the audio topology does not connect")
                case (false, true): found.append("\(own) does not list \(other), which its owner exchanges audio with")
                case (true, true), (false, false): break
                }
            }
        }
        return found
    }

    /// Indicates that a device is connected to a call's owner over the call's group, and is not its remote party.
    private func isParticipant(_ other: SessionID, in own: CallID, _ call: Call) -> Bool {
        guard remoteCall(of: own)?.session != other else { return false }
        return sessions[call.session]?.calls.contains { id in
            guard id == own || call.group != nil && calls[id]?.group == call.group, let far = remoteCall(of: id) else {
                return false
            }
            return far.session == other || hasMerged(far, withCallTo: other)
        } == true
    }

    /// Indicates that a call's owner has merged it with a call to a device.
    private func hasMerged(_ call: Call, withCallTo device: SessionID) -> Bool {
        guard let group = call.group else { return false }
        return sessions[call.session]?.calls.contains { mate in
            calls[mate]?.group == group && calls[mate]?.uuid != call.uuid && remoteCall(of: mate)?.session == device
        } == true
    }

    private func remoteCall(of id: CallID) -> Call? { otherCall(than: id).flatMap { calls[$0] } }
}
