import HubEngine
import HubWire

/// Steps that change connections and the hub; a step without effect is a mistake in the scenario, and fails.
extension Run {
    func connection(_ index: Int, _ deed: ConnectionDeed, _ answer: Answer) throws(StepFailure) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        switch deed {
        case .drops:
            return StepTask { () throws(StepFailure) in
                try self.require(phone.lineNumber != nil, "\(phone.who) drops", "\(phone.who) has no connection")
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
        case .freezes, .thaws, .isDelayed, .isThrottled: return bend(index, deed)
        }
    }

    private func bend(_ index: Int, _ deed: ConnectionDeed) -> StepTask {
        let ensemble = ensemble
        let who = ensemble.phones[index].who
        return StepTask { () throws(StepFailure) in
            let link = ensemble.links[index]
            switch deed {
            case .freezes: try self.require(!link.isFrozen, "\(who) freezes", "\(who) is frozen already")
            case .thaws: try self.require(link.isFrozen, "\(who) thaws", "\(who) is not frozen")
            case .isDelayed(.zero):
                try self.require(link.shape.delay != .zero, "\(who) is delayed no more", "\(who) is not delayed")
            case .isThrottled(nil):
                let isThrottled = link.shape.bitsPerSecond != nil
                try self.require(isThrottled, "\(who) is throttled no more", "\(who) is not throttled")
            default: break
            }
            ensemble.bend(index) { $0.bend(deed) }
        }
    }

    /// Throws a failure if a step would have no effect.
    private func require(_ isSo: Bool, _ expected: String, _ came: String) throws(StepFailure) {
        if !isSo { throw StepFailure(expected: expected, came: came) }
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
                let goesOn = phone.line == .open && !ensemble.links[index].isFrozen
                try self.require(
                    !resumes || !goesOn,
                    what,
                    "\(phone.who)'s connection goes on: there is nothing to resume"
                )
                ensemble.noteUneven()
                asked.number = ensemble.connect(index, phone.signIn(resumes: resumes, at: ensemble.now))
            }
        )
    }

    /// Returns the task that ends a device's session.
    func leave(_ index: Int) -> StepTask {
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
                ensemble.links[index].mayEnd = true
                asked.number = ensemble.ask(index, .close)
            }
        )
    }

    // MARK: The hub

    func hub(_ deed: HubDeed) -> StepTask {
        let ensemble = ensemble
        return StepTask(
            needs: deed == .starts ? "the hub has ended" : "the hub runs",
            expects: "all connections end with the hub",
            isReady: { () throws(StepFailure) in ensemble.stage.hasHub == (deed != .starts) },
            isDone: { () throws(StepFailure) in
                switch deed {
                case .isKilled, .restarts: ensemble.phones.allSatisfy { $0.lineNumber == nil }
                case .starts, .drains: true
                }
            },
            state: {
                guard ensemble.stage.hasHub == (deed != .starts) || deed == .restarts else {
                    return deed == .starts ? "it runs" : "it does not run"
                }
                return "some are still open"
            },
            begin: { () throws(StepFailure) in
                ensemble.noteUneven()
                if deed == .isKilled || deed == .restarts { ensemble.letConnectionsEnd() }
                ensemble.isDraining = deed == .drains
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

extension Ensemble.Link {
    /// Applies a step to the link's state.
    fileprivate mutating func bend(_ deed: ConnectionDeed) {
        switch deed {
        case .freezes: isFrozen = true
        case .thaws: isFrozen = false
        case .isDelayed(let delay): shape.delay = delay
        case .isThrottled(let rate): shape.bitsPerSecond = rate
        case .drops, .resumes, .leaves, .signsIn: break
        }
    }
}
