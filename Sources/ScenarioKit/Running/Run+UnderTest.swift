import HubEngine
import HubWire

/// A call at a device, as a key.
struct ObservedCallKey: Hashable {
    var deviceReference: DeviceReference
    var call: CallUUID
}

/// The steps of a party under test: they wait until other parties observe the app's actions.
extension Run {
    /// An effect of an app's action that others observe.
    private struct ExpectedEffect {
        /// The expected effect, a sentence.
        var expects: String
        /// Prepares the observation.
        var begin: () -> Void = {}
        /// Indicates that the effect was observed.
        var isObserved: () throws(StepFailure) -> Bool
        /// Describes the actual state, a sentence.
        var state: () -> String
    }

    /// Returns the task that waits for an action of a party under test.
    func awaited(_ stepAction: StepAction, of app: String) throws(StepFailure) -> StepTask {
        let effects = try effects(of: stepAction, app)
        var left = effects
        return StepTask(
            expects: effects.map(\.expects).joined(separator: ", and "),
            isDone: { () throws(StepFailure) in
                // An effect that was observed once need not last.
                while let effect = left.first, try effect.isObserved() { left.removeFirst() }
                return left.isEmpty
            },
            state: { left.map { $0.state() }.joined(separator: "; ") },
            begin: { () throws(StepFailure) in effects.forEach { $0.begin() } }
        )
    }

    private func effects(of stepAction: StepAction, _ app: String) throws(StepFailure) -> [ExpectedEffect] {
        switch stepAction {
        case .transaction(_, let actions, nil):
            var effects: [ExpectedEffect] = []
            for action in actions { effects.append(try effect(of: action, app)) }
            return effects
        case .choose(_, .accept, let call): return [answered(call, app)]
        case .choose(_, .decline, let call):
            return [
                effect(of: call, app, "declines \(call)") { call, _ in
                    call.endedReason == .remoteEnded && call.cause == .declined
                }
            ]
        case .swap(_, let first?, let second?): return [held(first, true, app), held(second, false, app)]
        default: throw notObservable(app)
        }
    }

    private func effect(of action: ScriptedAction, _ app: String) throws(StepFailure) -> ExpectedEffect {
        switch action {
        case .call(.party(let callee), let name, let isVideo): return rings(name, app, at: callee, isVideo)
        case .answer(let call): return answered(call, app)
        case .end(let call):
            return effect(of: call, app, "ends \(call)") { call, _ in call.endedReason == .remoteEnded }
        case .decline(let call, let message, isHere: false):
            return effect(of: call, app, "declines \(call) saying \(LineFormat.quoted(message))") { call, _ in
                call.endedReason == .remoteEnded && call.message == message
            }
        case .setHeld(let call, let isHeld): return held(call, isHeld, app)
        case .key(let digits, let call): return keyed(digits, call, app)
        default: throw notObservable(app)
        }
    }

    private func notObservable(_ app: String) -> StepFailure {
        StepFailure(expected: "others observe \(app)'s step", actual: "this step of an app is not observable")
    }

    // MARK: Effects

    private func answered(_ call: CallName, _ app: String) -> ExpectedEffect {
        effect(of: call, app, "answers \(call)") { call, _ in call.hasConnected }
    }

    /// Returns the effect of a hold or its end; one that an earlier step has waited for does not count again.
    private func held(_ call: CallName, _ isHeld: Bool, _ app: String) -> ExpectedEffect {
        effect(of: call, app, "\(isHeld ? "holds" : "unholds") \(call)", onceEach: true) { call, before in
            call.remoteIsOnHold == isHeld && !call.hasEnded && before.map { $0.remoteIsOnHold != isHeld } ?? isHeld
        }
    }

    /// Returns an effect on the call at its other end, on one of its devices, not before the last observed one.
    ///
    /// The app may be ahead of the steps, so the notifications received meanwhile are searched in order.
    private func effect(
        of call: CallName,
        _ app: String,
        _ what: String,
        onceEach: Bool = false,
        _ isMet: @escaping (CallSnapshot, _ before: CallSnapshot?) -> Bool
    ) -> ExpectedEffect {
        ExpectedEffect(
            expects: "\(app) \(what)",
            isObserved: { () throws(StepFailure) in
                guard let end = self.devicePool.calls.otherEnd(call, of: app) else { return false }
                let isObserved = self.devices(of: end.party).contains { device in
                    let position = ObservedCallKey(deviceReference: device.deviceReference, call: end.uuid)
                    let observedCounts = self.observedCounts[position] ?? 0
                    var before: CallSnapshot?
                    for (index, notification) in device.notifications.enumerated() {
                        guard case .callChanged(let call) = notification, call.uuid == end.uuid else { continue }
                        if index >= observedCounts, isMet(call, before) {
                            self.observedCounts[position] = index + (onceEach ? 1 : 0)
                            return true
                        }
                        before = call
                    }
                    return false
                }
                let snapshots = self.devices(of: end.party).compactMap { $0.calls[end.uuid] }
                if !isObserved, !snapshots.isEmpty, snapshots.allSatisfy(\.hasEnded) {
                    // An ended call does not change any more.
                    throw StepFailure(expected: "\(app) \(what)", actual: self.otherEndInWords(call, of: app))
                }
                return isObserved
            },
            state: { self.otherEndInWords(call, of: app) }
        )
    }

    /// Returns the effect that a call of the app rings, now or already before; names the call.
    private func rings(_ name: CallName, _ app: String, at callee: String, _ isVideo: Bool) -> ExpectedEffect {
        let devicePool = devicePool
        return ExpectedEffect(
            expects: "\(app) calls \(callee)\(isVideo ? " with video" : "")",
            begin: {
                devicePool.calls.begin(name, by: app, nil, to: callee, nil)
                for device in self.devices(of: callee) {
                    for uuid in device.callOrder {
                        guard let call = device.calls[uuid], !call.isOutgoing,
                            devicePool.party(of: call.remoteHandle) == app
                        else { continue }
                        devicePool.calls.rings(uuid, at: callee, from: app) { _ in false }
                    }
                }
            },
            isObserved: { () throws(StepFailure) in
                guard let end = devicePool.calls.otherEnd(name, of: app) else { return false }
                guard let call = self.devices(of: callee).compactMap({ $0.calls[end.uuid] }).first else { return false }
                guard call.hasVideo != isVideo else { return true }
                let (expected, actual) = isVideo ? ("with", "without") : ("without", "with")
                throw StepFailure(
                    expected: "\(app) calls \(callee) \(expected) video",
                    actual: "\(app) calls \(actual) video"
                )
            },
            state: { self.devicePool.index(of: DeviceReference(callee)).map { self.devicePool.callsOfAll($0) } ?? "" }
        )
    }

    /// Returns the effect of digits that no earlier step has waited for; pauses are not observable at the other end.
    private func keyed(_ digits: String, _ call: CallName, _ app: String) -> ExpectedEffect {
        let wanted = digits.filter { $0 != "," && $0 != ";" }
        return ExpectedEffect(
            expects: "\(app) keys \(wanted) on \(call)",
            isObserved: { () throws(StepFailure) in
                guard let end = self.devicePool.calls.otherEnd(call, of: app) else { return false }
                let notifications = self.digits(of: end.uuid)
                let fresh = notifications.dropFirst(self.observedDigitCounts[end.uuid] ?? 0)
                guard let range = fresh.firstRange(of: wanted) else { return false }
                self.observedDigitCounts[end.uuid] = notifications.distance(
                    from: notifications.startIndex,
                    to: range.upperBound
                )
                return true
            },
            state: {
                let notifications = self.devicePool.calls.otherEnd(call, of: app).map { self.digits(of: $0.uuid) } ?? ""
                return notifications.isEmpty ? "\(app) has keyed nothing" : "\(app) has keyed \(notifications) in all"
            }
        )
    }

    private func digits(of call: CallUUID) -> String {
        let notifications = devicePool.devices.first { $0.calls[call] != nil }?.notifications ?? []
        return notifications.reduce(into: "") { keyed, notification in
            if case .dtmf(call, let digits, _) = notification { keyed += digits }
        }
    }

    private func devices(of party: String) -> [SimulatedDevice] {
        devicePool.devices.filter { $0.party.name == party }
    }

    private func otherEndInWords(_ call: CallName, of app: String) -> String {
        guard let end = devicePool.calls.otherEnd(call, of: app),
            let device = devices(of: end.party).first(where: { $0.calls[end.uuid] != nil }),
            let snapshot = device.calls[end.uuid]
        else { return "nobody has a call \(call) with \(app)" }
        return "\(device.deviceReference)'s \(call) is \(devicePool.description(for: snapshot))"
    }
}
