import AVFAudio
import CallSystem
public import Dispatch
public import Foundation
import HubEngine

/// An app's provider of calls: reports to the system what happens to them, and performs the system's actions.
///
/// An app has one, for as long as it runs. Several ones share the device's session at the hub.
open class CXProvider: NSObject, @unchecked Sendable {
    private let system: CallSystem
    private let client: DelegateCaller
    private let id: ProviderID
    private let current: Locked<CXProviderConfiguration>
    /// The queue of completions while there is no delegate.
    private let ownQueue = DispatchQueue(label: "CXProvider")
    private let isInvalid = Locked(false)

    /// Creates a provider, which begins at once.
    ///
    /// - Parameter configuration: Its configuration, which is copied.
    public init(configuration: CXProviderConfiguration) {
        system = CallSystem.current
        client = DelegateCaller(.session(of: system))
        current = Locked(CXProviderConfiguration(copying: configuration))
        id = system.addProvider(client, configuration.engineConfiguration, icon: configuration.iconTemplateImageData)
        super.init()
        client.setProvider(self)
    }

    deinit {
        invalidate()
    }

    /// Sets the receiver of actions.
    ///
    /// - Parameters:
    ///   - delegate: The receiver, which is not retained; nil: none.
    ///   - queue: The queue of its methods; nil: the main queue.
    open func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        client.setDelegate(delegate, queue)
        system.setDelegate(of: id, isSet: delegate != nil, queue: queue ?? .main)
    }

    /// Notes that an object has no method of its own that takes transactions.
    func noteTransactionsLeft(by object: any CXProviderDelegate) {
        client.noteTransactionsLeft(by: object)
    }

    /// The configuration, copied in both directions.
    ///
    /// A change of the returned copy takes effect, too.
    open var configuration: CXProviderConfiguration {
        get {
            CXProviderConfiguration(copying: current.withLock { $0 }) { [weak self] changed in
                self?.configuration = changed
            }
        }
        set {
            let copy = CXProviderConfiguration(copying: newValue)
            current.withLock { $0 = copy }
            system.configure(id, copy.engineConfiguration, icon: copy.iconTemplateImageData)
        }
    }

    // MARK: Reports

    /// Reports an incoming call, which then rings.
    ///
    /// A call that rings at the hub, or was announced by a push, is bound to the report. Any other is a call that the
    /// app carries by a network of its own.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - update: The data of the call.
    ///   - completion: The receiver of nil, or of the reason why the call does not ring; called on the delegate's
    ///     queue.
    open func reportNewIncomingCall(
        with uuid: UUID,
        update: CXCallUpdate,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = client.queue ?? ownQueue
        system.reportIncomingCall(uuid, update.engineUpdate, by: id, on: queue) { completion($0?.callKitError) }
    }

    /// Reports an incoming call, which then rings.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - update: The data of the call.
    /// - Throws: `CXErrorCodeIncomingCallError` if the call does not ring.
    open func reportNewIncomingCall(with uuid: UUID, update: CXCallUpdate) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            reportNewIncomingCall(with: uuid, update: update) { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
    }

    /// Reports the payload of a push that a notification service extension has received, which this process is not.
    ///
    /// - Parameters:
    ///   - dictionaryPayload: The payload.
    ///   - completion: The receiver of `CXErrorCodeNotificationServiceExtensionError.invalidClientProcess`.
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any],
        completion: (@Sendable ((any Error)?) -> Void)?
    ) {
        DispatchQueue.global().async {
            completion?(CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess))
        }
    }

    /// Reports the payload of a push that a notification service extension has received, which this process is not.
    ///
    /// - Parameter dictionaryPayload: The payload.
    /// - Throws: `CXErrorCodeNotificationServiceExtensionError.invalidClientProcess`, always.
    open class func reportNewIncomingVoIPPushPayload(_ dictionaryPayload: [AnyHashable: Any]) async throws {
        throw CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess)
    }

    /// Reports new or changed data of a call; an unknown call is ignored.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - update: The data; a property that was not assigned stays as it is.
    open func reportCall(with uuid: UUID, updated update: CXCallUpdate) {
        system.report(update.engineUpdate, on: uuid)
    }

    /// Reports the end of a call that its user has not ended; an unknown call is ignored.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - dateEnded: The time of the end; nil: now.
    ///   - endedReason: The reason of the end.
    open func reportCall(with uuid: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason) {
        system.reportEnd(of: uuid, EndReason(rawValue: endedReason.rawValue) ?? .failed, at: dateEnded)
    }

    /// Reports that an outgoing call that the app carries has started to connect.
    ///
    /// A report that comes before the start is fulfilled is kept until then. For a call that the hub carries it has no
    /// effect.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - dateStartedConnecting: The time; nil: now.
    open func reportOutgoingCall(with uuid: UUID, startedConnectingAt dateStartedConnecting: Date?) {
        system.reportOutgoing(uuid, .startedConnecting, at: dateStartedConnecting)
    }

    /// Reports that an outgoing call that the app carries is connected.
    ///
    /// - Parameters:
    ///   - uuid: The UUID of the call.
    ///   - dateConnected: The time; nil: now.
    open func reportOutgoingCall(with uuid: UUID, connectedAt dateConnected: Date?) {
        system.reportOutgoing(uuid, .connected, at: dateConnected)
    }

    // MARK: Pending actions

    /// The transactions that are not complete.
    open var pendingTransactions: [CXTransaction] {
        system.pendingTransactions(of: id).compactMap { $0 as? CXTransaction }
    }

    /// Returns the actions on a call that are not complete.
    ///
    /// - Parameters:
    ///   - callActionClass: The class of the actions.
    ///   - callUUID: The UUID of the call.
    /// - Returns: The actions of that class, in the order in which they are performed.
    open func pendingCallActions(of callActionClass: AnyClass, withCall callUUID: UUID) -> [CXCallAction] {
        system.pendingActions(of: id, on: callUUID).compactMap { $0 as? CXCallAction }
            .filter { Self.isInstance($0, of: callActionClass) }
    }

    /// Indicates that an object is of a class or of a subclass of it.
    private static func isInstance(_ object: Any, of wanted: AnyClass) -> Bool {
        var mirror: Mirror? = Mirror(reflecting: object)
        while let present = mirror, present.subjectType != wanted { mirror = present.superclassMirror }
        return mirror != nil
    }

    // MARK: End

    /// Ends the provider: its calls fail, and its delegate receives nothing more.
    open func invalidate() {
        let isFirst = isInvalid.withLock { isInvalid in
            defer { isInvalid = true }
            return !isInvalid
        }
        guard isFirst else { return }
        client.setDelegate(nil, nil)
        system.invalidate(id)
    }
}
