import HubAccountData
import HubEngine
import HubWire

/// The server's state of a signed-in client: its names, resume token, connection and sent notifications.
///
/// A connection that ends without a close by the client is lost: the engine starts the grace period; the session stays.
/// `session.open` with `resume` attaches a new connection, which is sent the notifications that were missed.
package final class ClientSession {
    let id: SessionID
    /// The session's ID in messages.
    let name: String
    /// The token by which the client resumes the session.
    let resumeToken: String
    /// The account's name, as it was created.
    let account: String
    /// The account's name as a key of tables.
    let accountKey: FoldedName
    let handles: [Handle]
    let device: SessionOpenRequest.Device
    /// The identifier of the device that the session operates; nil: none.
    let operates: String?
    /// The time of the sign-in.
    let since: Instant
    /// The granted permissions; an operator may revoke some.
    var permissions: Set<Permission>
    /// True if its client is told the permissions, as it has asked for optional ones.
    let reportsPermissions: Bool
    /// True if the session receives the notifications of the account's other devices.
    let isRecorder: Bool
    /// True if recorders receive this session's notifications: it may have calls, and is no recorder itself.
    var isRecorded: Bool { !isRecorder && permissions.contains(.call) }
    /// True if it is notified of dropped packets.
    let reportsDroppedPackets: Bool
    /// True if the client wants one stream of a group's audio.
    let wantsMix: Bool
    /// Its last audio sessions, for reports that come late.
    var audioSessions = RecentAudioSessions()
    /// The only handle that a guest may call; nil: no restriction.
    let onlyCallee: Handle?
    /// The caller's name for callees, unless the account has set one.
    let displayName: String?
    /// The name and department of the account's user, as the token gives them.
    let profile: PersonProfile
    /// True if others may find the account unless its user has decided.
    let isListedByDefault: Bool
    /// True if the device has reported that its user is away.
    var isAway = false
    /// The hub's own invitation by which a guest signed in; nil: by other credentials.
    ///
    /// The account of such a guest belongs to this session alone and ends with it.
    let invitation: InvitationID?
    /// The name that the guest has given, if its invitation lets guests.
    let guestName: String?
    /// The version of the account's password at the sign-in by it or by a passkey; nil: other credentials.
    ///
    /// It becomes the new one where the user has changed the password and keeps the session.
    var passwordVersion: Int64?
    /// The ID of the passkey by which the session was opened; nil: other credentials, or the user has removed it here.
    var passkey: [UInt8]?
    /// The challenge of a passkey that the client is making; nil: none.
    var passkeyChallenge: (bytes: [UInt8], expiresAt: Instant)?
    /// The challenge by which a passkey is to confirm a request; nil: none.
    var confirmationChallenge: (bytes: [UInt8], expiresAt: Instant)?
    /// The sign-in, if it confirms requests; nil: it does not.
    let freshSignIn: FreshSignIn?
    /// True while a password or a passkey of its user's is being verified.
    var isVerifyingProof = false
    /// The time, by the hub's clock, by which a fresh token is needed; nil: never.
    var endsAt: Instant?
    /// The verification of a fresh token that is under way; nil: none.
    var pendingRefresh: CancellationFlag?
    /// The party that the cost of its requests is charged to.
    let rateLimitKey: RateLimitKey
    /// The limiter of notifications that its requests cause, shared with other sessions of the same rate-limit key.
    let fanOut: FanOutLimiter
    /// The connection; nil while it is lost.
    var connection: ConnectionID?
    var log: ReplayLog
    /// The reason for which the hub signs the session out; nil: it does not.
    var signOutReason: ClosingReason?
    /// True if the client was notified that the session will be closed.
    var wasNotifiedOfClosing = false

    init(
        _ id: SessionID,
        named name: String,
        opening: SessionStart.Opening,
        connection: ConnectionID,
        rateLimitKey: RateLimitKey,
        fanOut: FanOutLimiter,
        log: ReplayLog,
        secret: ResumeToken,
        clock: HubClock
    ) {
        since = clock.now
        self.id = id
        self.log = log
        self.connection = connection
        self.rateLimitKey = rateLimitKey
        self.fanOut = fanOut
        fanOut.sessions += 1
        device = opening.request.device
        account = opening.session.account
        accountKey = FoldedName(account)
        handles = opening.session.handles
        permissions = Set(opening.request.permissions)
        operates = opening.request.permissions.contains(.operate) ? opening.request.operates : nil
        reportsPermissions = !opening.request.optionalPermissions.isEmpty
        reportsDroppedPackets = opening.request.reportsDroppedPackets
        wantsMix = opening.request.audioDelivery == .mixed
        isRecorder = permissions.contains(.record)
        onlyCallee = opening.identity.onlyCallee
        displayName = opening.identity.displayName
        profile = PersonProfile(name: opening.identity.displayName, department: opening.identity.department)
        isListedByDefault = opening.identity.isListedByDefault && opening.identity.invitation == nil
        invitation = opening.identity.invitation
        guestName = opening.identity.mayGiveName ? opening.request.guestName : nil
        passwordVersion = opening.identity.passwordVersion
        passkey = opening.identity.passkey
        freshSignIn = opening.identity.isFresh ? FreshSignIn(at: clock.now) : nil
        endsAt = opening.identity.expiresAt.map { clock.instant(ofDate: $0) }
        self.name = name
        resumeToken = secret.token
    }

    deinit {
        log.end()
        fanOut.sessions -= 1
    }

    /// True if the client signed in by one of the hub's own invitations.
    var isByInvitation: Bool { invitation != nil }

    /// True if the client may call one handle only, or signed in by an invitation.
    var isGuest: Bool { isByInvitation || onlyCallee != nil }

    /// Indicates that a session has expired, or has lost a handle: it may only end its calls.
    func hasExpired(at now: Instant) -> Bool { endsAt.map { $0 <= now } ?? false }

    /// Indicates that a token is the resume token, in a time that does not depend on the first wrong byte.
    func isToken(_ token: String) -> Bool {
        let shown = Array(token.utf8)
        let right = Array(resumeToken.utf8)
        guard shown.count == right.count else { return false }
        return zip(shown, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
