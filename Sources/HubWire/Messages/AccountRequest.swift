/// A request about the devices of the session's own account (docs/protocol.md, account.devices).
///
/// The server handles it, not the engine.
public enum AccountRequest: Hashable, Sendable {
    /// `account.devices`, with the same response as `admin.devices`.
    case devices(AdminPage)
    /// `account.signOut`, with a session's name from `account.devices`.
    case signOut(session: String)
}
