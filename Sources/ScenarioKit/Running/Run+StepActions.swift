import HubEngine
import HubWire

/// The tasks of the steps.
extension Run {
    /// The expected reply to a request.
    enum ExpectedReply: Hashable {
        /// The request is accepted and performed.
        case accepted
        /// The request is refused with this error.
        case refused(String)
        /// The request may be accepted or refused.
        case either

        init(_ refusal: String?) { self = refusal.map(ExpectedReply.refused) ?? .accepted }
    }

    /// Returns the task of a step that is no block.
    func task(for stepAction: StepAction) throws(StepFailure) -> StepTask {
        try task(for: stepAction, nil)
    }

    private func task(for stepAction: StepAction, _ answer: ExpectedReply?) throws(StepFailure) -> StepTask {
        if let app = stepAction.deviceReference?.party, devicePool.accounts.isUnderTest(app) {
            guard let index = devicePool.index(of: DeviceReference(app)) else {
                return try awaited(stepAction, of: app)
            }
            return try performed(stepAction, by: index, answer)
        }
        switch stepAction {
        case .attempt(let stepAction): return try task(for: stepAction, .either)
        case .transaction(let deviceReference, let actions, let refusal):
            return transaction(try index(deviceReference), actions, answer ?? ExpectedReply(refusal))
        case .choose(let deviceReference, let choice, let call):
            return choose(try index(deviceReference), choice, call, answer ?? .accepted)
        case .swap(let deviceReference, let first, let second):
            return swap(try index(deviceReference), first, second, answer ?? .accepted)
        case .respond(let deviceReference, let response, let kind, let call):
            return respond(try index(deviceReference), response, kind, call)
        case .fulfillsEverything(let deviceReference, let all):
            return fulfillEverything(try index(deviceReference), all)
        case .executed(let deviceReference, let handled): return executed(try index(deviceReference), handled)
        case .report(let deviceReference, let report, let refusal):
            return self.report(try index(deviceReference), report, answer ?? ExpectedReply(refusal))
        case .changeAccountData(let deviceReference, let accountDataChange, let refusal):
            let request = ClientRequest.accountData(devicePool.request(accountDataChange))
            return simpleRequest(try index(deviceReference), request, answer ?? ExpectedReply(refusal))
        case .showAppearance(let deviceReference, let change, let refusal):
            return simpleRequest(try index(deviceReference), request(change), answer ?? ExpectedReply(refusal))
        case .presence(let deviceReference, let isAway):
            return simpleRequest(try index(deviceReference), .people(.setAway(isAway)), answer ?? .accepted)
        case .configure(let deviceReference, let configuration, let isOffered, let refusal):
            let index = try index(deviceReference)
            if let isOffered { devicePool.devices[index].isOfferedTransactions = isOffered }
            let request = Request.configure(configuration, executesTransactions: isOffered)
            return simpleRequest(index, .engine(request), answer ?? ExpectedReply(refusal))
        case .invalidate(let deviceReference):
            return simpleRequest(try index(deviceReference), .engine(.invalidate), answer ?? .accepted)
        case .connection(let deviceReference, let stepAction, let refusal):
            return try connection(index(deviceReference), stepAction, ExpectedReply(refusal))
        case .audioSource(let deviceReference, let audioSource):
            let index = try index(deviceReference)
            return StepTask { () throws(StepFailure) in
                guard (try? self.devicePool.setAudioSource(audioSource, of: index)) != nil else {
                    throw StepFailure(expected: "\(deviceReference) speaks", actual: "libopus cannot encode")
                }
            }
        case .hub(let stepAction): return hub(stepAction)
        case .wait, .clockJumps, .expect, .together, .inAnyOrder, .atRandom:
            return StepTask { () throws(StepFailure) in }
        }
    }

    /// Returns the index of the device that a line refers to; throws a failure if there is none.
    func index(_ deviceReference: DeviceReference) throws(StepFailure) -> Int {
        guard let index = devicePool.index(of: deviceReference) else {
            throw StepFailure(expected: "\(deviceReference) takes part", actual: "there is no such device")
        }
        return index
    }

    // MARK: Manual clients

    private func respond(_ index: Int, _ response: ActionResponse, _ kind: ActionKindName, _ call: CallName) -> StepTask
    {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        let pendingRequest = PendingRequest()
        let action = { () -> Action? in
            device.openActions.first { action in
                ActionKindName(action.kind) == kind && devicePool.calls.name(of: action.callUUID) == call
            }
        }
        return StepTask(
            needs: "\(device.deviceReference) is asked to perform \(kind.rawValue) \(call)",
            expects: "the hub answers \(device.deviceReference)",
            isReady: { () throws(StepFailure) in action() != nil },
            isDone: { () throws(StepFailure) in try self.isAnswered(pendingRequest, index, .accepted) },
            state: { self.actionsInWords(of: index) },
            begin: { () throws(StepFailure) in
                guard let action = action() else { return }
                switch response {
                case .fulfills: pendingRequest.number = devicePool.fulfill(action, index)
                case .fulfillsBy(let engine):
                    pendingRequest.number = devicePool.fulfill(action, index, using: engine)
                case .fails:
                    device.close(action.uuid)
                    pendingRequest.number = devicePool.sendRequest(index, .engine(.fail(action.uuid)))
                case .ignores: device.close(action.uuid)
                }
            }
        )
    }

    private func fulfillEverything(_ index: Int, _ all: Bool) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        return StepTask { () throws(StepFailure) in
            device.fulfillsEverything = all
            guard all else { return }
            for action in device.openActions { devicePool.fulfill(action, index) }
        }
    }

    private func executed(_ index: Int, _ handled: Bool) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        let pendingRequest = PendingRequest()
        return StepTask(
            needs: "\(device.deviceReference) is offered a transaction",
            expects: "the hub answers \(device.deviceReference)",
            isReady: { () throws(StepFailure) in !device.transactions.isEmpty },
            isDone: { () throws(StepFailure) in try self.isAnswered(pendingRequest, index, .accepted) },
            state: { "no transaction was offered" },
            begin: { () throws(StepFailure) in
                guard let transaction = device.takeTransaction() else { return }
                pendingRequest.number = devicePool.sendRequest(index, .engine(.executed(transaction, handled: handled)))
            }
        )
    }

    private func actionsInWords(of index: Int) -> String {
        let actions = devicePool.devices[index].openActions.map { devicePool.description(for: $0.kind, $0.callUUID) }
        let deviceReference = devicePool.devices[index].deviceReference
        guard !actions.isEmpty else { return "\(deviceReference) has nothing to perform" }
        return "\(deviceReference) is to perform \(actions.joined(separator: ", "))"
    }
}
