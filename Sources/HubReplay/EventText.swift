import CommandLineTools
import HubEngine
import HubWire

extension ReplayedEvent {
    /// The event in words, as one sentence without its time.
    func receivedText(_ labels: CallLabels) -> String {
        guard case .event(let event) = entry.content else { return "time passes" }
        let device = device?.shortDevice ?? "the hub"
        switch event {
        case .sessionOpened(let opening, _): return "\(device) signs in" + opening.remarks
        case .sessionResumed: return "\(device) resumes"
        case .sessionLost: return "\(device) has lost its connection"
        case .sessionClosed: return "\(device) signs out"
        case .request(_, let request, _): return "\(device) requests " + request.text(labels)
        case .lookedUp(_, let result): return "the hub finds " + result.target.text
        case .screened(let token, let screeningData):
            return "the hub has looked up the caller of \(labels[token.callUUID])" + screeningData.remarks
        case .groupNaming(let account, let isNamed):
            return "\(account) is \(isNamed ? "named to" : "hidden from") the other members of groups"
        case .holdAudio(let account, let audio): return "\(account) plays \(audio.rawValue) to those on hold"
        case .endConversation(let conversation, _): return "an administrator ends call \(conversation.logText)"
        case .drain(let until): return "the hub drains; calls may continue until \(until.timeText)"
        }
    }
}

extension SessionOpening {
    fileprivate var remarks: String {
        var remarks: [String] = []
        if let deviceName { remarks.append("\"\(deviceName)\"") }
        if fulfillment == .manual { remarks.append("fulfils its actions itself") }
        if executesTransactions { remarks.append("is offered transactions") }
        if !mayCall { remarks.append("may not call") }
        if observes { remarks.append("observes") }
        if let machine { remarks.append("on the machine \"\(machine)\"") }
        if let operatedDevice { remarks.append("operates \(operatedDevice)") }
        if !isNamedInGroups { remarks.append("is hidden in groups") }
        if holdAudio != .silence { remarks.append("plays \(holdAudio.rawValue) to those on hold") }
        if isAfterReset { remarks.append("after a restart of the hub") }
        return remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
    }
}

extension Request {
    fileprivate func text(_ labels: CallLabels) -> String {
        let method = ClientRequest.engine(self).method.rawValue
        switch self {
        case .transaction(let actions):
            return "\(method): " + actions.map { $0.kind.text($0.callUUID, labels) }.joined(separator: "; ")
        case .fulfill(let action, _, _), .fail(let action): return "\(method) \(action.shortText)"
        case .executed(let transaction, let handled):
            return "\(method) \(transaction.shortText)" + (handled ? ", handled" : ", not handled")
        case .configure, .invalidate, .calls: return method
        case .reportNewIncomingCall(let call, let update):
            return "\(method) \(labels[call])" + (update.remoteHandle.map { " from \($0.text)" } ?? "")
        case .reportCall(let call, _): return "\(method) \(labels[call])"
        case .reportCallEnded(let call, let reason, _): return "\(method) \(labels[call]): \(reason)"
        case .reportOutgoingCall(let call, let event, _): return "\(method) \(labels[call]): \(event)"
        case .pending(let type, let call):
            return method + (type.map { " \($0)" } ?? "") + (call.map { " of \(labels[$0])" } ?? "")
        }
    }
}

extension LookUpResult.Target {
    fileprivate var text: String {
        switch self {
        case .account(let name, let screeningData): "the account \(name)" + screeningData.remarks
        case .builtIn(let party): "its own \(party)"
        case .unknown: "no account"
        }
    }
}

extension CallerScreeningData {
    fileprivate var remarks: String {
        var remarks: [String] = []
        if isBlocked { remarks.append("blocks the caller") }
        if isBlockedByDirectory { remarks.append("has the caller blocked by a directory") }
        if doNotDisturb { remarks.append("has Do Not Disturb on") }
        let quiet = quietDevices.sorted().joined(separator: ", ")
        if !quiet.isEmpty { remarks.append("has Do Not Disturb on for \(quiet)") }
        if breaksThroughDoNotDisturb { remarks.append("lets this caller through") }
        if let name = names.contact ?? names.directory { remarks.append("has the caller listed as \"\(name)\"") }
        return remarks.isEmpty ? "" : ": " + remarks.joined(separator: ", ")
    }
}

extension Identifier {
    /// The first eight digits, which are unique enough within one event log.
    var shortText: String { String(uuidText.prefix(8)) }
}
