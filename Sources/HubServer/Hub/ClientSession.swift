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
    /// Nil while the connection is lost.
    var connection: ConnectionID?
    var log: ReplayLog
    /// Whether it has been told that it will be closed.
    var isToldClosing = false

    init(
        _ id: SessionID,
        opening: SessionOpening,
        device: SessionOpen.Device,
        connection: ConnectionID,
        log: ReplayLog,
        secret: ResumeSecret
    ) {
        self.id = id
        self.log = log
        self.connection = connection
        self.device = device
        account = opening.account
        handles = opening.handles
        name = Identifier<ClientSession>.fresh().uuidText
        resumeToken = secret.token
    }

    deinit { log.end() }

    /// Whether a client shows the right token, in a time that tells nothing of where it is wrong.
    func isToken(_ token: String) -> Bool {
        let shown = Array(token.utf8)
        let right = Array(resumeToken.utf8)
        guard shown.count == right.count else { return false }
        return zip(shown, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
