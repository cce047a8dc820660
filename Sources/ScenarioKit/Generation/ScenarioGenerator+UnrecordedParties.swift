import HubEngine
import HubWire

/// The actions of unrecorded parties in one event, derived from the calls of recorded devices.
struct UnrecordedParties {
    /// The kind of an action.
    enum Kind {
        case began
        case answered
        case declined
        case ended
        case held
        case resumed
        case dropped
    }

    private(set) var all: [(participant: Participant, kind: Kind, position: Int)] = []
    private(set) var at: Instant?

    /// The parties that did something, without duplicates.
    var list: [Participant] { all.map(\.participant).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    mutating func add(_ participant: Participant, _ kind: Kind, _ position: Int, at instant: Instant) {
        all.append((participant, kind, position))
        at = instant
    }

    func positions(_ participant: Participant, _ kind: Kind) -> [Int] {
        all.filter { $0.participant == participant && $0.kind == kind }.map(\.position)
    }
}

/// Calls from outside, and the actions of unrecorded parties.
extension ScenarioGenerator {
    /// Processes a change of a recorded device's call, and adds the unrecorded party's action that caused it.
    mutating func change(
        _ call: CallSnapshot,
        _ deviceIndex: Int,
        at instant: Instant,
        _ unrecordedParties: inout UnrecordedParties
    ) {
        guard let position = position(of: DeviceCall(deviceIndex: deviceIndex, uuid: call.uuid)) else {
            return addIncomingCall(call, deviceIndex, at: instant, &unrecordedParties)
        }
        let before = callStates[DeviceCall(deviceIndex: deviceIndex, uuid: call.uuid)]
        let isOver = call.hasEnded && before?.hasEnded != true
        if isOver { noteEnd(call, position) }
        if let before, call.capabilities != before.capabilities {
            let update = CallUpdate(call.capabilities, since: before.capabilities)
            step(
                .report(participants.deviceReference(deviceIndex), .update(calls[position].name, update), refusal: nil),
                at: instant
            )
        }
        if calls[position].isExternal {
            return addExternalCallReports(call, before, position, deviceIndex, at: instant)
        }
        let other = call.isOutgoing ? calls[position].callee : calls[position].caller
        guard case .unrecorded = other, !participants.isBuiltIn(other) else { return }
        if call.hasConnected, !calls[position].isAnswered {
            calls[position].isAnswered = true
            if call.isOutgoing { unrecordedParties.add(other, .answered, position, at: instant) }
        }
        if isOver {
            guard let kind = end(call, position) else { return }
            unrecordedParties.add(other, kind, position, at: instant)
        } else if call.remoteIsOnHold != (before?.remoteIsOnHold ?? false), !call.hasEnded {
            unrecordedParties.add(other, call.remoteIsOnHold ? .held : .resumed, position, at: instant)
        }
    }

    /// Processes a call that the scenario does not contain yet: it rings from outside, or predates the recording.
    private mutating func addIncomingCall(
        _ call: CallSnapshot,
        _ deviceIndex: Int,
        at instant: Instant,
        _ unrecordedParties: inout UnrecordedParties
    ) {
        let end = AccountCall(account: participants.devices[deviceIndex].account, uuid: call.uuid)
        guard !call.isOutgoing, call.state == .ringing, !unknown.contains(end) else {
            if unknown.insert(end).inserted, !call.hasEnded {
                note("a call that was there before the recording began")
            }
            return
        }
        let (caller, callee) = (participants.participant(call.remoteHandle), Participant.account(end.account))
        let name = CallName(NameSyntax.call(number: calls.count))
        if call.isExternal {
            let update = CallUpdate(call.capabilities, since: CallCapabilities())
            let target = call.nameSource == .hidden ? nil : Target.handle(call.remoteHandle)
            let report = Report.incoming(target, name, update)
            step(.report(participants.deviceReference(deviceIndex), report, refusal: nil), at: instant)
        } else {
            let action = ScriptedAction.call(participants.target(callee), name, isVideo: call.hasVideo)
            step(.transaction(participants.deviceReference(caller), [action], refusal: nil), at: instant)
            unrecordedParties.add(caller, .began, calls.count, at: instant)
        }
        begin(caller, callee, isExternal: call.isExternal, end)
    }

    /// Adds the reports of an external call, which its owner carries itself.
    private mutating func addExternalCallReports(
        _ call: CallSnapshot,
        _ before: CallSnapshot?,
        _ position: Int,
        _ deviceIndex: Int,
        at instant: Instant
    ) {
        let name = calls[position].name
        guard let before else { return }
        let deviceReference = participants.deviceReference(deviceIndex)
        if call.isOutgoing, call.startedConnectingAt != nil, before.startedConnectingAt == nil {
            step(.report(deviceReference, .connecting(name), refusal: nil), at: instant)
        }
        if call.isOutgoing, call.hasConnected, !before.hasConnected {
            step(.report(deviceReference, .connected(name), refusal: nil), at: instant)
        }
        if call.hasEnded, !before.hasEnded, let reason = call.endedReason, call.cause == nil {
            step(.report(deviceReference, .ended(name, reason), refusal: nil), at: instant)
        }
    }

    /// Returns the way in which an unrecorded party ended a call; nil: it did not.
    private mutating func end(_ call: CallSnapshot, _ position: Int) -> UnrecordedParties.Kind? {
        switch (call.endedReason, call.cause) {
        case (.remoteEnded?, .declined?): return .declined
        case (.remoteEnded?, nil), (.remoteEnded?, .cancelled?): return .ended
        case (.failed?, .connectionLost?):
            needsGrace = true
            return .dropped
        case (.remoteEnded?, .busy?):
            note("the reason why the unrecorded callee of \(calls[position].name) was busy")
            return nil
        default: return nil
        }
    }

    /// Records the cause of a call's end, and the hub's settings that it depends on.
    private mutating func noteEnd(_ call: CallSnapshot, _ position: Int) {
        calls[position].cause = calls[position].cause ?? call.cause
        if call.endedReason == .unanswered { needsRingTimeout = true }
        switch (call.endedReason, call.cause) {
        case (_, .actionFailed?), (_, .providerInvalidated?), (_, .shutdown?), (_, .administrator?),
            (.failed?, .timeout?):
            calls[position].needsExplicitEnd = true
        default: break
        }
    }

    /// Adds a step that ends each call whose actual cause no step can reproduce, so that the scenario can continue.
    mutating func addExplicitEnds(_ notified: [(deviceIndex: Int, recordedEvent: RecordedEvent)]) {
        var done: Set<Int> = []
        for (deviceIndex, recordedEvent) in notified {
            guard case .notified(.callChanged(let call)) = recordedEvent.content, call.hasEnded,
                let position = position(of: DeviceCall(deviceIndex: deviceIndex, uuid: call.uuid)),
                calls[position].needsExplicitEnd,
                done.insert(position).inserted
            else { continue }
            let name = calls[position].name
            note("why \(name) ended: \(call.cause?.rawValue ?? ""); here somebody ends it")
            step(
                .transaction(participants.deviceReference(deviceIndex), [.end(name)], refusal: nil),
                at: recordedEvent.at
            )
        }
    }

    // MARK: Steps

    /// Adds the actions of unrecorded parties, one step for each party.
    mutating func perform(_ unrecordedParties: UnrecordedParties) {
        guard let at = unrecordedParties.at else { return }
        for participant in unrecordedParties.list {
            if let stepAction = stepAction(of: participant, unrecordedParties) { step(stepAction, at: at) }
        }
    }

    private mutating func stepAction(of participant: Participant, _ unrecordedParties: UnrecordedParties) -> StepAction?
    {
        let deviceReference = participants.deviceReference(participant)
        func names(_ kind: UnrecordedParties.Kind) -> [CallName] {
            unrecordedParties.positions(participant, kind).map { calls[$0].name }
        }
        let (ended, held, resumed) = (names(.ended), names(.held), names(.resumed))
        if !names(.dropped).isEmpty { return .connection(deviceReference, .drops, refusal: nil) }
        if let call = names(.answered).first {
            let choice: Choice.Name =
                switch (ended.isEmpty, held.isEmpty) {
                case (true, true): .accept
                case (true, false): .holdAndAccept
                case (false, true): .endAndAccept
                case (false, false): .endHeldAndAccept
                }
            let isAlone = choice != .accept || !isBusy(participant, besides: call)
            return isAlone
                ? .choose(deviceReference, choice, call) : .transaction(deviceReference, [.answer(call)], refusal: nil)
        }
        if let call = names(.declined).first { return .choose(deviceReference, .decline, call) }
        // The hub itself resumes a call when another one ends, and holds one when another begins: no step is needed.
        if !ended.isEmpty { return .transaction(deviceReference, ended.map { .end($0) }, refusal: nil) }
        if !names(.began).isEmpty { return nil }
        if let first = held.first, let second = resumed.first { return .swap(deviceReference, first, second) }
        let actions = held.map { ScriptedAction.setHeld($0, true) } + resumed.map { .setHeld($0, false) }
        return actions.isEmpty ? nil : .transaction(deviceReference, actions, refusal: nil)
    }

    /// Indicates that an unrecorded party has another ongoing call.
    private func isBusy(_ participant: Participant, besides name: CallName) -> Bool {
        callStates.contains { deviceCall, call in
            guard !call.hasEnded, let position = position(of: deviceCall), calls[position].name != name else {
                return false
            }
            return calls[position].caller == participant
                || (calls[position].callee == participant && calls[position].isAnswered)
        }
    }
}

extension CallUpdate {
    /// Creates an update with the capabilities that have changed.
    fileprivate init(_ now: CallCapabilities, since before: CallCapabilities) {
        self.init()
        func changed(_ path: KeyPath<CallCapabilities, Bool>) -> Bool? {
            now[keyPath: path] == before[keyPath: path] ? nil : now[keyPath: path]
        }
        supportsHolding = changed(\.supportsHolding)
        supportsGrouping = changed(\.supportsGrouping)
        supportsUngrouping = changed(\.supportsUngrouping)
        supportsDTMF = changed(\.supportsDTMF)
    }
}
