import HubEngine
import HubWire

/// The state of a request.
final class PendingRequest {
    /// The request's number; nil: it was not sent, or needs no reply.
    var number: Int?
    /// The number of its actions that must be performed before it is done: those before the first pause.
    var awaited = Int.max
}

/// Requests to the hub: their preconditions and their completion.
extension Run {
    /// Returns the task of a request whose only precondition is an open session.
    func simpleRequest(_ index: Int, _ request: ClientRequest, _ answer: ExpectedReply) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        let pendingRequest = PendingRequest()
        return StepTask(
            needs: "\(device.deviceReference) is signed in",
            expects: "the hub answers \(device.deviceReference)",
            isReady: { () throws(StepFailure) in device.connection == .open },
            isDone: { () throws(StepFailure) in try self.isAnswered(pendingRequest, index, answer) },
            state: { self.lastConnectionEvent(of: index) },
            begin: { () throws(StepFailure) in pendingRequest.number = devicePool.sendRequest(index, request) }
        )
    }

    /// Returns the task of a transaction of several actions.
    func transaction(_ index: Int, _ actions: [ScriptedAction], _ answer: ExpectedReply) -> StepTask {
        let device = devicePool.devices[index]
        return transactionTask(
            index,
            answer,
            needs: "\(device.deviceReference) can ask for \(description(for: actions))",
            isReady: { actions.allSatisfy { self.isReady($0, index, answer) } },
            actions: { actions.flatMap { self.requests($0, index, answer) } }
        )
    }

    /// Returns the task of a choice that the hub offers for a ringing call.
    func choose(_ index: Int, _ choice: Choice.Name, _ call: CallName, _ answer: ExpectedReply) -> StepTask {
        let device = devicePool.devices[index]
        let snapshot = { self.call(call, index) }
        let offered = { snapshot()?.choices.first { $0.name == choice } }
        return transactionTask(
            index,
            answer,
            needs: "\(device.deviceReference) is offered \(choice.words) for \(call)",
            isReady: { answer == .either ? snapshot() != nil : offered() != nil },
            actions: { offered()?.actions }
        )
    }

    /// Returns the task that holds the active call and resumes the held one.
    func swap(_ index: Int, _ first: CallName?, _ second: CallName?, _ answer: ExpectedReply) -> StepTask {
        let device = devicePool.devices[index]
        return transactionTask(
            index,
            answer,
            needs: first == nil
                ? "\(device.deviceReference) has one active call and one held"
                : "\(device.deviceReference) has both calls",
            isReady: { answer == .either || self.swapRequests(index, first, second) != nil },
            actions: { self.swapRequests(index, first, second) }
        )
    }

    /// Returns the actions of a swap; nil: the device does not have the two calls.
    func swapRequests(_ index: Int, _ first: CallName?, _ second: CallName?) -> [ActionRequest]? {
        let device = devicePool.devices[index]
        let pair: (CallUUID, CallUUID)
        if let first, let second {
            guard let first = call(first, index), let second = call(second, index) else { return nil }
            pair = (first.uuid, second.uuid)
        } else {
            let live = device.callOrder.compactMap { device.calls[$0] }
            let open = live.filter { $0.state == .connected }
            let held = live.filter { $0.state == .held }
            guard Self.isOne(open), Self.isOne(held), let open = open.first, let held = held.first else { return nil }
            pair = (open.uuid, held.uuid)
        }
        return [
            ActionRequest(callUUID: pair.0, kind: .setHeld(true)),
            ActionRequest(callUUID: pair.1, kind: .setHeld(false)),
        ]
    }

    /// Indicates that the calls are a single one, or all of one group.
    private static func isOne(_ calls: [CallSnapshot]) -> Bool {
        guard let first = calls.first else { return false }
        return calls.count == 1 || (first.group != nil && calls.allSatisfy { $0.group == first.group })
    }

    /// Returns the task of a transaction, from its precondition to its completion.
    ///
    /// For an automatic client it is done when all its actions are performed, up to the first pause among digits; for a
    /// manual one when they are accepted.
    private func transactionTask(
        _ index: Int,
        _ answer: ExpectedReply,
        needs: String,
        isReady: @escaping () -> Bool,
        actions: @escaping () -> [ActionRequest]?
    ) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        let pendingRequest = PendingRequest()
        return StepTask(
            needs: needs,
            expects: "the hub performs the request of \(device.deviceReference)",
            isReady: { () throws(StepFailure) in device.connection == .open && isReady() },
            isDone: { () throws(StepFailure) in try self.isPerformed(pendingRequest, index, answer) },
            state: {
                device.connection == .open ? self.devicePool.callsOfAll(index) : self.lastConnectionEvent(of: index)
            },
            begin: { () throws(StepFailure) in
                // An attempt is done at once if its call no longer exists.
                guard let actions = actions() else { return }
                pendingRequest.awaited = actions.prefix { !$0.kind.waits }.count
                pendingRequest.number = devicePool.sendRequest(index, .engine(.transaction(actions)))
            }
        )
    }

    // MARK: Answers

    /// Indicates that a request has been answered; throws a failure if the reply is not the expected one.
    func isAnswered(
        _ pendingRequest: PendingRequest,
        _ index: Int,
        _ answer: ExpectedReply,
        what: String? = nil
    ) throws(StepFailure) -> Bool {
        guard let number = pendingRequest.number else { return true }
        let device = devicePool.devices[index]
        let what = what ?? "the hub accepts the request of \(device.deviceReference)"
        guard let reply = device.replies[number] else {
            guard device.connectionNumber == nil else { return false }
            if answer == .either { return true }
            throw StepFailure(expected: what, actual: lastConnectionEvent(of: index))
        }
        switch (reply, answer) {
        case (.success, .accepted), (_, .either): return true
        case (.failure(let error), .accepted):
            throw StepFailure(expected: what, actual: "it refuses: \(devicePool.description(for: error))")
        case (.success, .refused(let name)):
            throw StepFailure(expected: "the hub refuses it with \(name)", actual: "it accepts")
        case (.failure(let error), .refused(let name)):
            if error.code.word == name { return true }
            throw StepFailure(
                expected: "the hub refuses it with \(name)",
                actual: "it refuses with \(devicePool.description(for: error))"
            )
        }
    }

    private func isPerformed(_ pendingRequest: PendingRequest, _ index: Int, _ answer: ExpectedReply)
        throws(StepFailure) -> Bool
    {
        guard try isAnswered(pendingRequest, index, answer), let number = pendingRequest.number else {
            return pendingRequest.number == nil
        }
        let device = devicePool.devices[index]
        guard answer == .accepted, !device.party.isManual, !device.isOfferedTransactions,
            case .success(.accepted(_, let actions))? = device.replies[number]
        else { return true }
        // The operated device performs what its operator requests.
        let operated = device.operatedDevice.map { DeviceReference(device.party.name, device: $0) }
        let performer = operated.flatMap { devicePool.index(of: $0) }.map { devicePool.devices[$0] } ?? device
        return actions.prefix(pendingRequest.awaited).allSatisfy { performer.performed.contains($0) }
    }

    func description(for actions: [ScriptedAction]) -> String {
        actions.isEmpty ? "nothing" : actions.map { $0.text(call: "call") }.joined(separator: ", ")
    }
}

extension ActionKind {
    /// Indicates that it waits for a time, or for the user's confirmation, before it is performed.
    var waits: Bool {
        if case .playDTMF(_, let type) = self { type != .singleTone } else { false }
    }
}
