import HubClient
import HubEngine
import HubWire

/// The end of a run, at which its devices sign out if the hub serves others as well.
extension Ensemble {
    /// Ends all sessions with their calls, and closes the connections.
    ///
    /// A session with a lost connection would remain at the hub for the resume grace, so it is resumed and ended.
    func leave() {
        if stage.outlivesRun {
            for index in phones.indices { straighten(index) }
            var leavings = phones.map { Leaving(hasSession: $0.line != .none) }
            let deadline = now + Self.longestLeaving
            while now < deadline {
                for index in phones.indices { goOn(index, &leavings[index]) }
                if leavings.allSatisfy(\.isOver) { break }
                pass(until: deadline)
            }
        }
        for index in phones.indices { hangUp(index) }
    }

    /// The progress of a device's sign-out.
    private struct Leaving {
        /// Indicates that nothing remains to be ended.
        var isOver: Bool
        /// The number of the request that resumes the lost session; nil: none was sent.
        var resume: Int?
        /// The number of the request that ends the session; nil: none was sent.
        var close: Int?

        init(hasSession: Bool) { isOver = !hasSession }
    }

    private func goOn(_ index: Int, _ leaving: inout Leaving) {
        guard !leaving.isOver else { return }
        let phone = phones[index]
        if let close = leaving.close {
            leaving.isOver = phone.lineNumber == nil || phone.replies[close] != nil
        } else if phone.line == .open {
            leaving.close = ask(index, .close)
        } else if phone.line == .lost, leaving.resume == nil {
            leaving.resume = connect(index, phone.signIn(resumes: true, at: now))
        } else if phone.line != .opening {
            leaving.isOver = true
        } else if let resume = leaving.resume, case .failure? = phone.replies[resume] {
            leaving.isOver = true
        }
    }

    /// Removes a device's delay and throttling, and delivers the messages that were on their way.
    private func straighten(_ index: Int) {
        let waiting = links[index].shape
        links[index] = Link()
        links[index].mayEnd = true
        for (_, message) in waiting.up.waiting {
            if let line = phones[index].lineNumber { stage.send(message, over: line) }
        }
        for (_, message) in waiting.down.waiting { receive(message, index) }
        applyReading(index)
    }

    /// The maximum time for signing out, for a hub that does not answer.
    private static let longestLeaving = Duration.seconds(2)
}
