/// A call that waits for an account of which no device can be reached: the analogue of a VoIP push (callkit.md 1.12; row CK-80).
public struct WakeUp: Hashable, Sendable {
    /// Whom to wake.
    public var account: String
    /// The call, under the name that the account's devices will see it by.
    public var callUUID: CallUUID
    /// Who calls.
    public var caller: Handle
    /// The name to show for the caller.
    public var callerName: String
    /// The devices that are not to be woken, by their own names for themselves: they do not want to be disturbed by this caller.
    public var quietDevices: Set<String>
    /// A device that comes later finds the call missed.
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
