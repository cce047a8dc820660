import HubClient

// Several calls together, and calls of other devices.
extension Phone {
    /// The groups there are, in the order of their first calls.
    var groups: [GroupUUID] {
        calls.compactMap(\.group).reduce(into: []) { groups, group in
            if !groups.contains(group) { groups.append(group) }
        }
    }

    /// Merges all calls, or those named.
    func merge(_ names: [String]) throws(UsageError) {
        var members: [CallSnapshot] = []
        for name in names { members.append(try pick(name, "to be merged") { $0.isMergeable }) }
        if names.isEmpty { members = calls.filter(\.isMergeable) }
        // The others join the one that is talked on.
        let active = (names.count == 1 ? calls : members).last { $0.state == .connected }
        guard let first = active ?? members.first else { throw UsageError("There are no calls to be merged.") }
        let joining = members.filter { $0.uuid != first.uuid && ($0.group == nil || $0.group != first.group) }
        guard !joining.isEmpty else {
            let isDone = members.contains { $0.group != nil }
            throw UsageError(
                isDone ? "They are merged already." : "A group takes two calls; there is no other one to be merged."
            )
        }
        let actions = joining.map { ActionRequest(callUUID: $0.uuid, kind: .setGroup(with: first.uuid)) }
        ask { client in try await client.request(actions) }
    }

    /// Takes a call out of its group.
    func split(_ name: String?) throws(UsageError) {
        let call = try pick(name, "in a group") { $0.group != nil }
        guard call.group != nil else { throw UsageError("The call with \(call.shownName) is in no group.") }
        ask { client in try await client.setGroup(call.uuid, with: nil) }
    }

    /// Takes over the only call that there is on the account's other devices, or the one that is named.
    func pull(_ name: String?, among others: [ObservedCall]) {
        let there = others.filter { $0.hasConnected && !$0.hasEnded }
        let meant = name.map { name in there.filter { $0.isCalled(name, in: there) } } ?? there
        let lines = there.enumerated().map { index, call in "\(index + 1)  \(call.sentence)" }
        let event = PhoneEvent(event: "elsewhere", elsewhere: there.map(PhoneCallElsewhere.init))
        reporter.tell(event, meant.count > 1 ? lines.joined(separator: "\n") : nil)
        guard let call = meant.first else {
            let words = name.map { "There is no call \(quoted($0)) on another device." }
            return reporter.failure(words ?? "There is no call on another device.")
        }
        guard meant.count == 1 else { return reporter.failure("Which one? pull NUMBER.") }
        ask { client in try await client.pull(call.uuid) }
    }
}

extension CallSnapshot {
    fileprivate var isMergeable: Bool { state == .connected || state == .held }
}

extension ObservedCall {
    /// Its number in the list, its UUID, or its device's name.
    fileprivate func isCalled(_ name: String, in list: [ObservedCall]) -> Bool {
        if let number = Int(name), list.indices.contains(number - 1) { return list[number - 1] == self }
        return uuid.uuidText == name.lowercased() || deviceName == name || deviceID == name
    }

    fileprivate var sentence: String {
        let device = quoted(deviceName ?? deviceID)
        return "\(isOutgoing ? "outgoing" : "incoming"), on \(device)\(isOnHold ? ", on hold" : "")"
    }
}

/// A call on another device as --json shows it.
struct PhoneCallElsewhere: Encodable {
    var uuid: String
    var isOutgoing: Bool
    var isOnHold: Bool
    var hasConnected: Bool
    var device: String
    var deviceName: String?

    init(_ call: ObservedCall) {
        uuid = call.uuid.uuidText
        isOutgoing = call.isOutgoing
        isOnHold = call.isOnHold
        hasConnected = call.hasConnected
        device = call.deviceID
        deviceName = call.deviceName
    }
}
