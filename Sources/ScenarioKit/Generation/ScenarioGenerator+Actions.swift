import HubEngine
import HubWire

/// Steps from the actions of recorded users.
extension ScenarioGenerator {
    /// Processes an event of a session.
    mutating func handleSessionEvent(_ recordedEvent: RecordedEvent, _ deviceIndex: Int) {
        if case .notified(.didBegin(let configuration)) = recordedEvent.content,
            participants.devices[deviceIndex].configuration == nil
        {
            participants.devices[deviceIndex].configuration = configuration
        }
        guard case .session(let what) = recordedEvent.content else { return }
        switch what {
        case .opened:
            // A recorder that reconnects receives the open sessions again.
            guard !participants.devices[deviceIndex].isOpen else { return }
            if !lines.isEmpty {
                if !participants.devices[deviceIndex].wasSignedIn { participants.devices[deviceIndex].isLate = true }
                step(
                    .connection(participants.deviceReference(deviceIndex), .signsIn, refusal: nil),
                    at: recordedEvent.at
                )
            }
            (
                participants.devices[deviceIndex].isOpen, participants.devices[deviceIndex].wasSignedIn,
                participants.devices[deviceIndex].isLost
            ) = (true, true, false)
        case .lost:
            step(.connection(participants.deviceReference(deviceIndex), .drops, refusal: nil), at: recordedEvent.at)
            participants.devices[deviceIndex].isLost = true
        case .resumed:
            step(.connection(participants.deviceReference(deviceIndex), .resumes, refusal: nil), at: recordedEvent.at)
            participants.devices[deviceIndex].isLost = false
        case .closed:
            // The hub ends the session of a lost connection.
            if participants.devices[deviceIndex].isLost {
                needsGrace = true
            } else if participants.devices[deviceIndex].isOpen {
                step(
                    .connection(participants.deviceReference(deviceIndex), .leaves, refusal: nil),
                    at: recordedEvent.at
                )
            }
            participants.devices[deviceIndex].isOpen = false
        }
    }

    /// Adds an action of a user to the step of its transaction.
    mutating func handleUserAction(_ recordedEvent: RecordedEvent, _ deviceIndex: Int) {
        switch recordedEvent.content {
        case .notified(.perform(let transaction, let action, _, .user, _)):
            if !offered.contains(transaction) { take(action, of: transaction, deviceIndex, at: recordedEvent.at) }
        case .notified(.execute(let transaction, let actions)):
            // A client that is offered a whole transaction may handle it whole; then its actions are not notified.
            offered.insert(transaction)
            for action in actions { take(action, of: transaction, deviceIndex, at: recordedEvent.at) }
        default: break
        }
    }

    private mutating func take(
        _ action: Action,
        of transaction: TransactionUUID,
        _ deviceIndex: Int,
        at instant: Instant
    ) {
        if case .start(let handle, _, _, let isExternal) = action.kind {
            let end = AccountCall(account: participants.devices[deviceIndex].account, uuid: action.callUUID)
            begin(.account(end.account), participants.participant(handle), isExternal: isExternal, end)
        }
        guard name(of: action.callUUID, deviceIndex) != nil else {
            return note("an action on a call that existed before the recording began")
        }
        if var userTransaction = transactions[transaction] {
            userTransaction.actions.append(action)
            transactions[transaction] = userTransaction
            lines[userTransaction.line].stepAction = stepAction(userTransaction)
        } else {
            var userTransaction = UserTransaction(
                line: 0,
                deviceIndex: deviceIndex,
                actions: [action],
                calls: liveCalls(of: deviceIndex)
            )
            step(stepAction(userTransaction), at: instant)
            userTransaction.line = lines.count - 1
            transactions[transaction] = userTransaction
        }
    }

    /// Returns the step of a transaction: a choice or a swap if its actions match one.
    private mutating func stepAction(_ userTransaction: UserTransaction) -> StepAction {
        let deviceReference = participants.deviceReference(userTransaction.deviceIndex)
        let callActions = userTransaction.actions.map { ($0.callUUID, $0.kind) }
        let offered = userTransaction.calls.flatMap(\.choices).first { choice in
            choice.actions.count == callActions.count
                && zip(choice.actions, callActions).allSatisfy { $0.callUUID == $1.0 && $0.kind == $1.1 }
        }
        if let offered, let last = callActions.last, let call = name(of: last.0, userTransaction.deviceIndex) {
            return .choose(deviceReference, offered.name, call)
        }
        if callActions.count == 2, callActions[0].1 == .setHeld(true), callActions[1].1 == .setHeld(false),
            let first = name(of: callActions[0].0, userTransaction.deviceIndex),
            let second = name(of: callActions[1].0, userTransaction.deviceIndex)
        {
            let others = userTransaction.calls.filter { $0.state == .held || $0.state == .connected }
            return others.count == 2 ? .swap(deviceReference, nil, nil) : .swap(deviceReference, first, second)
        }
        return .transaction(
            deviceReference,
            scripted(userTransaction.actions, userTransaction.deviceIndex),
            refusal: nil
        )
    }

    /// Returns actions as lines contain them; consecutive digits, each of which is an action, are joined.
    private mutating func scripted(_ actions: [Action], _ deviceIndex: Int) -> [ScriptedAction] {
        var scripted: [ScriptedAction] = []
        for action in actions {
            guard let next = self.scripted(action, deviceIndex) else { continue }
            if case .key(let digits, let call) = next, case .key(let before, call)? = scripted.last {
                scripted[scripted.count - 1] = .key(before + digits, call)
            } else {
                scripted.append(next)
            }
        }
        return scripted
    }

    private mutating func scripted(_ action: Action, _ deviceIndex: Int) -> ScriptedAction? {
        guard let name = name(of: action.callUUID, deviceIndex) else { return nil }
        switch action.kind {
        case .start(let handle, let isVideo, _, _):
            return .call(participants.target(participants.participant(handle)), name, isVideo: isVideo)
        case .answer: return .answer(name)
        case .end: return .end(name)
        case .endHere: return .endHere(name)
        case .decline(let message, let onlyHere): return .decline(name, saying: message, isHere: onlyHere)
        case .setHeld(let isHeld): return .setHeld(name, isHeld)
        case .setMuted(let isMuted): return .setMuted(name, isMuted)
        case .setGroup(let other?):
            guard let other = self.name(of: other, deviceIndex) else { return nil }
            return .setGroup(name, with: other)
        case .setGroup(nil): return .setGroup(name, with: nil)
        case .playDTMF(let digits, let type):
            let pause = type == .singleTone ? "" : type == .softPause ? "," : ";"
            return .key(pause + digits.filter { $0 != "," && $0 != ";" }, name)
        case .pull: return .pull(name)
        case .transfer(.call(let other)):
            return self.name(of: other, deviceIndex).map { .transfer(name, to: .call($0)) }
        case .transfer(.handle(let handle)):
            return .transfer(name, to: .target(participants.target(participants.participant(handle))))
        case .setTranslating(let isOn, let local, let remote):
            return .setTranslating(name, isOn, from: local, to: remote)
        case .unknown: return nil
        }
    }
}
