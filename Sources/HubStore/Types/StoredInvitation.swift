public import HubEngine

/// An invitation in the store, without its token, which would let others call.
public struct StoredInvitation: Hashable, Sendable {
    /// The invitation's identifier.
    public var id: InvitationID
    /// The handle that its guests may call; nil: unknown for an invitation from before invitations were stored, or
    /// erased.
    public var callee: Handle?
    /// The name that the callee is shown for the guest; nil: none.
    public var name: String?
    /// True if the callee is shown the name that each guest gives.
    public var guestsGiveNames: Bool
    /// The time at which it was created, or revoked if nothing else is known of it.
    public var createdAt: Instant
    /// The time at which it expires; its row may be removed then.
    public var expiresAt: Instant
    /// The time at which it was revoked; nil: it was not.
    public var revokedAt: Instant?

    /// Creates an invitation.
    public init(
        id: InvitationID,
        callee: Handle?,
        name: String? = nil,
        guestsGiveNames: Bool = false,
        createdAt: Instant,
        expiresAt: Instant,
        revokedAt: Instant? = nil
    ) {
        self.id = id
        self.callee = callee
        self.name = name
        self.guestsGiveNames = guestsGiveNames
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }
}
