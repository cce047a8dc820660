import HubEngine
import HubWire

extension CallRecord {
    /// The fields of the log line of a finished call: its outcome, and the worst of its audio statistics.
    var fields: [(String, String)] {
        guard let main = mainLeg else { return [] }
        var fields: [(String, String)] = []
        fields.reserveCapacity(7 + 6 * legs.count)
        fields.append(("call", main.callUUID.uuidText))
        fields.append(("caller", main.isOutgoing ? main.account : main.remoteHandle.value))
        fields.append(("called", main.isOutgoing ? main.remoteHandle.value : main.account))
        fields.append(("reason", main.endedReason?.name ?? "local"))
        fields.append(("cause", main.cause?.rawValue ?? "none"))
        fields.append(("answered", connectedAt == nil ? "false" : "true"))
        fields.append(("duration.ms", String(duration.wholeNanoseconds / 1_000_000)))
        for leg in legs {
            guard let quality = leg.quality else { continue }
            let (sent, delivery) = (quality.sent, quality.delivery)
            let dropped = sent.drops.indices.reduce(0) { $0 &+ sent.drops[$1] }
            let isCaller = leg.isOutgoing
            fields.append((isCaller ? "caller.sent" : "callee.sent", String(sent.received)))
            fields.append((isCaller ? "caller.lost" : "callee.lost", String(sent.lost)))
            fields.append((isCaller ? "caller.dropped" : "callee.dropped", String(dropped)))
            fields.append((isCaller ? "caller.stall.ms" : "callee.stall.ms", String(sent.longestStall / 1_000_000)))
            fields.append((isCaller ? "caller.heard" : "callee.heard", String(delivery.accepted)))
            let missed = delivery.droppedSlow &+ delivery.missedWhileDisconnected
            fields.append((isCaller ? "caller.missed" : "callee.missed", String(missed)))
        }
        return fields
    }
}

extension CallRecord.Event {
    /// Returns the fields of its log line.
    func fields(of leg: CallRecord.Leg, sessionName: String?) -> [(String, String)] {
        var fields = [
            ("call", leg.callUUID.uuidText), ("account", leg.account), ("device", leg.deviceID),
            ("session", sessionName ?? "-"),
        ]
        if kind == .started { fields.append(("called", leg.remoteHandle.value)) }
        if kind == .ringing { fields.append(("caller", leg.remoteHandle.value)) }
        if let detail { fields.append(("detail", detail)) }
        return fields
    }
}

extension CallRecord.EventKind {
    /// The log message.
    var message: StaticString {
        switch self {
        case .started: "call started"
        case .ringing: "call rings"
        case .answering: "call is being answered"
        case .connected: "call connected"
        case .held: "call held"
        case .resumed: "call resumed"
        case .muted: "call muted"
        case .unmuted: "call unmuted"
        case .merged: "call merged"
        case .split: "call split"
        case .transferred: "call transferred"
        case .audioBegan: "audio session began"
        case .audioEnded: "audio session ended"
        case .connectionLost: "connection of a call lost"
        case .connectionResumed: "connection of a call resumed"
        case .ended: "leg of a call ended"
        }
    }
}
