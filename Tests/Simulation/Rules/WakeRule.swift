import HubEngine

/// The accounts with a push notification that has not been cancelled yet, and its call (row CK-80).
struct WakeRule {
    private struct Call: Hashable {
        var account: String
        var uuid: CallUUID
    }

    private var open: Set<Call> = []
    private var seen: Set<Call> = []

    var isSettled: Bool { open.isEmpty }

    /// Records that a push is sent; returns the words of the rule that it breaks, or nil.
    mutating func begin(_ wakeUp: WakeUp) -> String? {
        let call = Call(account: wakeUp.account, uuid: wakeUp.callUUID)
        open.insert(call)
        return seen.insert(call).inserted ? nil : "nobody is woken twice for a call"
    }

    /// Records that a push is cancelled; returns the words of the rule that it breaks, or nil.
    mutating func end(_ uuid: CallUUID, of account: String) -> String? {
        open.remove(Call(account: account, uuid: uuid)) == nil ? "what is over was begun" : nil
    }

    func isOpen(_ uuid: CallUUID, of account: String) -> Bool {
        open.contains(Call(account: account, uuid: uuid))
    }
}

extension World {
    /// Checks a push notification: none of the account's devices may be online and ringing, and the caller may ring.
    mutating func checkWake(_ wakeUp: WakeUp) {
        digest.add(wakeUp.callUUID.low ^ 10)
        tally.note(.woken)
        if let fault = wakes.begin(wakeUp) { return fail(fault, "\(wakeUp)") }
        if shape.configuration.wakeWait == .zero { fail("a hub that does not wait wakes nobody", wakeUp.account) }
        if wakeUp.expiresAt <= now { fail("who is woken has time to come", "\(wakeUp)") }
        if lookedUp?.forbidsRinging != false { fail("who may not ring wakes nobody", wakeUp.account) }
        for device in clients.indices where shape.accounts[shape.devices[device].account] == wakeUp.account {
            guard let call = seats[device]?.told.call(wakeUp.callUUID), call.state == .ringing else { continue }
            if seats[device]?.connection != nil {
                fail("nobody is woken while a device rings that hears it", shape.devices[device].name)
            }
        }
    }
}
