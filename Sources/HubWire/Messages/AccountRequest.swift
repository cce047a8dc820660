/// What a session may ask about the devices of its own account (docs/protocol.md, The account): the server's business.
public enum AccountRequest: Hashable, Sendable {
    /// `account.devices`: answered like `admin.devices`.
    case devices(AdminPage)
    /// `account.signOut`: the session as `account.devices` names it.
    case signOut(session: String)
}
