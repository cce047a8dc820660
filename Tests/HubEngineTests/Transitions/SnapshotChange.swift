import HubEngine

extension CallSnapshot? {
    /// Returns the change between two snapshots of a call, in the notation of the tables.
    func change(to later: CallSnapshot?) -> String {
        guard let later, self != later else { return "no-op" }
        if later.state == .ended, self?.state != .ended {
            let why = [later.endedReason.map { "\($0)" }, later.cause?.rawValue].compactMap(\.self)
            return (["ended"] + why).joined(separator: " ") + (later.message == nil ? "" : ", with a text")
        }
        guard let earlier = self else { return "→ \(later.state)" }
        var changes: [String] = []
        if earlier.state != later.state { changes.append("→ \(later.state)") }
        if earlier.group == nil, later.group != nil { changes.append("grouped") }
        if earlier.group != nil, later.group == nil { changes.append("alone") }
        if let former = earlier.group, let group = later.group, former != group { changes.append("regrouped") }
        if earlier.isMuted != later.isMuted { changes.append(later.isMuted ? "muted" : "unmuted") }
        if earlier.isTranslating != later.isTranslating {
            changes.append(later.isTranslating ? "translating" : "not translating")
        }
        if earlier.remoteIsOnHold != later.remoteIsOnHold {
            changes.append(later.remoteIsOnHold ? "held by the other" : "resumed by the other")
        }
        if earlier.group == later.group, earlier.participants != later.participants {
            changes.append(later.participants.isEmpty ? "without others" : "with others")
        }
        if earlier.transferor != later.transferor { changes.append(later.transferor == nil ? "back" : "transferred") }
        if earlier.isConnectedAndRings, !later.remoteIsRinging { changes.append("answered") }
        if earlier.localizedCallerName != later.localizedCallerName { changes.append("renamed") }
        return changes.isEmpty ? "told" : changes.joined(separator: ", ")
    }
}

extension Refusal.Code {
    /// The number on the wire (protocol.md, Errors).
    var number: String {
        switch self {
        case .requestTransaction(let code): "\(100 + code.rawValue)"
        case .incomingCall(let code): "\(200 + code.rawValue)"
        case .general(let code): "\(600 + code.rawValue)"
        case .notAllowed: "403"
        case .notFound: "404"
        case .tooMany: "429"
        case .sessionGone: "440"
        case .draining: "503"
        }
    }
}

extension CallSnapshot {
    /// Indicates that a transferred call's new other party rings.
    fileprivate var isConnectedAndRings: Bool { state == .connected && remoteIsRinging }
}
