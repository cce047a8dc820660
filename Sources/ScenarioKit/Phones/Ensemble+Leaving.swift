import HubClient
import HubEngine
import HubWire

/// The end of a run: its devices leave a hub that goes on without them.
extension Ensemble {
    /// Ends all sessions with their calls, and closes the lines.
    ///
    /// A session whose connection is lost would live on at the hub for the grace: it is taken up, to be ended.
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

    /// How far a device has come in leaving.
    private struct Leaving {
        /// Whether there is nothing to be ended any more.
        var isOver: Bool
        /// The request that takes the lost session up.
        var resume: Int?
        /// The request that ends the session.
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

    /// A device's line is as good as it was at first, and what was on its way has come.
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

    /// A hub that does not answer is not waited for.
    private static let longestLeaving = Duration.seconds(2)
}
