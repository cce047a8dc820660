import HubAccountData
import HubEngine
import HubWire

/// Reports to the hub, and changes of an account's data.
extension Run {
    /// Returns the task of a report.
    func report(_ index: Int, _ report: Report, _ answer: ExpectedReply) -> StepTask {
        let (devicePool, device) = (devicePool, devicePool.devices[index])
        let pendingRequest = PendingRequest()
        return StepTask(
            needs: "\(device.deviceReference) can report it",
            expects: "the hub answers \(device.deviceReference)",
            isReady: { () throws(StepFailure) in
                guard device.connection == .open else { return false }
                guard let call = report.call else { return true }
                return answer == .accepted ? self.call(call, index) != nil : self.uuid(call, index) != nil
            },
            isDone: { () throws(StepFailure) in try self.isAnswered(pendingRequest, index, answer) },
            state: { devicePool.callsOfAll(index) },
            begin: { () throws(StepFailure) in
                guard let request = self.request(report, index, answer) else { return }
                pendingRequest.number = devicePool.sendRequest(index, .engine(request))
            }
        )
    }

    private func request(_ report: Report, _ index: Int, _ answer: ExpectedReply) -> Request? {
        switch report {
        case .incoming(let target, let name, var update):
            update.remoteHandle = target.map { devicePool.accounts.handle(of: $0) }
            return .reportNewIncomingCall(incoming(name, index, answer), update)
        case .ended(let name, let reason):
            return uuid(name, index).map { .reportCallEnded($0, reason, date: nil) }
        case .connecting(let name):
            return uuid(name, index).map { .reportOutgoingCall($0, .startedConnecting, date: nil) }
        case .connected(let name):
            return uuid(name, index).map { .reportOutgoingCall($0, .connected, date: nil) }
        case .update(let name, let update): return uuid(name, index).map { .reportCall($0, update) }
        }
    }

    /// Returns the UUID of a reported call: a new one, except to provoke a refusal of an existing one.
    private func incoming(_ name: CallName, _ index: Int, _ answer: ExpectedReply) -> CallUUID {
        if case .refused(let error) = answer {
            return error == "callUUIDAlreadyExists" ? uuid(name, index) ?? random.identifier() : random.identifier()
        }
        let uuid: CallUUID = random.identifier()
        devicePool.calls.begin(name, by: devicePool.devices[index].party.name, uuid, to: nil, nil)
        return uuid
    }
}

extension Report {
    /// The call that must exist.
    fileprivate var call: CallName? {
        switch self {
        case .incoming: nil
        case .ended(let call, _), .connecting(let call), .connected(let call), .update(let call, _): call
        }
    }
}

extension DevicePool {
    /// Returns the request that changes an account's data.
    func request(_ accountDataChange: AccountDataChange) -> AccountDataRequest {
        switch accountDataChange {
        case .doNotDisturb(let isOn, false): .setSettings(SettingsUpdate(doNotDisturb: isOn))
        case .doNotDisturb(let isOn, true): .setSettings(SettingsUpdate(deviceDoNotDisturb: isOn))
        case .listed(let isListed): .setSettings(SettingsUpdate(isListed: isListed))
        case .displayName(let name): .setSettings(SettingsUpdate(displayName: name))
        case .namedInGroups(let isNamed): .setSettings(SettingsUpdate(isNamedInGroups: isNamed))
        case .holdAudio(let choice): .setSettings(SettingsUpdate(holdAudio: choice))
        case .transfersOfStrangers(let isOn): .setSettings(SettingsUpdate(acceptsTransferredStrangers: isOn))
        case .block(let target): .block(rule(target))
        case .unblock(let target): .unblock(rule(target))
        case .contact(let target, let name, let isFavorite, let breaksThrough):
            .putContact(
                Contact(
                    identifier: identifier(target),
                    name: name,
                    handles: [accounts.handle(of: target)],
                    isFavorite: isFavorite,
                    breaksThroughDoNotDisturb: breaksThrough
                )
            )
        case .removeContact(let target): .removeContact(identifier: identifier(target))
        case .loadDirectory(let name, let title, let blocking, let labels):
            .loadDirectory(load(name, title, blocking, labels))
        case .reloadDirectory(let name): .reloadDirectory(identifier: name)
        case .cancelDirectoryLoad(let name, let message): .cancelDirectoryLoad(identifier: name, message: message)
        case .setDirectoryEnabled(let name, let isEnabled): .setDirectoryEnabled(identifier: name, isEnabled)
        }
    }

    private func rule(_ target: Target) -> BlockRule {
        let handle = accounts.handle(of: target)
        guard handle.type == .phoneNumber, handle.value.hasSuffix("*") else { return .handle(handle) }
        return .prefix(String(handle.value.dropLast()))
    }

    private func identifier(_ target: Target) -> String {
        let handle = accounts.handle(of: target)
        return "\(handle.type):\(handle.value)"
    }

    private func load(
        _ name: String,
        _ title: String?,
        _ blocking: [Int64],
        _ labels: [AccountDataChange.Label]
    ) -> DirectoryLoad {
        var load = DirectoryLoad(name)
        load.title = title
        load.blocking = blocking
        load.identification = labels.map { DirectoryEntry($0.number, $0.label) }
        return load
    }

    /// Describes the hub's refusal with the scenario's names.
    func description(for error: WireError) -> String { "\(error.code.word): \(withPartyNames(error.message))" }

    /// Describes the states of a device's calls, including ended ones.
    func callsOfAll(_ index: Int) -> String {
        let device = devices[index]
        let calls = device.callOrder.suffix(6).compactMap { device.calls[$0] }
        guard !calls.isEmpty else { return "\(device.deviceReference) has no call" }
        return "\(device.deviceReference)'s "
            + calls.map { "\(name($0.uuid)) is \(description(for: $0))" }.joined(separator: "; ")
    }
}
