import Foundation

/// A call of the app, with the times of its stages.
@MainActor
final class ActiveCall {
    let uuid: UUID
    let handle: String
    let isOutgoing: Bool
    var isOnHold = false
    private(set) var startedConnectingAt: Date?
    private(set) var connectedAt: Date?
    private(set) var endedAt: Date?

    init(uuid: UUID, handle: String, isOutgoing: Bool) {
        (self.uuid, self.handle, self.isOutgoing) = (uuid, handle, isOutgoing)
    }

    var isConnecting: Bool { startedConnectingAt != nil && connectedAt == nil && endedAt == nil }

    var isConnected: Bool { connectedAt != nil && endedAt == nil }

    func startConnecting() { startedConnectingAt = startedConnectingAt ?? Date() }

    func connect() { connectedAt = connectedAt ?? Date() }

    func end() { endedAt = endedAt ?? Date() }

    /// The stage in a word.
    var stage: String {
        if endedAt != nil { return "ended" }
        if isOnHold { return "held" }
        if isConnected { return "connected" }
        return isOutgoing ? "calling" : "ringing"
    }
}
