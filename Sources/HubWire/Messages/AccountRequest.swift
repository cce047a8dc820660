/// A request about the session's own account: its devices and its password (docs/protocol.md, account.devices).
///
/// The server handles it, not the engine.
public enum AccountRequest: Hashable, Sendable {
    /// `account.devices`, with the same response as `admin.devices`.
    case devices(AdminPage)
    /// `account.signOut`, with a session's name from `account.devices`.
    case signOut(session: String)
    /// `account.signOut` of all devices but the requesting one.
    case signOutOthers
    /// `account.setPassword`; `keepsDevices` true: the account's other devices stay signed in.
    case setPassword(current: String, new: String, keepsDevices: Bool)
}
