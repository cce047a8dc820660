import HubAccountData
import HubEngine
import HubWire

/// Reports to the hub, and changes of an account's data.
extension Run {
    /// Returns the task of a report.
    func report(_ index: Int, _ report: Report, _ answer: Answer) -> StepTask {
        let (ensemble, phone) = (ensemble, ensemble.phones[index])
        let asked = Asked()
        return StepTask(
            needs: "\(phone.who) can report it",
            expects: "the hub answers \(phone.who)",
            isReady: { () throws(StepFailure) in
                guard phone.line == .open else { return false }
                guard let call = report.call else { return true }
                return answer == .accepted ? self.call(call, index) != nil : self.uuid(call, index) != nil
            },
            isDone: { () throws(StepFailure) in try self.isAnswered(asked, index, answer) },
            state: { ensemble.callsOfAll(index) },
            begin: { () throws(StepFailure) in
                guard let request = self.request(report, index, answer) else { return }
                asked.number = ensemble.ask(index, .engine(request))
            }
        )
    }

    private func request(_ report: Report, _ index: Int, _ answer: Answer) -> Request? {
        switch report {
        case .incoming(let target, let name, var update):
            update.remoteHandle = ensemble.accounts.handle(of: target)
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
    private func incoming(_ name: CallName, _ index: Int, _ answer: Answer) -> CallUUID {
        if case .refused(let error) = answer {
            return error == "callUUIDAlreadyExists" ? uuid(name, index) ?? chance.identifier() : chance.identifier()
        }
        let uuid: CallUUID = chance.identifier()
        ensemble.calls.begin(name, by: ensemble.phones[index].party.name, uuid, to: nil, nil)
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

extension Ensemble {
    /// Returns the request that changes an account's data.
    func request(_ remembering: Remembering) -> MemoryRequest {
        switch remembering {
        case .doNotDisturb(let isOn, false): .setSettings(SettingsUpdate(doNotDisturb: isOn))
        case .doNotDisturb(let isOn, true): .setSettings(SettingsUpdate(deviceDoNotDisturb: isOn))
        case .displayName(let name): .setSettings(SettingsUpdate(displayName: name))
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
        case .noContact(let target): .removeContact(identifier: identifier(target))
        case .loadDirectory(let name, let blocking, let labels): .loadDirectory(load(name, blocking, labels))
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

    private func load(_ name: String, _ blocking: [Int64], _ labels: [Remembering.Label]) -> DirectoryLoad {
        var load = DirectoryLoad(name)
        load.blocking = blocking
        load.identification = labels.map { DirectoryEntry($0.number, $0.label) }
        return load
    }

    /// Describes the hub's refusal with the scenario's names.
    func words(for error: WireError) -> String { "\(error.code.word): \(plain(error.message))" }

    /// Describes the states of a device's calls, including ended ones.
    func callsOfAll(_ index: Int) -> String {
        let phone = phones[index]
        let calls = phone.callOrder.suffix(6).compactMap { phone.calls[$0] }
        guard !calls.isEmpty else { return "\(phone.who) has no call" }
        return "\(phone.who)'s " + calls.map { "\(name($0.uuid)) is \(words(for: $0))" }.joined(separator: "; ")
    }
}
