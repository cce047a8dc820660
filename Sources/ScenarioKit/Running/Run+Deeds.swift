import HubEngine
import HubWire

/// How each deed is performed.
extension Run {
    /// What a request has to come to.
    enum Answer: Hashable {
        /// It is accepted, and done.
        case accepted
        /// It is refused with this error.
        case refused(String)
        /// Either.
        case either

        init(_ refusal: String?) { self = refusal.map(Answer.refused) ?? .accepted }
    }

    /// A deed that stands for itself.
    func task(for deed: Deed) throws(StepFailure) -> StepTask {
        try task(for: deed, nil)
    }

    private func task(for deed: Deed, _ answer: Answer?) throws(StepFailure) -> StepTask {
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

    /// The device that a line names.
    func index(_ who: Who) throws(StepFailure) -> Int {
        guard let index = ensemble.index(of: who) else {
            throw StepFailure(expected: "\(who) takes part", came: "there is no such device")
        }
        return index
    }

    // MARK: What a manual client does

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

    // MARK: Connections

    private func connection(_ index: Int, _ deed: ConnectionDeed, _ answer: Answer) throws(StepFailure) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        switch deed {
        case .drops:
            return StepTask { () throws(StepFailure) in
                ensemble.note(index, .connection, "drops", "the connection is cut")
                ensemble.noteUneven()
                ensemble.cut(index)
            }
        case .resumes:
            guard phone.hasSession || answer != .accepted else {
                throw StepFailure(expected: "\(phone.who) resumes", came: "\(phone.who) has no session to take up")
            }
            return opening(index, resumes: true, answer)
        case .signsIn: return opening(index, resumes: false, answer)
        case .leaves: return leave(index)
        case .freezes: return bend(index) { $0.isFrozen = true }
        case .thaws: return bend(index) { $0.isFrozen = false }
        case .isDelayed(let delay): return bend(index) { $0.shape.delay = delay }
        case .isThrottled(let rate): return bend(index) { $0.shape.bitsPerSecond = rate }
        }
    }

    private func bend(_ index: Int, _ change: @escaping (inout Ensemble.Link) -> Void) -> StepTask {
        StepTask { () throws(StepFailure) in self.ensemble.bend(index, change) }
    }

    private func opening(_ index: Int, resumes: Bool, _ answer: Answer) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        let asked = Asked()
        let what = resumes ? "\(phone.who) resumes" : "\(phone.who) signs in"
        return StepTask(
            expects: what,
            isDone: { () throws(StepFailure) in
                guard try self.isAnswered(asked, index, answer, what: what) else { return false }
                if answer != .accepted, phone.line == .opening { ensemble.cut(index) }
                return true
            },
            state: { "the hub has not answered" },
            begin: { () throws(StepFailure) in
                ensemble.noteUneven()
                asked.number = ensemble.connect(index, phone.signIn(resumes: resumes, at: ensemble.now))
            }
        )
    }

    private func leave(_ index: Int) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        let asked = Asked()
        return StepTask(
            needs: "\(phone.who) is signed in",
            expects: "the hub lets \(phone.who) go",
            isReady: { () throws(StepFailure) in phone.line == .open },
            isDone: { () throws(StepFailure) in
                guard phone.lineNumber == nil || asked.number.map({ phone.replies[$0] != nil }) ?? true else {
                    return false
                }
                ensemble.hangUp(index)
                phone.leave(at: ensemble.now)
                return true
            },
            state: { self.lastWord(of: index) },
            begin: { () throws(StepFailure) in
                ensemble.noteUneven()
                asked.number = ensemble.ask(index, .close)
            }
        )
    }

    // MARK: The hub

    private func hub(_ deed: HubDeed) -> StepTask {
        let ensemble = ensemble
        return StepTask(
            expects: "all connections end with the hub",
            isDone: { () throws(StepFailure) in
                switch deed {
                case .isKilled, .restarts: ensemble.phones.allSatisfy { $0.lineNumber == nil }
                case .starts, .drains: true
                }
            },
            state: { "some are still open" },
            begin: { () throws(StepFailure) in
                ensemble.noteUneven()
                do throws(StageFault) {
                    try ensemble.stage.perform(deed)
                } catch {
                    throw StepFailure(expected: "the hub does what it is told", came: error.sentence)
                }
                ensemble.noteUneven()
            }
        )
    }
}
