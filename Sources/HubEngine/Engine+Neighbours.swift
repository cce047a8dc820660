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
    /// Everybody with whom a device is in conversation now: not held by either end, all audio sessions on.
    func neighbours(of session: Session, _ id: SessionID) -> [Neighbour] {
        guard session.audio != nil else { return [] }
        var neighbours: [Neighbour] = []
        for callID in session.calls {
            guard let call = calls[callID], call.hasFocus,
                let far = party(farFrom: callID)
            else { continue }
            neighbours.append(Neighbour(party: far, call: callID, handle: call.remoteHandle, name: call.shownName))
            guard let other = otherCall(than: callID) else { continue }
            for mateID in mates(of: other) {
                guard let mate = calls[mateID], let third = party(farFrom: mateID), !isDevice(id, third) else {
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
        guard let call = calls[id], let group = call.group else { return [] }
        return (sessions[call.session]?.calls ?? []).filter { $0 != id && calls[$0]?.group == group }
    }

    /// A call and the others of its group.
    func members(with id: CallID) -> [CallID] {
        guard let call = calls[id], let group = call.group else { return [id] }
        return (sessions[call.session]?.calls ?? []).filter { calls[$0]?.group == group }
    }

    /// The other end of a call, if it may hear and be heard on it now.
    private func party(farFrom id: CallID) -> Neighbour.Party? {
        guard let call = calls[id], case .connected(let farEnd) = conversations[call.conversation]?.phase else {
            return nil
        }
        switch farEnd {
        case .external:
            return nil
        case .builtIn(let source):
            return .builtIn(source)
        case .call:
            guard let other = otherCall(than: id).flatMap({ calls[$0] }), !other.isOnHold,
                let audio = sessions[other.session]?.audio, audio.calls.contains(other.uuid)
            else { return nil }
            return .session(other.session, ssrc: audio.ssrc)
        }
    }

    private func isDevice(_ id: SessionID, _ party: Neighbour.Party) -> Bool {
        if case .session(id, _) = party { true } else { false }
    }
}
