import HubEngine

/// The clients' requests, translated into the engine's types from the state that the client has at the time.
extension World {
    /// Returns the request of an operation; nil if it makes no sense at the time.
    mutating func request(for step: Operation.Step, of device: Int) -> Request? {
        let notifiedState = clients[device].notifiedState
        switch step {
        case .choose(let ringing, let choice):
            let call = notifiedState.calls.filter { $0.state == .ringing }.cyclic(ringing)
            return call?.choices.cyclic(choice).map { .transaction($0.actions) }
        case .request(let requestedActions):
            var actions: [ActionRequest] = []
            for requestedAction in requestedActions {
                guard let action = action(for: requestedAction, of: device) else { return nil }
                actions.append(action)
            }
            return .transaction(actions)
        case .respond(let selector, let fulfills):
            guard let action = notifiedState.performs.cyclic(selector) else { return nil }
            clients[device].notifiedState.performs.removeAll { $0.uuid == action.uuid }
            clients[device].answered.append(action.uuid)
            return fulfills ? .fulfill(action.uuid, date: nil) : .fail(action.uuid)
        case .respondAgain(let selector):
            return clients[device].answered.suffix(4).map { .fulfill($0, date: nil) }.cyclic(selector)
        case .execute(let selector, let handled):
            guard let offer = notifiedState.offers.cyclic(selector) else { return nil }
            clients[device].notifiedState.offers.removeAll { $0.transaction == offer.transaction }
            if handled { clients[device].notifiedState.performs += offer.actions }
            return .executed(offer.transaction, handled: handled)
        case .reportIncoming(let caller, let selector, let video):
            return incoming(from: caller, selector, video, on: device)
        case .reportUpdate(let selector, let field, let isOn):
            return call(selector, of: device).map { .reportCall($0, update(field, isOn)) }
        case .reportEnded(let selector, let reason):
            return call(selector, of: device).map { .reportCallEnded($0, reason, date: nil) }
        case .reportOutgoing(let selector, let event):
            return call(selector, of: device).map { .reportOutgoingCall($0, event, date: nil) }
        case .configure(let groups, let perGroup, let video, let isOffered):
            var provider = shape.devices[device].provider
            provider.maximumCallGroups = groups
            provider.maximumCallsPerCallGroup = perGroup
            provider.supportsVideo = video
            return .configure(provider, executesTransactions: isOffered)
        case .invalidate: return .invalidate
        case .ask(let pending): return pending ? .pending(type: nil, callUUID: nil) : .calls
        case .sendNonsense(let kind): return nonsense(kind, of: device)
        default: return nil
        }
    }

    private mutating func action(for requestedAction: Operation.RequestedAction, of device: Int) -> ActionRequest? {
        switch requestedAction {
        case .start(let target, let video, let external):
            let kind = ActionKind.start(
                handle: handle(target),
                isVideo: video,
                contactIdentifier: nil,
                isExternal: external
            )
            return named(device, makeUUID(), kind)
        case .answer(let selector): return named(device, call(selector, of: device), .answer)
        case .end(let selector): return named(device, call(selector, of: device), .end)
        case .endHere(let selector): return named(device, call(selector, of: device), .endHere)
        case .decline(let selector, let onlyHere):
            let message = "later \(lastUUID)"
            return named(device, call(selector, of: device), .decline(message: message, onlyHere: onlyHere))
        case .hold(let selector, let isOn): return named(device, call(selector, of: device), .setHeld(isOn))
        case .mute(let selector, let isOn): return named(device, call(selector, of: device), .setMuted(isOn))
        case .merge(let selector, let other):
            guard let other = call(other, of: device) else { return nil }
            return named(device, call(selector, of: device), .setGroup(with: other))
        case .split(let selector): return named(device, call(selector, of: device), .setGroup(with: nil))
        case .key(let selector, let digits, let type):
            return named(device, call(selector, of: device), .playDTMF(digits: digits, type: type))
        case .join(let selector, let other):
            guard let other = call(other, of: device) else { return nil }
            return named(device, call(selector, of: device), .transfer(to: .call(other)))
        case .handOver(let selector, let target):
            return named(device, call(selector, of: device), .transfer(to: .handle(handle(target))))
        case .pull(let place): return named(device, elsewhere(place, device), .pull)
        case .translate(let selector, let isOn):
            let kind = ActionKind.setTranslating(isOn, localLanguage: "de", remoteLanguage: "ko")
            return named(device, call(selector, of: device), kind)
        case .nothing(let selector): return named(device, call(selector, of: device), .unknown(type: "nothing"))
        }
    }

    /// Returns an action request; clients with even numbers set the action's UUID, the others leave it to the hub.
    private mutating func named(_ device: Int, _ call: CallUUID?, _ kind: ActionKind) -> ActionRequest? {
        guard let call else { return nil }
        lastUUID += 1
        let uuid = device.isMultiple(of: 2) ? ActionUUID(high: 0xAC7, low: lastUUID) : nil
        return ActionRequest(uuid: uuid, callUUID: call, kind: kind)
    }

    mutating func makeUUID() -> CallUUID {
        lastUUID += 1
        return CallUUID(high: 0xCA11, low: lastUUID)
    }

    private func handle(_ target: Int) -> Handle {
        let others = ["echo", "tone", "music", "nobody"]
        let place = target % (shape.accounts.count + others.count + 1)
        if place < shape.accounts.count { return .generic(shape.accounts[place]) }
        if place == shape.accounts.count + others.count { return Handle(type: .phoneNumber, value: "491234") }
        return .generic(others[place - shape.accounts.count])
    }

    private func call(_ selector: Operation.CallSelector, of device: Int) -> CallUUID? {
        let notifiedState = clients[device].notifiedState
        switch selector {
        case .active(let place): return notifiedState.focused.cyclic(place)?.uuid
        case .held(let place): return notifiedState.calls.filter { $0.state == .held }.cyclic(place)?.uuid
        case .ringing(let place): return notifiedState.calls.filter { $0.state == .ringing }.cyclic(place)?.uuid
        case .any(let place): return notifiedState.calls.cyclic(place)?.uuid
        case .grouped(let place): return notifiedState.calls.filter { $0.group != nil }.cyclic(place)?.uuid
        case .gone(let place): return Array(notifiedState.ended.suffix(6)).cyclic(place)
        case .foreign(let place):
            return clients.indices.filter { $0 != device }.flatMap { clients[$0].notifiedState.calls }.cyclic(place)?
                .uuid
        }
    }

    /// Returns a call on another device of the account.
    private func elsewhere(_ place: Int, _ device: Int) -> CallUUID? {
        let account = shape.devices[device].account
        return clients.indices.filter { $0 != device && shape.devices[$0].account == account }
            .flatMap { clients[$0].notifiedState.calls }.cyclic(place)?.uuid
    }

    private mutating func incoming(
        from caller: Int,
        _ selector: Operation.CallSelector?,
        _ video: Bool,
        on device: Int
    ) -> Request? {
        var update = CallUpdate()
        // Now and then nobody knows the caller.
        if caller < 10 { update.remoteHandle = handle(caller) }
        if video { update.hasVideo = true }
        if let selector {
            guard let uuid = call(selector, of: device) else { return nil }
            return .reportNewIncomingCall(uuid, update)
        }
        return .reportNewIncomingCall(makeUUID(), update)
    }

    private func update(_ field: Int, _ isOn: Bool) -> CallUpdate {
        var update = CallUpdate()
        switch field % 7 {
        case 0: update.supportsHolding = isOn
        case 1: update.supportsGrouping = isOn
        case 2: update.supportsUngrouping = isOn
        case 3: update.supportsDTMF = isOn
        case 4: update.hasVideo = isOn
        case 5: update.localizedCallerName = isOn ? "somebody" : "somebody else"
        default: update.remoteHandle = .generic(isOn ? "known" : "unknown")
        }
        return update
    }

    /// Returns a request that no sensible client sends.
    private mutating func nonsense(_ kind: Int, of device: Int) -> Request? {
        let own = call(.any(kind), of: device)
        switch kind % 10 {
        case 0: return .transaction([])
        case 1: return .transaction([ActionRequest(callUUID: makeUUID(), kind: .end)])
        case 2: return .fulfill(ActionUUID(high: 1, low: lastUUID), date: nil)
        case 3: return .executed(TransactionUUID(high: 1, low: lastUUID), handled: true)
        case 4: return .reportCallEnded(makeUUID(), .failed, date: nil)
        case 5:
            guard let own else { return nil }
            return .transaction([ActionRequest(callUUID: own, kind: start(kind))])
        case 6:
            guard let foreign = elsewhere(kind, device) else { return nil }
            return .transaction([ActionRequest(callUUID: foreign, kind: start(kind))])
        case 7:
            guard let own else { return nil }
            let action = ActionRequest(uuid: ActionUUID(high: 2, low: 2), callUUID: own, kind: .setMuted(true))
            return .transaction([action, action])
        case 8:
            guard let own else { return nil }
            return .transaction([ActionRequest(callUUID: own, kind: .setGroup(with: own))])
        default:
            guard let own else { return nil }
            return .transaction([ActionRequest(callUUID: own, kind: .pull)])
        }
    }

    private func start(_ target: Int) -> ActionKind {
        .start(handle: handle(target), isVideo: false, contactIdentifier: nil)
    }
}
