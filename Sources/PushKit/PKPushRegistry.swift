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
        completion: @escaping () -> Void
    )
    /// A push has come. The app reports its call.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    )
    /// The credentials are no longer valid.
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)
}

extension PKPushRegistryDelegate {
    /// Leaves the push to the method without a completion.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        pushRegistry(registry, didReceiveIncomingPushWith: payload, for: type)
        completion()
    }

    /// Does nothing.
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {}

    /// Does nothing.
    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
}

/// Registers an app for pushes: each call that rings at the hub is announced by one.
open class PKPushRegistry: NSObject, @unchecked Sendable {
    private struct State {
        weak var delegate: (any PKPushRegistryDelegate)?
        var types: Set<PKPushType>?
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
        delegate?.pushRegistry(self, didReceiveIncomingPushWith: payload, for: .voIP, completion: {})
    }
}
