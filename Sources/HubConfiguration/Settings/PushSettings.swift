import HubServer

/// The settings of push notifications (section `push`).
public struct PushSettings: Sendable {
    /// The contact that push services are given, a `mailto:` or `https:` URL; nil: push is off.
    public var contact: String?
    /// The push services that messages may be sent to.
    public var services = PushServiceList.browsers
    /// The messages per minute to one account, which is also the burst; one caller causes at most half of them.
    public var messagesToAccountPerMinute = 120
    /// The messages per minute that one caller causes, whatever accounts they go to; also the burst.
    public var messagesByCallerPerMinute = 240
    /// A PEM file of certificates trusted in addition to the system's; nil: none.
    public var certificateAuthority: String?

    /// The defaults: push is off.
    public init() {}
}
