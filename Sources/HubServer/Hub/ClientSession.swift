import HubEngine
import HubWire

/// A signed-in client as the server knows it: its names, its secret, its connection, and what it was told.
final class ClientSession {
    let id: SessionID
    /// The session's name on the wire.
    let name: String
    /// What the client shows to resume.
    let resumeToken: String
    let account: String
    let handles: [Handle]
    let device: SessionOpen.Device
    /// When it signed in.
    let since: Instant
    /// What it may do; an operator may take that away.
    var permissions: Set<Permission>
    /// Whether it has signed in to be told what the account's other devices are told.
    let isRecorder: Bool
    /// Whether recorders are told what it is told: it can have calls, and is no recorder.
    var isRecorded: Bool { !isRecorder && permissions.contains(.call) }
    /// A guest's only callee; nil: it may call anybody.
    let onlyCallee: Handle?
    /// What others are shown as the caller's name, where the account has set none.
    let displayName: String?
    /// The hub's own link that has let it in, whose guests' accounts are a session's alone and go with it; nil: something else has.
    let link: CallLinkID?
    /// Which of the account's passwords it has shown; nil: something else has let it in.
    let passwordVersion: Int64?
    /// The instant, by the hub's clock, at which it must have shown a fresh token; nil: never.
    var endsAt: Instant?
    /// The verification of a fresh token that is under way; nil: none.
    var refreshing: Attendance?
    /// The party that its requests are charged to.
    let payer: Payer
    /// The notifications that its requests have caused, with those of the payer's other sessions.
    let traffic: CausedTraffic
    /// Nil while the connection is lost.
    var connection: ConnectionID?
    var log: ReplayLog
    /// Why the hub ends it of its own will; nil: it does not.
    var sentAway: ClosingReason?
    /// Whether it has been told that it will be closed.
    var isToldClosing = false

    init(
        _ id: SessionID,
        named name: String,
        opening: Asking.Opening,
        connection: ConnectionID,
        payer: Payer,
        traffic: CausedTraffic,
        log: ReplayLog,
        secret: ResumeSecret,
        clock: HubClock
    ) {
        since = clock.now
        self.id = id
        self.log = log
        self.connection = connection
        self.payer = payer
        self.traffic = traffic
        traffic.sessions += 1
        device = opening.request.device
        account = opening.session.account
        handles = opening.session.handles
        permissions = Set(opening.request.permissions)
        isRecorder = permissions.contains(.record)
        onlyCallee = opening.admission.onlyCallee
        displayName = opening.admission.displayName
        link = opening.admission.link
        passwordVersion = opening.admission.passwordVersion
        endsAt = opening.admission.expiresAt.map { clock.instant(ofDate: $0) }
        self.name = name
        resumeToken = secret.token
    }

    deinit {
        log.end()
        traffic.sessions -= 1
    }

    /// Whether one of the hub's own links has let it in.
    var isByLink: Bool { link != nil }

    /// Whether it may call one handle, and nothing else.
    var isGuest: Bool { isByLink || onlyCallee != nil }

    /// Whether a client shows the right token, in a time that tells nothing of where it is wrong.
    func isToken(_ token: String) -> Bool {
        let shown = Array(token.utf8)
        let right = Array(resumeToken.utf8)
        guard shown.count == right.count else { return false }
        return zip(shown, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
