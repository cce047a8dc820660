import CallSystem
public import Foundation

/// A call as an observer sees it, at one moment: neither the other party nor its name.
open class CXCall: NSObject, @unchecked Sendable {
    /// The UUID of the call.
    public let uuid: UUID
    /// Indicates that the device's user has placed the call.
    public let isOutgoing: Bool
    /// Indicates that the user holds the call.
    public let isOnHold: Bool
    /// Indicates that the call has been connected.
    public let hasConnected: Bool
    /// Indicates that the call is over.
    public let hasEnded: Bool

    /// Creates a call from the system's fields.
    init(_ call: ObservableCall) {
        (uuid, isOutgoing, isOnHold) = (call.uuid, call.isOutgoing, call.isOnHold)
        (hasConnected, hasEnded) = (call.hasConnected, call.hasEnded)
    }

    /// Returns true if a call is the same one in the same state.
    ///
    /// - Parameter call: The call to compare with.
    /// - Returns: True if all fields are equal.
    open func isEqual(to call: CXCall) -> Bool {
        uuid == call.uuid && isOutgoing == call.isOutgoing && isOnHold == call.isOnHold
            && hasConnected == call.hasConnected && hasEnded == call.hasEnded
    }

    /// Returns true if an object is the same call in the same state.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CXCall).map(isEqual(to:)) ?? false }

    /// A hash value of the UUID.
    open override var hash: Int { uuid.hashValue }

    /// The UUID and the state.
    open override var description: String {
        let direction = isOutgoing ? "outgoing" : "incoming"
        let state = hasEnded ? "ended" : isOnHold ? "held" : hasConnected ? "connected" : "not connected"
        return "<CXCall \(uuid) \(direction), \(state)>"
    }
}
