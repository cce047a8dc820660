import HubClient

// Digits: those that are keyed at once, and those that wait for a word of the user's.
extension Phone {
    /// Keys digits on the active call, pauses and all.
    func key(_ keys: [KeyedDigits]) throws(UsageError) {
        let call = try pick(nil, "that is connected") { $0.state == .connected }.uuid
        let actions = keys.map { $0.action(on: call) }
        ask { client in try await client.request(actions) }
    }

    /// The hub leaves an action to the phone: keys after a `;`.
    func perform(_ action: Action) {
        guard case .playDTMF(let digits, .hardPause) = action.kind else { return }
        waitingKeys.append(action)
        reporter.tell(
            PhoneEvent(event: "keysWait", callUUID: action.callUUID.uuidText, digits: digits),
            "The keys \(digits) wait: `go` plays them."
        )
    }

    /// Plays the keys that have waited longest.
    func playWaitingKeys() throws(UsageError) {
        guard !waitingKeys.isEmpty else { throw UsageError("There are no keys that wait.") }
        let action = waitingKeys.removeFirst().uuid
        ask { client in _ = try await client.fulfill(action) }
    }

    /// Keys wait only as long as their call is the active one; the hub drops them with a hold or an end.
    func forgetKeys(of call: CallSnapshot) {
        if call.state != .connected { waitingKeys.removeAll { $0.callUUID == call.uuid } }
    }
}
