import CallSystem
public import Foundation
import HubEngine

/// The start of an outgoing call.
///
/// It is fulfilled when the invitation is on its way to the other party.
open class CXStartCallAction: CXCallAction, @unchecked Sendable {
    /// The handle of the party to call.
    open var handle: CXHandle
    /// The identifier of the party's contact; nil: unknown.
    open var contactIdentifier: String?
    /// Indicates that the call has video.
    open var isVideo: Bool = false

    /// Creates the start of a call.
    ///
    /// - Parameters:
    ///   - callUUID: The UUID of the call.
    ///   - handle: The handle of the party to call.
    public init(call callUUID: UUID, handle: CXHandle) {
        self.handle = handle
        super.init(call: callUUID)
    }

    /// Creates an action that the system requests.
    init(uuid: UUID, call callUUID: UUID, handle: CXHandle) {
        self.handle = handle
        super.init(uuid: uuid, call: callUUID)
    }

    /// Creates an action from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        guard let handle = coder.decodeObject(of: CXHandle.self, forKey: "handle") else { return nil }
        self.handle = handle
        contactIdentifier = coder.decodeText(forKey: "contactIdentifier")
        isVideo = coder.decodeBool(forKey: "isVideo")
        super.init(coder: coder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(handle, forKey: "handle")
        coder.encode(contactIdentifier.map { $0 as NSString }, forKey: "contactIdentifier")
        coder.encode(isVideo, forKey: "isVideo")
    }

    /// Reports that the call was started.
    ///
    /// - Parameter dateStarted: The time at which the invitation was sent.
    open func fulfill(withDateStarted dateStarted: Date) {
        fulfill(at: dateStarted)
    }

    override var timeout: TimeInterval { 600 }

    override var engineKind: ActionKind? {
        .start(handle: Handle(handle), isVideo: isVideo, contactIdentifier: contactIdentifier)
    }
}
