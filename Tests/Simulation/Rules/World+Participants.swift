import HubEngine

/// The people in a group's conversation (row CH-01), derived independently from the clients' notifications.
extension World {
    /// The other end of a call: a device, or a party that is in one conversation only.
    private enum RemoteParty: Hashable {
        case device(Int)
        case outside(ConversationID)
    }

    mutating func checkParticipants(of hubSession: HubSession, on device: Int) {
        for call in hubSession.notified.calls {
            let expected = call.hasConnected ? expectedParticipants(of: call, of: hubSession, on: device) : []
            let listed = call.participants.map(\.handle.value).sorted()
            if listed != expected.sorted() {
                let detail = "\(shape.devices[device].name): \(listed), expected \(expected.sorted())"
                fail("a call lists those whom the audio topology connects, and nobody else", detail)
            }
            for participant in call.participants
            where participant.name.isEmpty != (participant.nameSource == .hidden) {
                fail("a participant has a name unless they are hidden", "\(participant)")
            }
        }
    }

    /// Returns the handles of the participants that a call should have.
    private func expectedParticipants(
        of call: CallSnapshot,
        of hubSession: HubSession,
        on device: Int
    ) -> [String] {
        var known: Set<RemoteParty> = [.device(device)]
        if let remote = remoteParty(of: call, on: device) { known.insert(remote) }
        var handles: [String] = []
        let members = hubSession.notified.calls.filter {
            $0.uuid == call.uuid || call.group != nil && $0.group == call.group
        }
        for member in members {
            guard let party = remoteParty(of: member, on: device), known.insert(party).inserted else { continue }
            handles.append(member.remoteHandle.value)
        }
        // One hop: the other calls of each other end's group.
        for member in members where !member.isExternal {
            guard let leg = conversations.others(than: member.uuid, on: device).first,
                let host = hubSessions[leg.device], let group = host.notified.call(leg.uuid)?.group,
                host.notified.call(leg.uuid)?.hasConnected == true
            else { continue }
            for mate in host.notified.calls where mate.group == group && mate.uuid != leg.uuid && !mate.isExternal {
                guard let party = remoteParty(of: mate, on: leg.device), known.insert(party).inserted else { continue }
                handles.append(isHidden(party) ? "anonymous" : mate.remoteHandle.value)
            }
        }
        return handles
    }

    private func isHidden(_ party: RemoteParty) -> Bool {
        guard case .device(let device) = party else { return false }
        return screeningData.isHidden(shape.devices[device].account)
    }

    private func remoteParty(of call: CallSnapshot, on device: Int) -> RemoteParty? {
        if call.isExternal || conversations.builtIn(of: call.uuid, on: device) != nil {
            return conversations.conversation(of: call.uuid, on: device).map { .outside($0) }
        }
        // A transferred call has no other party while it rings.
        return conversations.others(than: call.uuid, on: device).first {
            hubSessions[$0.device]?.notified.call($0.uuid)?.hasConnected == true
        }.map { .device($0.device) }
    }
}
