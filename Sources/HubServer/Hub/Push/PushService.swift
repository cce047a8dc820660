public import HubAccountData
public import HubEngine
import HubWire

/// A sender of Web Push notifications to devices that are offline; without one, none are sent.
///
/// Safe on any thread. No function waits for a disk or a network.
public protocol PushService: Sendable {
    /// The application server key for subscriptions (RFC 8292): a point of P-256, uncompressed.
    var key: [UInt8] { get }

    /// Persists a subscription, in place of the former one of its endpoint.
    ///
    /// - Parameters:
    ///   - subscription: The subscription, as made by the browser.
    ///   - device: The device of the subscription.
    ///   - then: Called on any thread: true if the subscription has changed anything, or the reason for a refusal.
    func subscribe(
        _ subscription: PushSubscription,
        of device: PushDevice,
        _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
    )

    /// Removes a subscription.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the subscription; nil: all of the device.
    ///   - device: The device of the subscription.
    ///   - then: Called on any thread: true if there was any, or the reason for which it cannot be removed now.
    func unsubscribe(
        _ endpoint: String?,
        of device: PushDevice,
        _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
    )

    /// Sends a push notification of a call to an account's devices.
    func sendPush(_ pushRequest: PushRequest)

    /// Sends a further push to the devices that were notified of a call, when it no longer rings.
    ///
    /// - Parameters:
    ///   - account: The account of the devices.
    ///   - call: The call of the former push.
    ///   - isMissed: True if it is a missed call.
    func cancelPush(_ account: String, _ call: CallUUID, isMissed: Bool)

    /// Removes all subscriptions of an account.
    func removeAccount(_ account: String)

    /// The counters of push notifications.
    var statistics: PushStatistics { get }
}

/// A device of an account, by the names of both.
public struct PushDevice: Hashable, Sendable {
    /// The account's name.
    public var account: String
    /// The device's own ID.
    public var device: String

    /// Makes the name of a device of an account.
    public init(account: String, device: String) {
        self.account = account
        self.device = device
    }
}

/// The reason for which a subscription is refused.
public typealias PushRefusal = ServiceRefusal<SubscriptionFault>

/// The category of a refused subscription.
public enum SubscriptionFault: Hashable, Sendable {
    /// A member of the subscription is invalid.
    case wrong
    /// The hub does not send to that push service.
    case notAllowed
    /// The account has the maximum number of subscriptions.
    case tooMany
    /// It cannot be persisted at the moment.
    case unavailable
}
