/// The focus: at most one call of a device, or one group, has its user's attention (callkit-semantics.md 2.6).
///
/// A transaction's plan has freed the focus already. These methods handle changes since then (for example two answers
/// under way), and the rest of a group that one of its calls leaves.
extension Engine {
    /// Takes the focus from all other calls of the device at once, before some of its calls get it.
    mutating func holdOrEndActiveCalls(for members: some Collection<CallID>) {
        guard let session = members.first.flatMap({ self.session(of: $0) }) else { return }
        takeFocusFromCompanions(of: session)
        let displaced = displace(excluding: members, of: session)
        guard !displaced.isEmpty else { return }
        notify(displaced, of: session)
        reconcileAudio(of: session)
    }

    /// Takes the focus from all other calls of the device, before one call gets it.
    mutating func holdOrEndActiveCalls(for call: CallID) {
        holdOrEndActiveCalls(for: CollectionOfOne(call))
    }

    /// Calls of one group that have lost the focus to others.
    struct DisplacedGroup {
        var calls: [CallID]
        var isHeld: Bool
    }

    /// Holds the calls that can be held and returns all that lose the focus; the others are to be ended.
    ///
    /// Sends no notifications.
    mutating func displace(excluding members: some Collection<CallID>, of session: SessionID) -> [DisplacedGroup] {
        var displaced: [DisplacedGroup] = []
        for call in calls(of: session) where hasFocus(call) && !members.contains(call) {
            let group = self.members(with: call)
            let isHoldable = group.allSatisfy { member in
                calls[member].map { $0.phase == .active && $0.capabilities.supportsHolding } ?? false
            }
            if isHoldable {
                for member in group { calls[member]?.isOnHold = true }
            }
            // Calls to be ended keep the focus until they are: each of them is returned alone, and ends by itself.
            displaced.append(DisplacedGroup(calls: isHeld(group) ? group : [call], isHeld: isHoldable))
        }
        return displaced
    }

    /// Notifies of the holds of `displace`, as actions of the system, and ends the calls that are to be ended.
    mutating func notify(_ displaced: [DisplacedGroup], of session: SessionID) {
        for group in displaced {
            guard let first = group.calls.first, let call = calls[first] else { continue }
            effects.append(.notify(session, performed(group.isHeld ? .setHeld(true) : .end, on: call.uuid)))
            guard group.isHeld else {
                hangUp(first, by: .user, at: now)
                continue
            }
            for member in group.calls { notifyChange(member) }
            for member in group.calls { notifyOtherParty(of: member) }
        }
    }

    /// Returns the notification of an action that the system has fulfilled already.
    mutating func performed(_ kind: ActionKind, on call: CallUUID) -> Notification {
        let action = Action(uuid: identifiers.identifier(), callUUID: call, kind: kind)
        return .perform(identifiers.identifier(), action, deadline: now, origin: .system, fulfilled: true)
    }

    private func isHeld(_ group: [CallID]) -> Bool {
        group.allSatisfy { calls[$0]?.isOnHold == true }
    }
}
