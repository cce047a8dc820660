/// A push notification for a call to an account with no device online, like a VoIP push (callkit-semantics.md
/// 1.12; row CK-80).
public struct PushRequest: Hashable, Sendable {
    /// The name of the account to notify.
    public var account: String
    /// The UUID of the call on the account's devices.
    public var callUUID: CallUUID
    /// The caller's handle.
    public var caller: Handle
    /// The name to show for the caller.
    public var callerName: String
    /// The device identifiers of the devices that get no push: Do Not Disturb is on there for this caller.
    public var quietDevices: Set<String>
    /// The time at which the push expires: a device that signs in later finds the call missed.
    public var expiresAt: Instant

    package init(
        account: String,
        callUUID: CallUUID,
        caller: Handle,
        callerName: String,
        quietDevices: Set<String>,
        expiresAt: Instant
    ) {
        self.account = account
        self.callUUID = callUUID
        self.caller = caller
        self.callerName = callerName
        self.quietDevices = quietDevices
        self.expiresAt = expiresAt
    }
}
