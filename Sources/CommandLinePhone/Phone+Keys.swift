import CommandLineTools
import HubClient

// DTMF digits: those that are sent at once, and those that wait for the user's command.
extension Phone {
    /// Sends digits on the active call, with their pauses.
    func key(_ keys: [DialStringSegment]) throws(UsageError) {
        let call = try pick(nil, "that is connected") { $0.state == .connected }.uuid
        let actions = keys.map { $0.action(on: call) }
        ask { client in try await client.request(actions) }
    }

    /// Queues the digits after a `;`, an action that the hub leaves to the phone.
    func perform(_ action: Action) {
        guard case .playDTMF(let digits, .hardPause) = action.kind else { return }
        waitingKeys.append(action)
        reporter.report(
            PhoneEvent(event: "keysWait", callUUID: action.callUUID.uuidText, digits: digits),
            "The keys \(digits) wait: `go` plays them."
        )
    }

    /// Sends the digits that have been queued longest.
    func playWaitingKeys() throws(UsageError) {
        guard !waitingKeys.isEmpty else { throw UsageError("There are no keys that wait.") }
        let action = waitingKeys.removeFirst().uuid
        ask { client in _ = try await client.fulfill(action) }
    }

    /// Removes a call's digits when it is no longer the active one; the hub drops them with a hold or an end.
    func discardKeys(of call: CallSnapshot) {
        if call.state != .connected { waitingKeys.removeAll { $0.callUUID == call.uuid } }
    }
}
