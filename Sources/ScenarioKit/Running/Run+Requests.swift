import HubEngine
import HubWire

/// A request that was sent, or will be.
final class Asked {
    /// What it is known by; nil: it was not sent, or needs no answer.
    var number: Int?
    /// The actions that have to be performed before it is done.
    var actions: [ActionUUID]?
}

/// Requests of the hub: what each waits for, and when it is done.
extension Run {
    /// A request without needs.
    func plain(_ index: Int, _ request: ClientRequest, _ answer: Answer) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        let asked = Asked()
        return StepTask(
            needs: "\(phone.who) is signed in",
            expects: "the hub answers \(phone.who)",
            isReady: { () throws(StepFailure) in phone.line == .open },
            isDone: { () throws(StepFailure) in try self.isAnswered(asked, index, answer) },
            state: { self.lastWord(of: index) },
            begin: { () throws(StepFailure) in asked.number = ensemble.ask(index, request) }
        )
    }

    /// A transaction of several actions.
    func transaction(_ index: Int, _ actions: [SpokenAction], _ answer: Answer) -> StepTask {
        let phone = ensemble.phones[index]
        return asking(
            index,
            answer,
            needs: "\(phone.who) can ask for \(words(for: actions))",
            isReady: { actions.allSatisfy { self.isReady($0, index, answer) } },
            actions: { actions.compactMap { self.request($0, index, answer) } }
        )
    }

    /// What the hub offers for a ringing call.
    func choose(_ index: Int, _ choice: Choice.Name, _ call: CallName, _ answer: Answer) -> StepTask {
        let phone = ensemble.phones[index]
        let snapshot = { self.call(call, index) }
        let offered = { snapshot()?.choices.first { $0.name == choice } }
        return asking(
            index,
            answer,
            needs: "\(phone.who) is offered \(choice.words) for \(call)",
            isReady: { answer == .either ? snapshot() != nil : offered() != nil },
            actions: { offered()?.actions }
        )
    }

    /// Holds what is active and un-holds what is held.
    func swap(_ index: Int, _ first: CallName?, _ second: CallName?, _ answer: Answer) -> StepTask {
        let phone = ensemble.phones[index]
        let pair = { () -> (CallUUID, CallUUID)? in
            if let first, let second {
                guard let first = self.call(first, index), let second = self.call(second, index) else { return nil }
                return (first.uuid, second.uuid)
            }
            let live = phone.callOrder.compactMap { phone.calls[$0] }
            let open = live.filter { $0.state == .connected }
            let held = live.filter { $0.state == .held }
            guard Self.isOne(open), Self.isOne(held) else { return nil }
            return open.first.flatMap { open in held.first.map { (open.uuid, $0.uuid) } }
        }
        return asking(
            index,
            answer,
            needs: first == nil ? "\(phone.who) has one active call and one held" : "\(phone.who) has both calls",
            isReady: { answer == .either || pair() != nil },
            actions: {
                pair().map { open, held in
                    [
                        ActionRequest(callUUID: open, kind: .setHeld(true)),
                        ActionRequest(callUUID: held, kind: .setHeld(false)),
                    ]
                }
            }
        )
    }

    /// One call, or one group of them.
    private static func isOne(_ calls: [CallSnapshot]) -> Bool {
        guard let first = calls.first else { return false }
        return calls.count == 1 || (first.group != nil && calls.allSatisfy { $0.group == first.group })
    }

    /// A transaction, from its needs to its end.
    ///
    /// An automatic client is done when all of its actions were performed, a manual one when they are accepted.
    private func asking(
        _ index: Int,
        _ answer: Answer,
        needs: String,
        isReady: @escaping () -> Bool,
        actions: @escaping () -> [ActionRequest]?
    ) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        let asked = Asked()
        return StepTask(
            needs: needs,
            expects: "the hub does what \(phone.who) asks for",
            isReady: { () throws(StepFailure) in phone.line == .open && isReady() },
            isDone: { () throws(StepFailure) in try self.isPerformed(asked, index, answer) },
            state: { phone.line == .open ? self.ensemble.callsOfAll(index) : self.lastWord(of: index) },
            begin: { () throws(StepFailure) in
                // An attempt at what is not there any more is over already.
                guard let actions = actions() else { return }
                asked.number = ensemble.ask(index, .engine(.transaction(actions)))
            }
        )
    }

    // MARK: Answers

    /// Whether a request has its answer; throws where that is another one than it should be.
    func isAnswered(
        _ asked: Asked,
        _ index: Int,
        _ answer: Answer,
        what: String? = nil
    ) throws(StepFailure) -> Bool {
        guard let number = asked.number else { return true }
        let phone = ensemble.phones[index]
        let what = what ?? "the hub accepts what \(phone.who) asks for"
        guard let reply = phone.replies[number] else {
            guard phone.lineNumber == nil else { return false }
            if answer == .either { return true }
            throw StepFailure(expected: what, came: lastWord(of: index))
        }
        switch (reply, answer) {
        case (.success, .accepted), (_, .either): return true
        case (.failure(let error), .accepted):
            throw StepFailure(expected: what, came: "it refuses: \(ensemble.words(for: error))")
        case (.success, .refused(let name)):
            throw StepFailure(expected: "the hub refuses it with \(name)", came: "it accepts")
        case (.failure(let error), .refused(let name)):
            if error.code.word == name { return true }
            throw StepFailure(
                expected: "the hub refuses it with \(name)",
                came: "it refuses with \(ensemble.words(for: error))"
            )
        }
    }

    private func isPerformed(_ asked: Asked, _ index: Int, _ answer: Answer) throws(StepFailure) -> Bool {
        guard try isAnswered(asked, index, answer), let number = asked.number else { return asked.number == nil }
        let phone = ensemble.phones[index]
        guard answer == .accepted, !phone.party.isManual, !phone.party.executesTransactions,
            case .success(.accepted(_, let actions))? = phone.replies[number]
        else { return true }
        return actions.allSatisfy { phone.performed.contains($0) }
    }

    // MARK: Needs

    /// A call as a device was last told of it.
    func call(_ name: CallName, _ index: Int) -> CallSnapshot? {
        let phone = ensemble.phones[index]
        return ensemble.calls.ends(name, of: phone.party.name).compactMap { phone.calls[$0] }.first
    }

    /// The end of a call that a device means by a name, known to it or not.
    func uuid(_ name: CallName, _ index: Int) -> CallUUID? {
        call(name, index)?.uuid ?? ensemble.calls.ends(name, of: ensemble.phones[index].party.name).last
    }

    /// Whether an action can be asked for: what is to be refused, or may be, needs the call alone.
    private func isReady(_ action: SpokenAction, _ index: Int, _ answer: Answer) -> Bool {
        guard answer == .accepted else { return action.calls.allSatisfy { uuid($0, index) != nil } }
        let connected = { (name: CallName) in self.call(name, index).map { $0.hasConnected && !$0.hasEnded } ?? false }
        switch action {
        case .call: return true
        case .answer(let name), .endHere(let name): return call(name, index)?.state == .ringing
        case .end(let name), .setMuted(let name, _): return call(name, index).map { !$0.hasEnded } ?? false
        case .setHeld(let name, _), .key(_, let name), .setTranslating(let name, _, _, _): return connected(name)
        case .setGroup(let name, let other?): return connected(name) && connected(other)
        case .setGroup(let name, nil): return call(name, index)?.group != nil
        case .pull(let name): return isElsewhere(name, index)
        }
    }

    /// A call on another device of the account: as its observer was told, or as that device was.
    private func isElsewhere(_ name: CallName, _ index: Int) -> Bool {
        guard let uuid = uuid(name, index) else { return false }
        let phone = ensemble.phones[index]
        if phone.party.observes { return phone.observed[uuid].map { $0.hasConnected && !$0.hasEnded } ?? false }
        return ensemble.phones.contains { $0.calls[uuid].map { $0.hasConnected && !$0.hasEnded } ?? false }
    }

    // MARK: Actions

    private func request(_ action: SpokenAction, _ index: Int, _ answer: Answer) -> ActionRequest? {
        if case .call(let target, let name, let isVideo) = action {
            return start(target, name, isVideo, index, answer)
        }
        guard let name = action.calls.first, let uuid = uuid(name, index) else { return nil }
        let kind: ActionKind
        switch action {
        case .call: return nil
        case .answer: kind = .answer
        case .end: kind = .end
        case .endHere: kind = .endHere
        case .setHeld(_, let isHeld): kind = .setHeld(isHeld)
        case .setMuted(_, let isMuted): kind = .setMuted(isMuted)
        case .setGroup(_, let other): kind = .setGroup(with: other.flatMap { self.uuid($0, index) })
        case .key(let digits, _):
            let type: DTMFType = digits.contains(";") ? .hardPause : digits.contains(",") ? .softPause : .singleTone
            kind = .playDTMF(digits: digits, type: type)
        case .pull: kind = .pull
        case .setTranslating(_, let isOn, let from, let to):
            kind = .setTranslating(isOn, localLanguage: from, remoteLanguage: to)
        }
        return ActionRequest(callUUID: uuid, kind: kind)
    }

    /// A call that its party reports on later is carried by itself, past the hub.
    private func start(
        _ target: Target,
        _ name: CallName,
        _ isVideo: Bool,
        _ index: Int,
        _ answer: Answer
    ) -> ActionRequest {
        let party = ensemble.phones[index].party.name
        var uuid: CallUUID = chance.identifier()
        let handle = ensemble.handle(of: target)
        if case .refused(let error) = answer {
            if error == "callUUIDAlreadyExists" { uuid = self.uuid(name, index) ?? uuid }
        } else {
            let own = BuiltInParty.allCases.first { $0.handle == handle }
            ensemble.calls.begin(name, by: party, uuid, to: ensemble.party(of: handle), own)
        }
        let isExternal = scenario.steps.contains { $0.deed.reportsProgress(of: name, by: party) }
        let kind = ActionKind.start(
            handle: handle,
            isVideo: isVideo,
            contactIdentifier: nil,
            isExternal: isExternal
        )
        return ActionRequest(callUUID: uuid, kind: kind)
    }

    private func words(for actions: [SpokenAction]) -> String {
        actions.isEmpty ? "nothing" : actions.map { $0.text(call: "call") }.joined(separator: ", ")
    }
}

extension SpokenAction {
    /// The calls that it is about, which are there already.
    fileprivate var calls: [CallName] {
        switch self {
        case .call: []
        case .answer(let call), .end(let call), .endHere(let call), .setHeld(let call, _), .setMuted(let call, _),
            .key(_, let call), .pull(let call), .setTranslating(let call, _, _, _), .setGroup(let call, nil):
            [call]
        case .setGroup(let call, let other?): [call, other]
        }
    }
}

extension Deed {
    /// Whether a party says how far an outgoing call has come.
    fileprivate func reportsProgress(of call: CallName, by party: String) -> Bool {
        switch self {
        case .report(let who, .connecting(let name), nil), .report(let who, .connected(let name), nil):
            who.party == party && name == call
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps):
            steps.contains { $0.deed.reportsProgress(of: call, by: party) }
        default: false
        }
    }
}
