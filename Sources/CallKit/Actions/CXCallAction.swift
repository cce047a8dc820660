import CallSystem
public import Foundation
import HubEngine

/// An action on a call.
open class CXCallAction: CXAction, @unchecked Sendable {
    /// The UUID of the call.
    public let callUUID: UUID

    /// Creates an action on a call.
    ///
    /// - Parameter callUUID: The UUID of the call.
    public init(call callUUID: UUID) {
        self.callUUID = callUUID
        super.init()
    }

    /// Creates an action that the system requests.
    init(uuid: UUID, call callUUID: UUID) {
        self.callUUID = callUUID
        super.init(uuid: uuid)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        guard let call = coder.decodeUUID(forKey: "callUUID") else { return nil }
        callUUID = call
        super.init(coder: coder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(callUUID, forKey: "callUUID")
    }

    /// Returns an action with the same UUID and values, whose completion has no effect.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = engineAction.flatMap { CXAction.make($0) } ?? CXCallAction(uuid: uuid, call: callUUID)
        return copy.like(self)
    }

    /// The kind of the action; nil: the system has none for it.
    var engineKind: ActionKind? { nil }

    override var engineAction: Action? {
        Action(
            uuid: ActionUUID(uuid),
            callUUID: CallUUID(callUUID),
            kind: engineKind ?? .unknown(type: "\(type(of: self))")
        )
    }
}
