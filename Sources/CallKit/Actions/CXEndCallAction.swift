public import Foundation
import HubEngine

/// The end of a call by its user or the system; of a ringing call, its decline.
open class CXEndCallAction: CXCallAction, @unchecked Sendable {
    /// Creates the end of a call.
    ///
    /// - Parameter callUUID: The UUID of the call.
    public override init(call callUUID: UUID) {
        super.init(call: callUUID)
    }

    /// Creates an action that the system requests.
    override init(uuid: UUID, call callUUID: UUID) {
        super.init(uuid: uuid, call: callUUID)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Reports that the call was ended.
    ///
    /// - Parameter dateEnded: The time at which it ended.
    open func fulfill(withDateEnded dateEnded: Date) {
        fulfill(at: dateEnded)
    }

    override var engineKind: ActionKind? { .end }
}
