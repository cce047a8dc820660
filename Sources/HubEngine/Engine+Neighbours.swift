/// Somebody whom a device hears, and who hears the device unless it has muted itself.
struct Neighbour {
    enum Party {
        /// A device, and what it sends with.
        case session(SessionID, ssrc: UInt32)
        /// A party of the hub's own.
        case builtIn(BuiltInSource)
    }

    var party: Party
    /// The device's own call on which they meet.
    var call: CallID
    var handle: Handle
    var name: String
}

/// Who is in one conversation, groups included (protocol.md 6).
///
/// The members of a group and the far ends of its calls all hear one another. It goes no further: a far end that has a group of its own
/// does not bridge the two, so that nobody is heard by strangers to his own call's group.
extension Engine {
    /// Everybody with whom a device with an active audio session is in conversation now: not held by either end, all audio
    /// sessions on.
    func neighbours(of session: SessionID) -> [Neighbour] {
        var neighbours: [Neighbour] = []
        for callID in calls(of: session) where hasFocus(callID) {
            guard let far = party(farFrom: callID), let call = calls[callID] else { continue }
            neighbours.append(Neighbour(party: far, call: callID, handle: call.remoteHandle, name: call.shownName))
            guard let other = otherCall(than: callID) else { continue }
            for mateID in mates(of: other) {
                guard let mate = calls[mateID], let third = party(farFrom: mateID), !isDevice(session, third) else {
                    continue
                }
                // What the group's owner calls a third party is his own affair.
                let name = mate.givenName ?? mate.remoteHandle.value
                neighbours.append(Neighbour(party: third, call: callID, handle: mate.remoteHandle, name: name))
            }
        }
        return neighbours
    }

    /// The other calls of a call's group.
    func mates(of id: CallID) -> [CallID] {
        guard let group = group(of: id), let session = session(of: id) else { return [] }
        return calls(of: session).filter { $0 != id && self.group(of: $0) == group }
    }

    /// A call and the others of its group.
    func members(with id: CallID) -> [CallID] {
        guard let group = group(of: id), let session = session(of: id) else { return [id] }
        return calls(of: session).filter { self.group(of: $0) == group }
    }

    /// The other end of a call, if it may hear and be heard on it now.
    private func party(farFrom id: CallID) -> Neighbour.Party? {
        guard let conversation = conversation(of: id), case .connected(let farEnd) = phase(of: conversation) else {
            return nil
        }
        switch farEnd {
        case .external:
            return nil
        case .builtIn(let source):
            return .builtIn(source)
        case .call:
            guard let other = otherCall(than: id), let far = session(of: other), let uuid = uuid(of: other),
                !isOnHold(other), let ssrc = sessions[far]?.audio?.ssrc,
                sessions[far]?.audio?.calls.contains(uuid) == true
            else { return nil }
            return .session(far, ssrc: ssrc)
        }
    }

    private func isDevice(_ id: SessionID, _ party: Neighbour.Party) -> Bool {
        if case .session(id, _) = party { true } else { false }
    }
}
