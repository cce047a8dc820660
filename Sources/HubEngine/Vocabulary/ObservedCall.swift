/// A call on another device of the same account, as an observer sees it: CXCall's five fields and no more (rows CK-69, CK-70).
public struct ObservedCall: Hashable, Sendable {
    /// Names the call; a `pull` action takes it over.
    public var uuid: CallUUID
    /// Whether the account's user placed it.
    public var isOutgoing: Bool
    /// Whether its owner holds it.
    public var isOnHold: Bool
    /// Whether it has been connected.
    public var hasConnected: Bool
    /// Whether it is over on that device; told once.
    public var hasEnded: Bool
    /// The device it lives on, by its own name for itself.
    public var deviceID: String
    /// That device's name for people.
    public var deviceName: String?

    package init(
        uuid: CallUUID,
        isOutgoing: Bool,
        isOnHold: Bool,
        hasConnected: Bool,
        hasEnded: Bool,
        deviceID: String,
        deviceName: String?
    ) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
        self.isOnHold = isOnHold
        self.hasConnected = hasConnected
        self.hasEnded = hasEnded
        self.deviceID = deviceID
        self.deviceName = deviceName
    }
}
