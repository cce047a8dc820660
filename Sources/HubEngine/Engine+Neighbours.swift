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
    /// The call whose other party it is: the device's own, or one that its owner has merged with this conversation.
    var described: CallID
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
        for call in calls(of: session) where hasFocus(call) {
            guard let far = party(farFrom: call) else { continue }
            neighbours.append(Neighbour(party: far, call: call, described: call))
            guard let other = otherCall(than: call) else { continue }
            for mate in mates(of: other) {
                guard let third = party(farFrom: mate), !isDevice(session, third) else { continue }
                neighbours.append(Neighbour(party: third, call: call, described: mate))
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
