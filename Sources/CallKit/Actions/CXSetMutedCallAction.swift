public import Foundation
import HubEngine

/// The mute of a call, or its end: while muted, the other party does not receive the user's audio.
open class CXSetMutedCallAction: CXCallAction, @unchecked Sendable {
    /// True to mute the user, false to unmute them.
    open var isMuted: Bool

    /// Creates the mute of a call, or its end.
    ///
    /// - Parameters:
    ///   - callUUID: The UUID of the call.
    ///   - isMuted: True to mute the user, false to unmute them.
    public init(call callUUID: UUID, muted isMuted: Bool) {
        self.isMuted = isMuted
        super.init(call: callUUID)
    }

    /// Creates an action that the system requests.
    init(uuid: UUID, call callUUID: UUID, muted isMuted: Bool) {
        self.isMuted = isMuted
        super.init(uuid: uuid, call: callUUID)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        isMuted = coder.decodeBool(forKey: "isMuted")
        super.init(coder: coder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isMuted, forKey: "isMuted")
    }

    override var engineKind: ActionKind? { .setMuted(isMuted) }
}
