public import HubEngine

/// The client that makes a request.
public struct AccountDataRequester: Hashable, Sendable {
    /// The name of the account whose data is requested.
    public var account: String
    /// The device identifier of the client's device.
    public var device: String
    /// The client's session: all batches of a load come from one session.
    public var session: SessionID
    /// True if others may find the account unless its user has decided (`AccountSettings.isListed`).
    public var isListedByDefault: Bool
    /// The name of the hub's own time zone in the tz database; nil: none is known.
    public var hubTimeZone: String?

    /// Creates a requester from its parts.
    public init(
        account: String,
        device: String,
        session: SessionID,
        isListedByDefault: Bool = true,
        hubTimeZone: String? = nil
    ) {
        self.account = account
        self.device = device
        self.session = session
        self.isListedByDefault = isListedByDefault
        self.hubTimeZone = hubTimeZone
    }
}
