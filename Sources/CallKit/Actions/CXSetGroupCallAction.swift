import CallSystem
public import Foundation
import HubEngine

/// The merge of a call with others, or its removal from a group.
open class CXSetGroupCallAction: CXCallAction, @unchecked Sendable {
    /// The UUID of a call of the group to join; nil: the call leaves its group.
    open var callUUIDToGroupWith: UUID?

    /// Creates the merge of a call, or its removal from a group.
    ///
    /// - Parameters:
    ///   - callUUID: The UUID of the call.
    ///   - callUUIDToGroupWith: The UUID of a call of the group to join; nil to leave the group.
    public init(call callUUID: UUID, callUUIDToGroupWith: UUID?) {
        self.callUUIDToGroupWith = callUUIDToGroupWith
        super.init(call: callUUID)
    }

    /// Creates an action that the system requests.
    init(uuid: UUID, call callUUID: UUID, callUUIDToGroupWith: UUID?) {
        self.callUUIDToGroupWith = callUUIDToGroupWith
        super.init(uuid: uuid, call: callUUID)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        callUUIDToGroupWith = coder.decodeUUID(forKey: "callUUIDToGroupWith")
        super.init(coder: coder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        if let other = callUUIDToGroupWith { coder.encode(other, forKey: "callUUIDToGroupWith") }
    }

    override var engineKind: ActionKind? { .setGroup(with: callUUIDToGroupWith.map { CallUUID($0) }) }
}
