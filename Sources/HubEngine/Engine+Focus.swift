/// At most one call of a device, or one group, is what its user is busy with (callkit.md 2.6).
///
/// The plan of a transaction has made way already; what is here is for what has changed since (two answers under way, say), and for
/// the rest of a group that somebody leaves.
extension Engine {
    /// Before some calls of one device get the focus, takes it from every other, at once.
    mutating func makeWay(for members: some Collection<CallID>) {
        let displaced = displace(besides: members)
        guard !displaced.isEmpty, let session = members.first.flatMap({ self.session(of: $0) }) else { return }
        tell(displaced, of: session)
        reconcileAudio(of: session)
    }

    /// The same for one call.
    mutating func makeWay(for call: CallID) {
        makeWay(for: CollectionOfOne(call))
    }

    /// Who lost the focus to somebody else, by groups.
    struct Displaced {
        var calls: [CallID]
        var isHeld: Bool
    }

    /// Holds what can be held; what cannot is to be ended.
    ///
    /// Nobody is told yet.
    mutating func displace(besides members: some Collection<CallID>) -> [Displaced] {
        guard let session = members.first.flatMap({ self.session(of: $0) }) else { return [] }
        var displaced: [Displaced] = []
        for call in calls(of: session) where hasFocus(call) && !members.contains(call) {
            let group = self.members(with: call)
            let isHoldable = group.allSatisfy { member in
                calls[member].map { $0.phase == .active && $0.capabilities.supportsHolding } ?? false
            }
            if isHoldable {
                for member in group { calls[member]?.isOnHold = true }
            }
            // What is to be ended keeps the focus until it is: each of its calls comes here, and goes by itself.
            displaced.append(Displaced(calls: isHeld(group) ? group : [call], isHeld: isHoldable))
        }
        return displaced
    }

    /// Tells of what `displace` has done, as actions of the system, and ends what is to be ended.
    mutating func tell(_ displaced: [Displaced], of session: SessionID) {
        for group in displaced {
            guard let first = group.calls.first, let call = calls[first] else { continue }
            effects.append(.notify(session, performed(group.isHeld ? .setHeld(true) : .end, on: call.uuid)))
            guard group.isHeld else {
                hangUp(first, by: .user, at: now)
                continue
            }
            for member in group.calls { changed(member) }
            for member in group.calls { tellOtherParty(of: member) }
        }
    }

    /// An action that the system has done already.
    mutating func performed(_ kind: ActionKind, on call: CallUUID) -> Notification {
        let action = Action(uuid: identifiers.identifier(), callUUID: call, kind: kind)
        return .perform(identifiers.identifier(), action, deadline: now, origin: .system, fulfilled: true)
    }

    private func isHeld(_ group: [CallID]) -> Bool {
        group.allSatisfy { calls[$0]?.isOnHold == true }
    }
}
