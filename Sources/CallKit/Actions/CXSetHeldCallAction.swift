public import Foundation
import HubEngine

/// The hold of a call, or its resumption.
open class CXSetHeldCallAction: CXCallAction, @unchecked Sendable {
    /// True to hold the call, false to resume it.
    open var isOnHold: Bool

    /// Creates the hold or the resumption of a call.
    ///
    /// - Parameters:
    ///   - callUUID: The UUID of the call.
    ///   - isOnHold: True to hold the call, false to resume it.
    public init(call callUUID: UUID, onHold isOnHold: Bool) {
        self.isOnHold = isOnHold
        super.init(call: callUUID)
    }

    /// Creates an action that the system requests.
    init(uuid: UUID, call callUUID: UUID, onHold isOnHold: Bool) {
        self.isOnHold = isOnHold
        super.init(uuid: uuid, call: callUUID)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        isOnHold = coder.decodeBool(forKey: "isOnHold")
        super.init(coder: coder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isOnHold, forKey: "isOnHold")
    }

    override var engineKind: ActionKind? { .setHeld(isOnHold) }
}
