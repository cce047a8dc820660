import HubEngine
import HubWire

/// The names of the people in a group's conversation, which the engine leaves to its driver (row CH-01).
extension Hub {
    /// Completes the names in a notification with the data of the accounts.
    func named(_ notification: Notification, for account: String) -> Notification {
        switch notification {
        case .callChanged(let call) where call.hasPeopleToName: .callChanged(named(call, for: account))
        case .operated(let call) where call.hasPeopleToName: .operated(named(call, for: account))
        default: notification
        }
    }

    /// Completes the names in the engine's answer to a request.
    func named(_ answer: Reply, to token: RequestToken) -> Reply {
        switch answer {
        case .calls(let calls, let elsewhere):
            return .calls(named(calls, to: token), elsewhere: elsewhere)
        case .refused(var refusal):
            guard let calls = refusal.calls else { return answer }
            refusal.calls = named(calls, to: token)
            return .refused(refusal)
        case .opened, .accepted, .done, .ignored, .configuration, .pending: return answer
        }
    }

    private func named(_ calls: [CallSnapshot], to token: RequestToken) -> [CallSnapshot] {
        guard let account = pending.context(of: token).flatMap({ sessions[$0.connection]?.account }) else {
            return calls
        }
        return calls.map { named($0, for: account) }
    }

    /// Completes the names of a call's participants, and of the user who has transferred it.
    ///
    /// - Parameters:
    ///   - call: The call as the engine has it.
    ///   - account: The account of the call's owner.
    /// - Returns: The call with each participant named as a caller would be.
    func named(_ call: CallSnapshot, for account: String) -> CallSnapshot {
        guard call.hasPeopleToName else { return call }
        var call = call
        for index in call.participants.indices { complete(&call.participants[index], for: account) }
        if var transferor = call.transferor {
            complete(&transferor, for: account)
            call.transferor = transferor
        }
        return call
    }

    private func complete(_ person: inout CallParticipant, for account: String) {
        person.complete(
            displayName: { accountData.displayName(of: $0, sessions.of($0)) },
            names: { accountData.names(of: $0, for: account) }
        )
    }

    /// Notifies the engine if an account is shown to the other members of groups, or hidden, from now on.
    func applyGroupNaming(of account: String, was former: Bool, causedBy chargedSession: ClientSession?) {
        let isNamed = accountData.isNamedInGroups(account)
        guard isNamed != former else { return }
        apply(.groupNaming(account: account, isNamed: isNamed), causedBy: chargedSession)
    }

    /// Notifies the engine if an account's held parties receive another sound from now on (rule CH-09).
    func applyHoldAudio(of account: String, was former: HoldAudio, causedBy chargedSession: ClientSession?) {
        let audio = accountData.holdAudio(of: account)
        guard audio != former else { return }
        apply(.holdAudio(account: account, audio), causedBy: chargedSession)
    }
}

extension CallSnapshot {
    /// True if there are people besides the call's other party.
    fileprivate var hasPeopleToName: Bool { !participants.isEmpty || transferor != nil }
}
