import Foundation
import HubClient
import HubEngine
import HubWire

// Transactions: requested by the app, or made by the hub and the user; performed action by action.
extension SystemCore {
    /// Requests a transaction for the app.
    ///
    /// - Parameters:
    ///   - actions: The actions with the app's UUIDs of calls, and the app's objects for them.
    ///   - object: The app's object for the transaction.
    ///   - appUUID: The app's UUID of the transaction.
    ///   - completion: The receiver of the acceptance, nil, or of the refusal.
    func request(
        _ actions: [(action: Action, object: any PerformableAction)],
        as object: any PerformableTransaction,
        _ appUUID: UUID,
        _ completion: @escaping RequestCompletion
    ) {
        guard !actions.isEmpty else {
            return completion(CallSystemError(.emptyTransaction, "The transaction has no actions; add one.")) {}
        }
        guard let starting = startingProvider else {
            let sentence = "There is no provider of calls; create one, or another one after its invalidation."
            return completion(CallSystemError(.unknownCallProvider, sentence)) {}
        }
        // The app may know a call that it has not reported from the push.
        let announced = calls.filter(\.isAnnounced).map(\.appUUID)
        if actions.contains(where: { announced.contains($0.action.callUUID) }) {
            let sentence = "The app has not reported this call, so that the system does not know it; report it first."
            return completion(CallSystemError(.unknownCallUUID, sentence)) {}
        }
        openSession()
        let records = actions.map { ActionRecord(action: withHubUUIDs($0.action), object: $0.object) }
        // A call's provider performs what is asked of the call, a new call's the newest one.
        let provider = records.lazy.compactMap { record in
            self.calls.contains { $0.uuid == record.action.callUUID } ? self.provider(of: record.action.callUUID) : nil
        }.first
        for record in records { noteStart(record.action, starting) }
        let number = nextRequestNumber()
        requests.append(
            RequestRecord(
                number: number,
                provider: provider ?? starting,
                actions: records,
                object: object,
                appUUID: appUUID,
                completion: completion
            )
        )
        let request = records.map {
            ActionRequest(uuid: $0.action.uuid, callUUID: $0.action.callUUID, kind: carried($0.action.kind))
        }
        backend.send(.engine(.transaction(request))) { [weak self] result in
            guard let self, let request = self.requests.first(where: { $0.number == number }) else { return }
            switch result {
            case .success(.accepted(let id, _)): self.accept(request, as: id)
            case .success:
                self.refuse(request, CallSystemError(.unknown, "The hub's answer does not conform to the protocol."))
            case .failure(let error):
                self.refuse(request, CallSystemError(error, in: .requestTransaction))
            }
        }
    }

    /// Requests a transaction of the user at the system's call screen.
    func request(_ actions: [ActionRequest], _ completion: @escaping (CallSystemError?) -> Void) {
        openSession()
        let actions = actions.map { ActionRequest(uuid: $0.uuid, callUUID: $0.callUUID, kind: carried($0.kind)) }
        backend.send(.engine(.transaction(actions))) { result in
            switch result {
            case .success: completion(nil)
            case .failure(let error): completion(CallSystemError(error, in: .requestTransaction))
            }
        }
    }

    private func accept(_ request: RequestRecord, as id: TransactionUUID) {
        requests.removeAll { $0.number == request.number }
        transactions.append(
            TransactionRecord(
                id: id,
                provider: request.provider,
                actions: request.actions,
                object: request.object,
                appUUID: request.appUUID
            )
        )
        // The app takes the acceptance before anything is performed.
        let mailbox = providers.first { $0.id == request.provider }?.mailbox
        mailbox?.hold()
        request.completion(nil) { mailbox?.release() }
    }

    private func refuse(_ request: RequestRecord, _ error: CallSystemError) {
        requests.removeAll { $0.number == request.number }
        let starts = request.actions.filter { $0.action.kind.type == .start }.map(\.action.callUUID)
        calls.removeAll { starts.contains($0.uuid) && $0.snapshot == nil }
        request.completion(error) {}
    }

    /// Accepts the request of an action that the hub has begun: its acceptance is on the way.
    private func acceptRequest(of action: ActionUUID, as id: TransactionUUID) {
        let request = requests.first { request in request.actions.contains { $0.action.uuid == action } }
        if let request { accept(request, as: id) }
    }

    private func noteStart(_ action: Action, _ provider: ProviderID) {
        guard case .start = action.kind, !calls.contains(where: { $0.uuid == action.callUUID }) else { return }
        var call = CallRecord(action.callUUID, provider: provider)
        call.isExternal = settings.carriesOutgoingCalls == .app
        call.isKnownToApp = true
        calls.append(call)
    }

    /// Returns a kind of action with the carrier of new calls.
    private func carried(_ kind: ActionKind) -> ActionKind {
        guard case .start(let handle, let isVideo, let contact, _) = kind else { return kind }
        let isExternal = settings.carriesOutgoingCalls == .app
        return .start(handle: handle, isVideo: isVideo, contactIdentifier: contact, isExternal: isExternal)
    }

    // MARK: Performing

    /// Offers a transaction to its provider as a whole.
    func offer(_ id: TransactionUUID, _ actions: [Action]) {
        isFresh = false
        if let first = actions.first(where: { action in
            requests.contains { $0.actions.contains { $0.action.uuid == action.uuid } }
        }) {
            acceptRequest(of: first.uuid, as: id)
        }
        let owners = Set(actions.map { provider(of: $0.callUUID) })
        guard owners.count == 1, case let owner?? = owners.first, let client = client(of: owner),
            let index = index(of: id, owner, client)
        else { return answer(id, isHandled: false) }
        transactions[index].actions = actions.compactMap { action in
            object(of: action, in: index, client).map { ActionRecord(action: action, object: $0) }
        }
        for record in transactions[index].actions {
            let deadline = backend.now + record.action.kind.usualDeadline
            let completion = completion(of: record.action)
            record.object.begin(withAppUUIDs(record.action), deadline: deadline.date, completion: completion)
        }
        renew(index, client)
        transactions[index].isOffered = true
        let transaction = transactions[index].object
        guard let system else { return }
        post(to: owner) { client in
            let isHandled = client.execute(transaction)
            system.post { core in
                core.answer(id, isHandled: isHandled)
                core.updateOffers()
            }
        }
    }

    func answer(_ id: TransactionUUID, isHandled: Bool) {
        backend.send(.engine(.executed(id, handled: isHandled))) { [weak self] _ in self?.checkPending() }
    }

    /// Has an action performed by its provider.
    func perform(_ action: Action, of id: TransactionUUID, deadline: Instant, isFulfilled: Bool) {
        isFresh = false
        acceptRequest(of: action.uuid, as: id)
        guard let owner = provider(of: action.callUUID), let client = client(of: owner) else {
            if !isFulfilled { backend.send(.engine(.fail(action.uuid))) { _ in } }
            return
        }
        if let call = calls.firstIndex(where: { $0.uuid == action.callUUID }) {
            calls[call].isKnownToApp = true
            if action.kind.type == .end { calls[call].knowsEnd = true }
        }
        guard let index = index(of: id, owner, client), let object = insert(action, at: index, client) else {
            // A transfer is the system's own: no app has an object for it.
            let isOwn = action.kind.type == .transfer
            let answer: Request = isOwn ? .fulfill(action.uuid, date: nil) : .fail(action.uuid)
            if !isFulfilled { backend.send(.engine(answer)) { _ in } }
            return
        }
        markBegun(action.uuid, until: deadline, in: index)
        renew(index, client)
        let completion = isFulfilled ? nil : completion(of: action)
        object.begin(withAppUUIDs(action), deadline: deadline.date, completion: completion)
        // The hub has made the transaction before it knew that the present delegate may take some.
        let transaction = isFulfilled || transactions[index].isOffered ? nil : transactions[index]
        if isFulfilled { noteComplete(action.uuid) }
        post(to: owner) { [weak system] client in
            guard !object.isComplete else { return }
            if let transaction, !client.leavesTransactions {
                defer { system?.post { $0.updateOffers() } }
                guard !client.execute(transaction.object(of: object, by: client)), !object.isComplete else { return }
            }
            if !client.perform(object), !object.isComplete {
                object.markComplete()
                completion?.fail()
            }
        }
    }

    private func completion(of action: Action) -> ActionCompletion? {
        system.map { ActionCompletion(system: $0, action: action.uuid) }
    }

    /// Takes the result of an action from the app.
    func complete(_ action: ActionUUID, _ outcome: ActionOutcome) {
        guard let index = transactions.firstIndex(where: { $0.actions.contains { $0.action.uuid == action } }),
            let record = transactions[index].actions.first(where: { $0.action.uuid == action && !$0.isComplete })
        else { return }
        let deadline = record.deadline ?? backend.now + record.action.kind.usualDeadline
        switch outcome {
        case .fulfilled(let date, let engine):
            noteComplete(action)
            let date = date.map { Instant($0) }
            send(.fulfill(action, date: date, using: engine), until: deadline)
        case .failed:
            noteFailedEnd(action, in: index)
            // The rest of a transaction fails with its first failed action.
            abandon(action, in: index)
            send(.fail(action), until: deadline)
        }
    }

    /// Sends the result of an action, again and again if the hub refuses it for its rate.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - deadline: The time at which the action fails at the hub.
    ///   - pause: The time before it is sent again, if the hub says none.
    private func send(_ result: Request, until deadline: Instant, pause: Duration = .milliseconds(250)) {
        backend.send(.engine(result)) { [weak self] answer in
            guard let self else { return }
            guard case .failure(.refused(let error)) = answer, error.code.number == Self.tooMany else {
                return self.checkPending()
            }
            let wait = error.retryAfterSeconds.map { .seconds($0) } ?? pause
            guard self.backend.now + wait < deadline else {
                self.system?.warn(
                    "The hub has not taken the result of an action before its deadline: \(error.message)."
                )
                return self.checkPending()
            }
            self.backend.schedule(after: wait) { [weak self] in
                self?.send(result, until: deadline, pause: min(pause * 2, .seconds(2)))
            }
        }
    }

    private static let tooMany = 429

    /// Tells the provider that an action has failed at its deadline.
    func timeOut(_ action: Action) {
        guard let index = transactions.firstIndex(where: { $0.actions.contains { $0.action.uuid == action.uuid } }),
            let record = transactions[index].actions.first(where: { $0.action.uuid == action.uuid })
        else { return }
        let owner = transactions[index].provider
        record.object.markComplete()
        if [.start, .answer].contains(action.kind.type),
            let call = calls.firstIndex(where: { $0.uuid == action.callUUID })
        {
            calls[call].knowsEnd = true
        }
        noteFailedEnd(action.uuid, in: index)
        abandon(action.uuid, in: index)
        post(to: owner) { $0.timedOut(record.object) }
    }

    /// Notes that the app has not ended a call, so that it has yet to learn of the end.
    private func noteFailedEnd(_ action: ActionUUID, in index: Int) {
        let record = transactions[index].actions.first { $0.action.uuid == action }
        guard let record, record.action.kind.type == .end,
            let call = calls.firstIndex(where: { $0.uuid == record.action.callUUID })
        else { return }
        calls[call].knowsEnd = false
    }

    /// Completes the actions of a call that is over, which the hub skips.
    func completeActions(of call: CallUUID) {
        for transaction in transactions {
            for record in transaction.actions where record.action.callUUID == call && !record.isComplete {
                record.object.markComplete()
                noteComplete(record.action.uuid)
            }
        }
    }

    /// Completes an action and those after it in its transaction.
    private func abandon(_ action: ActionUUID, in index: Int) {
        let actions = transactions[index].actions
        guard let first = actions.firstIndex(where: { $0.action.uuid == action }) else { return }
        for record in actions[first...] {
            record.object.markComplete()
            noteComplete(record.action.uuid)
        }
    }

    private func noteComplete(_ action: ActionUUID) {
        for index in transactions.indices {
            for position in transactions[index].actions.indices
            where transactions[index].actions[position].action.uuid == action {
                transactions[index].actions[position].isComplete = true
            }
        }
        transactions.removeAll(where: \.isComplete)
    }
}

extension ActionKind {
    /// The time that the hub gives an app for an action, unless its operator has changed it.
    fileprivate var usualDeadline: Duration {
        switch self {
        case .start: .seconds(600)
        case .answer, .pull: .seconds(60)
        default: .seconds(5)
        }
    }
}
