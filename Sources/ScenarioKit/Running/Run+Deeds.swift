import HubEngine
import HubWire

/// The tasks of the steps.
extension Run {
    /// The expected reply to a request.
    enum Answer: Hashable {
        /// The request is accepted and performed.
        case accepted
        /// The request is refused with this error.
        case refused(String)
        /// The request may be accepted or refused.
        case either

        init(_ refusal: String?) { self = refusal.map(Answer.refused) ?? .accepted }
    }

    /// Returns the task of a step that is no block.
    func task(for deed: Deed) throws(StepFailure) -> StepTask {
        try task(for: deed, nil)
    }

    private func task(for deed: Deed, _ answer: Answer?) throws(StepFailure) -> StepTask {
        if let app = deed.who?.party, ensemble.accounts.isUnderTest(app) { return try awaited(deed, of: app) }
        switch deed {
        case .attempt(let deed): return try task(for: deed, .either)
        case .transaction(let who, let actions, let refusal):
            return transaction(try index(who), actions, answer ?? Answer(refusal))
        case .choose(let who, let choice, let call):
            return choose(try index(who), choice, call, answer ?? .accepted)
        case .swap(let who, let first, let second):
            return swap(try index(who), first, second, answer ?? .accepted)
        case .settle(let who, let settling, let kind, let call): return settle(try index(who), settling, kind, call)
        case .fulfillsEverything(let who, let all): return fulfillEverything(try index(who), all)
        case .executed(let who, let handled): return executed(try index(who), handled)
        case .report(let who, let report, let refusal):
            return self.report(try index(who), report, answer ?? Answer(refusal))
        case .remember(let who, let remembering, let refusal):
            let request = ClientRequest.memory(ensemble.request(remembering))
            return plain(try index(who), request, answer ?? Answer(refusal))
        case .configure(let who, let configuration, let refusal):
            return plain(try index(who), .engine(.configure(configuration)), answer ?? Answer(refusal))
        case .invalidate(let who): return plain(try index(who), .engine(.invalidate), answer ?? .accepted)
        case .connection(let who, let deed, let refusal): return try connection(index(who), deed, Answer(refusal))
        case .mouth(let who, let mouth):
            let index = try index(who)
            return StepTask { () throws(StepFailure) in
                guard (try? self.ensemble.setMouth(mouth, of: index)) != nil else {
                    throw StepFailure(expected: "\(who) speaks", came: "libopus cannot encode")
                }
            }
        case .hub(let deed): return hub(deed)
        case .wait, .clockJumps, .expect, .together, .inAnyOrder, .atRandom:
            return StepTask { () throws(StepFailure) in }
        }
    }

    /// Returns the index of the device that a line refers to; throws a failure if there is none.
    func index(_ who: Who) throws(StepFailure) -> Int {
        guard let index = ensemble.index(of: who) else {
            throw StepFailure(expected: "\(who) takes part", came: "there is no such device")
        }
        return index
    }

    // MARK: Manual clients

    private func settle(_ index: Int, _ settling: Settling, _ kind: ActionKindName, _ call: CallName) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        let asked = Asked()
        let action = { () -> Action? in
            phone.openActions.first { action in
                ActionKindName(action.kind) == kind && ensemble.calls.name(of: action.callUUID) == call
            }
        }
        return StepTask(
            needs: "\(phone.who) is told to perform \(kind.rawValue) \(call)",
            expects: "the hub answers \(phone.who)",
            isReady: { () throws(StepFailure) in action() != nil },
            isDone: { () throws(StepFailure) in try self.isAnswered(asked, index, .accepted) },
            state: { self.actionsInWords(of: index) },
            begin: { () throws(StepFailure) in
                guard let action = action() else { return }
                switch settling {
                case .fulfills: asked.number = ensemble.fulfill(action, index)
                case .fails:
                    phone.close(action.uuid)
                    asked.number = ensemble.ask(index, .engine(.fail(action.uuid)))
                case .ignores: phone.close(action.uuid)
                }
            }
        )
    }

    private func fulfillEverything(_ index: Int, _ all: Bool) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        return StepTask { () throws(StepFailure) in
            phone.fulfillsEverything = all
            guard all else { return }
            for action in phone.openActions { ensemble.fulfill(action, index) }
        }
    }

    private func executed(_ index: Int, _ handled: Bool) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        let asked = Asked()
        return StepTask(
            needs: "\(phone.who) is offered a transaction",
            expects: "the hub answers \(phone.who)",
            isReady: { () throws(StepFailure) in !phone.transactions.isEmpty },
            isDone: { () throws(StepFailure) in try self.isAnswered(asked, index, .accepted) },
            state: { "no transaction was offered" },
            begin: { () throws(StepFailure) in
                guard let transaction = phone.takeTransaction() else { return }
                asked.number = ensemble.ask(index, .engine(.executed(transaction, handled: handled)))
            }
        )
    }

    private func actionsInWords(of index: Int) -> String {
        let actions = ensemble.phones[index].openActions.map { ensemble.words(for: $0.kind, $0.callUUID) }
        let who = ensemble.phones[index].who
        guard !actions.isEmpty else { return "\(who) has nothing to perform" }
        return "\(who) is to perform \(actions.joined(separator: ", "))"
    }
}
