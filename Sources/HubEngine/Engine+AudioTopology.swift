/// A party whose audio a device receives, and which receives the device's audio unless the device is muted.
struct AudioPeer {
    enum Party {
        /// A device, and the SSRC that it sends with.
        case session(SessionID, ssrc: UInt32)
        /// A built-in party.
        case builtIn(BuiltInSource)
    }

    var party: Party
    /// The device's own call that connects the two.
    var call: CallID
    /// The call whose remote party it is: the device's own call, or one that the other end has merged with it.
    var describedCall: CallID
}

/// The audio topology of a conversation, groups included (protocol.md, Audio).
///
/// The members of a group and the far ends of its calls all receive one another's audio. It goes no further: a far end
/// that has a group of its own does not bridge the two, so that strangers are not audible to one another.
extension Engine {
    /// Returns the parties that a device with an active audio session exchanges audio with now.
    ///
    /// Calls that either end holds are left out, and so are far ends without an active audio session.
    func audioPeers(of session: SessionID) -> [AudioPeer] {
        var audioPeers: [AudioPeer] = []
        for call in calls(of: session) where hasFocus(call) {
            guard let far = party(oppositeTo: call) else { continue }
            audioPeers.append(AudioPeer(party: far, call: call, describedCall: call))
            guard let other = otherCall(than: call) else { continue }
            for mate in otherGroupMembers(of: other) {
                guard let third = party(oppositeTo: mate), !isDevice(session, third) else { continue }
                audioPeers.append(AudioPeer(party: third, call: call, describedCall: mate))
            }
        }
        return audioPeers
    }

    /// Returns the other calls of a call's group.
    func otherGroupMembers(of id: CallID) -> [CallID] {
        guard let group = group(of: id), let session = session(of: id) else { return [] }
        return calls(of: session).filter { $0 != id && self.group(of: $0) == group }
    }

    /// Returns a call and the others of its group.
    func members(with id: CallID) -> [CallID] {
        guard let group = group(of: id), let session = session(of: id) else { return [id] }
        return calls(of: session).filter { self.group(of: $0) == group }
    }

    /// Returns the other end of a call, if audio may flow between the two now.
    private func party(oppositeTo id: CallID) -> AudioPeer.Party? {
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

    private func isDevice(_ id: SessionID, _ party: AudioPeer.Party) -> Bool {
        if case .session(id, _) = party { true } else { false }
    }
}
