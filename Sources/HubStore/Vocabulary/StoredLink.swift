public import HubEngine

/// A call link as the store lists it: never its token, by which somebody could call.
public struct StoredLink: Hashable, Sendable {
    /// The link's identifier.
    public var id: CallLinkID
    /// The handle that its guests may call; nil: it is not known, of a link of before links were listed, or was erased.
    public var callee: Handle?
    /// The name that the callee is shown; nil: none.
    public var name: String?
    /// The time at which it was made, or revoked where nothing else is known of it.
    public var createdAt: Instant
    /// The time at which it ends by itself; what is stored of it may be removed then.
    public var expiresAt: Instant
    /// The time at which it was revoked; nil: it was not.
    public var revokedAt: Instant?

    /// A link of its parts.
    public init(
        id: CallLinkID,
        callee: Handle?,
        name: String? = nil,
        createdAt: Instant,
        expiresAt: Instant,
        revokedAt: Instant? = nil
    ) {
        self.id = id
        self.callee = callee
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}
