/// A call on another device of the account, as an observer sees it: CXCall's five fields (rows CK-69, CK-70).
public struct ObservedCall: Hashable, Sendable {
    /// The call's identifier, which a `pull` action refers to.
    public var uuid: CallUUID
    /// True if the account's user placed the call.
    public var isOutgoing: Bool
    /// True while its owner holds the call.
    public var isOnHold: Bool
    /// True if the call has been connected.
    public var hasConnected: Bool
    /// True if the call is over on that device; sent once.
    public var hasEnded: Bool
    /// The device identifier of the device that the call is on.
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
