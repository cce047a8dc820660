import CallSystem
public import Dispatch
public import Foundation

/// The receiver of pushes.
public protocol PKPushRegistryDelegate: NSObjectProtocol {
    /// The device has new credentials for pushes.
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType)
    /// A push has come. The app reports its call, and then calls the completion.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    )
    /// A push has come. The app reports its call.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    )
    /// A push has come. The app reports its call before it returns.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) async
    /// A push of a call has come. The app reports its call if it must, and then calls the completion.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void
    )
    /// A push of a call has come. The app reports its call, if it must, before it returns.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async
    /// The credentials are no longer valid.
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)
}

extension PKPushRegistryDelegate {
    /// Leaves the push to the other methods.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        registry.markMissing()
    }

    /// Leaves the push to the other methods.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {
        registry.markMissing()
    }

    /// Does nothing.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) async {}

    /// Leaves the push to the other methods.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        registry.markMissing()
    }

    /// Leaves the push to the other methods.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async {
        await pushRegistry(registry, didReceiveIncomingPushWith: payload, for: .voIP)
    }

    /// Does nothing.
    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
}

/// Registers an app for pushes: each call that rings at the hub is announced by one.
open class PKPushRegistry: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any PKPushRegistryDelegate)?
        var types: Set<PKPushType>?
        /// Indicates that the delegate has no method of its own of the kind that was called last.
        var isMissing = false
    }

    private let system: CallSystem
    private let queue: DispatchQueue
    private let state = Locked(State())
    private let token = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })

    /// Creates a registry.
    ///
    /// - Parameter queue: The queue of the delegate's methods; nil: the main queue.
    public init(queue: DispatchQueue?) {
        system = CallSystem.current
        self.queue = queue ?? .main
    }

    /// The receiver of pushes, which is not retained.
    open var delegate: (any PKPushRegistryDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The kinds of pushes that the app wants; its credentials for them follow.
    open var desiredPushTypes: Set<PKPushType>? {
        get { state.withLock { $0.types } }
        set {
            let former = state.withLock { state in
                defer { state.types = newValue }
                return state.types ?? []
            }
            change(from: former.contains(.voIP), to: newValue?.contains(.voIP) ?? false)
        }
    }

    /// Returns the token for pushes of a kind.
    ///
    /// - Parameter type: The kind.
    /// - Returns: The token; nil: the app has not registered for the kind.
    open func pushToken(for type: PKPushType) -> Data? {
        type == .voIP && desiredPushTypes?.contains(.voIP) == true ? token : nil
    }

    private func change(from wasRegistered: Bool, to isRegistered: Bool) {
        guard wasRegistered != isRegistered else { return }
        guard isRegistered else {
            return system.setPushReceiver(on: queue, nil) { [weak self] in
                guard let self else { return }
                delegate?.pushRegistry(self, didInvalidatePushTokenFor: .voIP)
            }
        }
        let receive: @Sendable (PushAnnouncement) -> Void = { [weak self] in self?.receive($0) }
        system.setPushReceiver(on: queue, receive) { [weak self] in
            guard let self else { return }
            delegate?.pushRegistry(self, didUpdate: PKPushCredentials(.voIP, token: token), for: .voIP)
        }
    }

    private func receive(_ call: PushAnnouncement) {
        let uuid = call.call.uuidString
        let payload = PKPushPayload(
            .voIP,
            [
                "UUID": uuid, "uuid": uuid, "handle": call.handle, "identifier": call.handle,
                "callerName": call.callerName, "hasVideo": call.hasVideo,
            ]
        )
        guard let delegate else {
            return system.warn(
                "A push has come, and the PKPushRegistry has no delegate, or not any more: it does not retain it, so "
                    + "keep it in a property. An iPhone would have ended the app; here the call rings after five seconds."
            )
        }
        let metadata = PKVoIPPushMetadata(mustReport: true)
        // The newest method that the app has.
        let methods: [() -> Void] = [
            {
                delegate.pushRegistry(
                    self,
                    didReceiveIncomingVoIPPushWith: payload,
                    metadata: metadata,
                    withCompletionHandler: {}
                )
            }, { delegate.pushRegistry(self, didReceiveIncomingPushWith: payload, for: .voIP, completion: {}) },
            { Self.callWithoutCompletion(delegate, self, payload) },
        ]
        for method in methods where isImplemented(method) { return }
        nonisolated(unsafe) let receiver = delegate
        Task {
            await receiver.pushRegistry(self, didReceiveIncomingVoIPPushWith: payload, metadata: metadata)
        }
    }

    /// Calls the method that is not asynchronous, although there is one of the same name that is.
    private static func callWithoutCompletion(
        _ delegate: any PKPushRegistryDelegate,
        _ registry: PKPushRegistry,
        _ payload: PKPushPayload
    ) {
        delegate.pushRegistry(registry, didReceiveIncomingPushWith: payload, for: .voIP)
    }

    /// Notes that a delegate has no method of its own for a push.
    func markMissing() {
        state.withLock { $0.isMissing = true }
    }

    /// Calls a method of the delegate, and returns true if it has one of its own.
    private func isImplemented(_ method: () -> Void) -> Bool {
        state.withLock { $0.isMissing = false }
        method()
        return !state.withLock { $0.isMissing }
    }
}
