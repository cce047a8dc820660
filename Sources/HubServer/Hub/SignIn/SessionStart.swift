import HubEngine
import HubWire

/// The session that `session.open` opens or resumes, while the engine decides about it.
enum SessionStart {
    /// A new session.
    case opening(Opening)
    /// A session that is resumed, and the number of the last notification that the client has.
    case resumption(ClientSession, after: UInt64)

    /// A new session: the engine's event, the client's request, and its permissions.
    struct Opening {
        let session: SessionOpening
        let request: SessionOpenRequest
        let identity: AuthenticatedIdentity
    }
}
