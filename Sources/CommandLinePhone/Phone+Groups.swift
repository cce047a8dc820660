import CommandLineTools
import HubClient
import HubWire

// Groups of calls, and calls on the account's other devices.
extension Phone {
    /// The groups in the order of their first calls.
    var groups: [GroupUUID] {
        calls.compactMap(\.group).reduce(into: []) { groups, group in
            if !groups.contains(group) { groups.append(group) }
        }
    }

    /// Merges all calls, or the named ones.
    func merge(_ names: [String]) throws(UsageError) {
        var members: [CallSnapshot] = []
        for name in names { members.append(try pick(name, "to be merged") { $0.isMergeable }) }
        if names.isEmpty { members = calls.filter(\.isMergeable) }
        // The others join the connected call.
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

    /// Transfers the held call to the active one; or the active one, or a named one, to another call or a handle.
    func transfer(_ names: [String]) throws(UsageError) {
        let call: CallSnapshot
        switch names.count {
        case 0: call = try pick(nil, "on hold, to be transferred to the active one") { $0.state == .held }
        case 1: call = try pick(nil, "to be transferred") { $0.state == .connected }
        default: call = try pick(names[0], "to be transferred") { $0.isMergeable }
        }
        guard let name = names.last else {
            let active = try pick(nil, "to be transferred to") { $0.state == .connected }.uuid
            return ask { client in try await client.transfer(call.uuid, to: active) }
        }
        if let other = calls(named: name).first(where: { $0.isMergeable && $0.uuid != call.uuid }) {
            return ask { client in try await client.transfer(call.uuid, to: other.uuid) }
        }
        let handle = try Handle(text: name)
        ask { client in try await client.transfer(call.uuid, to: handle) }
    }

    /// Pulls a call from another device: the named one, or the only one.
    func pull(_ name: String?, among others: [ObservedCall]) {
        let there = others.filter { $0.hasConnected && !$0.hasEnded }
        let event = PhoneEvent(event: "elsewhere", elsewhere: there.map(PhoneCallElsewhere.init))
        reporter.report(event, name == nil && there.count > 1 ? there.list : nil)
        do throws(UsageError) {
            let call = try there.find(by: name)
            ask { client in try await client.pull(call.uuid) }
        } catch {
            reporter.failure(error.message)
        }
    }
}

extension CallSnapshot {
    fileprivate var isMergeable: Bool { state == .connected || state == .held }
}

extension [ObservedCall] {
    /// Finds a call by its number in the list, its UUID, or its device; without a name, the only one.
    func find(by name: String?) throws(UsageError) -> ObservedCall {
        guard let name else {
            guard count <= 1 else { throw UsageError("Which one? pull NUMBER.") }
            guard let call = first else { throw UsageError("There is no call on another device.") }
            return call
        }
        if let number = Int(name), indices.contains(number - 1) { return self[number - 1] }
        let named = filter { $0.uuid.uuidText == name.lowercased() || $0.deviceName == name || $0.deviceID == name }
        guard let call = named.first else {
            throw UsageError("There is no call \(quoted(name)) on another device; `pull` lists them.")
        }
        guard named.count == 1 else { throw UsageError("That device has several calls; pull NUMBER.") }
        return call
    }

    /// A line for each call; other devices are not sent the other party's name.
    fileprivate var list: String {
        enumerated().map { index, call in
            let device = quoted(call.deviceName ?? call.deviceID)
            let direction = call.isOutgoing ? "outgoing" : "incoming"
            return "\(index + 1)  \(direction), on \(device)\(call.isOnHold ? ", on hold" : "")"
        }.joined(separator: "\n")
    }
}

/// A call on another device as --json prints it.
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
