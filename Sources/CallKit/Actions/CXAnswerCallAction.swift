public import Foundation
import HubEngine

/// The answer of an incoming call.
///
/// It is fulfilled when both parties can communicate.
open class CXAnswerCallAction: CXCallAction, @unchecked Sendable {
    /// Creates the answer of a call.
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

    /// Reports that the call was answered.
    ///
    /// - Parameter dateConnected: The time at which both parties could communicate.
    open func fulfill(withDateConnected dateConnected: Date) {
        fulfill(at: dateConnected)
    }

    override var timeout: TimeInterval { 60 }

    override var engineKind: ActionKind? { .answer }
}
