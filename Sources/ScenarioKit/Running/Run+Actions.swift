import HubClient
import HubEngine
import HubWire

/// The preconditions of actions, and their requests.
extension Run {
    /// Returns a call's state from the last notification of a device; nil: the device has no such call.
    func call(_ name: CallName, _ index: Int) -> CallSnapshot? {
        let device = devicePool.devices[index]
        return devicePool.calls.ends(name, of: device.party.name).compactMap { device.calls[$0] }.first
    }

    /// Returns the UUID that a device refers to by a call's name, whether the device has been notified of it or not.
    func uuid(_ name: CallName, _ index: Int) -> CallUUID? {
        call(name, index)?.uuid ?? devicePool.calls.ends(name, of: devicePool.devices[index].party.name).last
    }

    /// Indicates that an action can be requested; one that is or may be refused only needs the call to exist.
    func isReady(_ action: ScriptedAction, _ index: Int, _ answer: ExpectedReply) -> Bool {
        guard answer == .accepted else { return action.calls.allSatisfy { uuid($0, index) != nil } }
        let connected = { (name: CallName) in self.call(name, index).map { $0.hasConnected && !$0.hasEnded } ?? false }
        switch action {
        case .call: return true
        case .answer(let name), .endHere(let name), .decline(let name, _, _):
            return call(name, index)?.state == .ringing
        case .end(let name), .setMuted(let name, _): return call(name, index).map { !$0.hasEnded } ?? false
        case .setHeld(let name, _), .key(_, let name), .setTranslating(let name, _, _, _): return connected(name)
        case .setGroup(let name, let other?): return connected(name) && connected(other)
        case .setGroup(let name, nil): return call(name, index)?.group != nil
        case .pull(let name): return isElsewhere(name, index)
        case .transfer(let name, .call(let other)): return connected(name) && connected(other)
        case .transfer(let name, .target): return connected(name)
        }
    }

    /// Indicates that a call is connected on another device, as the device observes it or as the other one knows it.
    private func isElsewhere(_ name: CallName, _ index: Int) -> Bool {
        guard let uuid = uuid(name, index) else { return false }
        let device = devicePool.devices[index]
        if device.party.observes { return device.observed[uuid].map { $0.hasConnected && !$0.hasEnded } ?? false }
        return devicePool.devices.contains { $0.calls[uuid].map { $0.hasConnected && !$0.hasEnded } ?? false }
    }

    // MARK: On the wire

    /// Returns the requests of an action; digits with pauses are several; empty: there is no such call.
    func requests(_ action: ScriptedAction, _ index: Int, _ answer: ExpectedReply) -> [ActionRequest] {
        if case .call(let target, let name, let isVideo) = action {
            return [start(target, name, isVideo, index, answer)]
        }
        guard let name = action.calls.first, let uuid = uuid(name, index) else { return [] }
        let kind: ActionKind
        switch action {
        case .call: return []
        case .answer: kind = .answer
        case .end: kind = .end
        case .endHere: kind = .endHere
        case .decline(_, let message, let isHere): kind = .decline(message: message, onlyHere: isHere)
        case .setHeld(_, let isHeld): kind = .setHeld(isHeld)
        case .setMuted(_, let isMuted): kind = .setMuted(isMuted)
        case .setGroup(_, let other): kind = .setGroup(with: other.flatMap { self.uuid($0, index) })
        case .key(let digits, _):
            return (DialStringSegment.reading(digits) ?? [DialStringSegment(digits)]).map { $0.action(on: uuid) }
        case .pull: kind = .pull
        case .transfer(_, .call(let other)):
            guard let other = self.uuid(other, index) else { return [] }
            kind = .transfer(to: .call(other))
        case .transfer(_, .target(let target)): kind = .transfer(to: .handle(devicePool.accounts.handle(of: target)))
        case .setTranslating(_, let isOn, let from, let to):
            kind = .setTranslating(isOn, localLanguage: from, remoteLanguage: to)
        }
        return [ActionRequest(callUUID: uuid, kind: kind)]
    }

    /// Returns the request of a start action; a call whose party reports its progress later is external.
    private func start(
        _ target: Target,
        _ name: CallName,
        _ isVideo: Bool,
        _ index: Int,
        _ answer: ExpectedReply
    ) -> ActionRequest {
        let party = devicePool.devices[index].party.name
        var uuid: CallUUID = random.identifier()
        let handle = devicePool.accounts.handle(of: target)
        if case .refused(let error) = answer {
            if error == "callUUIDAlreadyExists" { uuid = self.uuid(name, index) ?? uuid }
        } else {
            let own = BuiltInParty(handle)
            // An app may choose a UUID of its own.
            let known = devicePool.devices[index].app == nil ? uuid : nil
            devicePool.calls.begin(name, by: party, known, to: devicePool.party(of: handle), own)
        }
        let isExternal = scenario.steps.contains { $0.stepAction.reportsProgress(of: name, by: party) }
        let kind = ActionKind.start(
            handle: handle,
            isVideo: isVideo,
            contactIdentifier: nil,
            isExternal: isExternal
        )
        return ActionRequest(callUUID: uuid, kind: kind)
    }
}

extension ScriptedAction {
    /// The existing calls that the action refers to.
    fileprivate var calls: [CallName] {
        switch self {
        case .call: []
        case .answer(let call), .end(let call), .endHere(let call), .decline(let call, _, _),
            .setHeld(let call, _), .setMuted(let call, _), .key(_, let call), .pull(let call),
            .setTranslating(let call, _, _, _), .setGroup(let call, nil), .transfer(let call, .target):
            [call]
        case .setGroup(let call, let other?), .transfer(let call, .call(let other)): [call, other]
        }
    }
}

extension StepAction {
    /// Indicates that a party reports the progress of an outgoing call.
    fileprivate func reportsProgress(of call: CallName, by party: String) -> Bool {
        switch self {
        case .report(let deviceReference, .connecting(let name), nil),
            .report(let deviceReference, .connected(let name), nil):
            deviceReference.party == party && name == call
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps):
            steps.contains { $0.stepAction.reportsProgress(of: call, by: party) }
        default: false
        }
    }
}
