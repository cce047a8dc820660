import HubClient
import HubEngine
import HubWire

/// The end of a run, at which its devices sign out if the hub serves others as well.
extension DevicePool {
    /// Ends all sessions with their calls, and closes the connections.
    ///
    /// A session with a lost connection would remain at the hub for the resume grace, so it is resumed and ended.
    func leave() {
        if environment.outlivesRun {
            for index in devices.indices { removeImpairment(index) }
            var signOuts = devices.map { SignOutProgress(hasSession: $0.connection != .none) }
            let deadline = now + Self.signOutTimeout
            while now < deadline {
                for index in devices.indices { continueSignOut(index, &signOuts[index]) }
                if signOuts.allSatisfy(\.isOver) { break }
                advance(until: deadline)
            }
        }
        for index in devices.indices where devices[index].app == nil { closeConnection(index) }
    }

    /// The progress of a device's sign-out.
    private struct SignOutProgress {
        /// Indicates that nothing remains to be ended.
        var isOver: Bool
        /// The number of the request that resumes the lost session; nil: none was sent.
        var resume: Int?
        /// The number of the request that ends the session; nil: none was sent.
        var close: Int?

        init(hasSession: Bool) { isOver = !hasSession }
    }

    private func continueSignOut(_ index: Int, _ progress: inout SignOutProgress) {
        guard !progress.isOver else { return }
        let device = devices[index]
        if let close = progress.close {
            progress.isOver = device.connectionNumber == nil || device.replies[close] != nil
        } else if device.connection == .open {
            progress.close = sendRequest(index, .close)
        } else if device.connection == .lost, progress.resume == nil {
            progress.resume = connect(index, device.signIn(resumes: true, at: now))
        } else if device.connection != .opening {
            progress.isOver = true
        } else if let resume = progress.resume, case .failure? = device.replies[resume] {
            progress.isOver = true
        }
    }

    /// Removes a device's delay and throttling, and delivers the messages that were on their way.
    private func removeImpairment(_ index: Int) {
        let waiting = links[index].impairment
        links[index] = Link()
        links[index].mayDisconnect = true
        for (_, message) in waiting.up.waiting {
            if let connection = devices[index].connectionNumber { environment.send(message, over: connection) }
        }
        for (_, message) in waiting.down.waiting { receive(message, index) }
        applyReading(index)
    }

    /// The maximum time for signing out, for a hub that does not answer.
    private static let signOutTimeout = Duration.seconds(2)
}
