public import HubEngine
public import HubWire

/// Wakes devices that are away by Web Push; without one nobody is woken.
///
/// Safe on any thread. Nothing here waits for a disk or a network.
public protocol PushService: Sendable {
    /// What browsers subscribe with: a point of P-256, uncompressed.
    var key: [UInt8] { get }

    /// Keeps a subscription, in place of the one of its endpoint.
    ///
    /// - Parameters:
    ///   - subscription: As the browser gives it.
    ///   - device: Whose it is.
    ///   - then: Hears, on any thread, whether that is anything new, or why it is not kept.
    func subscribe(
        _ subscription: PushSubscription,
        of device: PushDevice,
        _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
    )

    /// Forgets a subscription.
    ///
    /// - Parameters:
    ///   - endpoint: Which; nil: all of the device.
    ///   - device: Whose it is.
    ///   - then: Hears, on any thread, whether there was any, or why it cannot be forgotten now.
    func unsubscribe(
        _ endpoint: String?,
        of device: PushDevice,
        _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
    )

    /// A call waits for an account: its devices are told.
    func wake(_ wakeUp: WakeUp)

    /// The call rings no more: those that were told are told.
    ///
    /// - Parameters:
    ///   - account: Whose devices.
    ///   - call: The one of `wake`.
    ///   - isMissed: Whether nobody took it.
    func wakeOver(_ account: String, _ call: CallUUID, isMissed: Bool)

    /// Forgets all subscriptions of an account.
    func forget(_ account: String)

    /// What pushes have come to.
    var figures: PushFigures { get }
}

/// A device of an account, as both call themselves.
public struct PushDevice: Hashable, Sendable {
    /// The account's name.
    public var account: String
    /// The device's own name for itself.
    public var device: String

    /// A device of an account.
    public init(account: String, device: String) {
        self.account = account
        self.device = device
    }
}

/// Why a subscription is not kept.
public typealias PushRefusal = ServiceRefusal<SubscriptionFault>

/// Whose fault it is that a subscription is not kept.
public enum SubscriptionFault: Hashable, Sendable {
    /// A member of the subscription is wrong.
    case wrong
    /// The hub sends nothing there.
    case notAllowed
    /// The account has as many as it may.
    case tooMany
    /// It cannot be kept at the moment.
    case unavailable
}
