/// Several sessions of an account on one machine: at most one call, or one group, of them has its user's attention.
///
/// As between two applications on a telephone (rule CH-03): a call that gets the focus holds those of the others, or
/// ends those that cannot be held, by actions of the system.
extension Engine {
    /// Returns the account's other sessions on the machine of a session; empty if it has not named one.
    func companions(of session: SessionID) -> [SessionID] {
        guard let machine = machine(of: session) else { return [] }
        return sessions(of: account(of: session)).filter { $0 != session && self.machine(of: $0) == machine }
    }

    /// Returns the machine that a session has named; nil: none.
    private func machine(of session: SessionID) -> String? { sessions[session]?.opening.machine }

    /// Takes the focus from the calls of the other sessions on the machine.
    ///
    /// - Parameter session: The session with the call that gets the focus.
    /// - Returns: The calls that are on hold since, the first one of each group.
    @discardableResult
    mutating func takeFocusFromCompanions(of session: SessionID) -> [CompanionCall] {
        var held: [CompanionCall] = []
        for companion in companions(of: session) {
            let displaced = displace(excluding: [], of: companion)
            guard !displaced.isEmpty else { continue }
            for group in displaced where group.isHeld {
                guard let first = group.calls.first, let uuid = uuid(of: first) else { continue }
                held.append(CompanionCall(session: companion, uuid: uuid))
            }
            notify(displaced, of: companion)
            reconcileAudio(of: companion)
        }
        return held
    }

    /// Returns the groups of calls of the other sessions on the machine that have the user's attention.
    func busyGroupsOfCompanions(of session: SessionID) -> [[PlannedCall]] {
        companions(of: session).flatMap { companion in
            plannedCalls(of: companion).filter { $0.phase != .ringing && $0.phase != .held }.byGroup
        }
    }

    /// Returns the session on the machine, other than `session`, that has a live call with this UUID.
    func companion(of session: SessionID, having call: CallUUID) -> SessionID? {
        companions(of: session).first { self.call(call, of: $0) != nil }
    }

    /// Indicates that a session of the machine, the given one included, has a call with the user's attention, or will.
    func hasAttention(onMachineOf session: SessionID) -> Bool {
        ([session] + companions(of: session)).contains { session in
            calls(of: session).contains { state(of: $0)?.hasAttention == true }
                || sessions[session]?.transactions.contains { transaction in
                    transaction.pendingActions.contains(where: \.kind.wantsAttention)
                } == true
        }
    }

    /// Returns the held groups of all sessions on the machine, by the first call of each.
    func heldCalls(onMachineOf session: SessionID) -> [CompanionCall] {
        ([session] + companions(of: session)).flatMap { session in
            plannedCalls(of: session).filter { $0.phase == .held }.byGroup.compactMap { group in
                group.first.map { CompanionCall(session: session, uuid: $0.uuid) }
            }
        }
    }

    /// Ends a call of another session on the machine, since the user has chosen so at a ringing call.
    mutating func endForCompanion(_ uuid: CallUUID, on session: SessionID, at date: Instant) {
        guard let call = call(uuid, of: session) else { return }
        effects.append(.notify(session, performed(.end, on: uuid)))
        hangUp(call, by: .user, at: date)
    }
}
