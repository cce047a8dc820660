import HubEngine

/// The accounts with a push notification that has not been cancelled yet, and its call (row CK-80).
struct PushRule {
    private struct Call: Hashable {
        var account: String
        var uuid: CallUUID
    }

    private var open: Set<Call> = []
    private var seen: Set<Call> = []

    var isEmpty: Bool { open.isEmpty }

    /// Records that a push is sent; returns the description of the rule that it violates, or nil.
    mutating func begin(_ pushRequest: PushRequest) -> String? {
        let call = Call(account: pushRequest.account, uuid: pushRequest.callUUID)
        open.insert(call)
        return seen.insert(call).inserted ? nil : "at most one push is sent for a call"
    }

    /// Records that a push is cancelled; returns the description of the rule that it violates, or nil.
    mutating func end(_ uuid: CallUUID, of account: String) -> String? {
        open.remove(Call(account: account, uuid: uuid)) == nil ? "what is over was begun" : nil
    }

    func isOpen(_ uuid: CallUUID, of account: String) -> Bool {
        open.contains(Call(account: account, uuid: uuid))
    }
}

extension World {
    /// Checks a push notification: none of the account's devices may be online and ringing, and the caller may ring.
    mutating func checkPush(_ pushRequest: PushRequest) {
        digest.add(pushRequest.callUUID.low ^ 10)
        coverage.note(.pushSent)
        if let fault = pushRule.begin(pushRequest) { return fail(fault, "\(pushRequest)") }
        if shape.configuration.pushWait == .zero { fail("a hub without push wait sends no push", pushRequest.account) }
        if pushRequest.expiresAt <= now { fail("a push expires after it is sent", "\(pushRequest)") }
        if lookedUp?.forbidsRinging != false { fail("no push is sent for a blocked caller", pushRequest.account) }
        for device in clients.indices where shape.accounts[shape.devices[device].account] == pushRequest.account {
            guard let call = hubSessions[device]?.notified.call(pushRequest.callUUID), call.state == .ringing,
                !isOperator(device)
            else {
                continue
            }
            if hubSessions[device]?.connection != nil {
                fail("no push is sent while an online device rings", shape.devices[device].name)
            }
        }
    }
}
