public import HubWire

/// An error of a `HubClient`; `description` is one sentence for users.
public enum HubClientError: Error, Hashable, Sendable {
    /// The text is not the address of a hub.
    case invalidAddress(String)
    /// No connection to the hub at this address could be established.
    case unreachable(address: String, reason: String)
    /// The hub rejected the sign-in (401, 403).
    case signInRefused(WireError)
    /// The hub rejected this request, and nothing changed.
    case refused(WireError)
    /// The connection was lost before the response arrived: the request may or may not have been carried out.
    ///
    /// The client reconnects by itself; the events that follow describe the current calls.
    case connectionLost(reason: String)
    /// The connection is lost at the moment, and the request was not sent.
    case notConnected
    /// The hub did not respond to the request in time.
    case noResponse(method: String)
    /// The hub's response does not conform to the protocol.
    case malformedResponse(method: String)
    /// The hub ended the session for good: `replaced` by the same device elsewhere, `policy` …
    case endedByHub(reason: String)
    /// `close()` was called.
    case closed
    /// The client library does not work on this machine, for the given reason.
    case unavailable(reason: String)
}

extension HubClientError: CustomStringConvertible {
    /// One sentence: the error, and the correction where it is known.
    public var description: String {
        switch self {
        case .invalidAddress(let text):
            "\"\(text.prefix(100))\" is no address of a hub; it looks like ws://host:8080/v1."
        case .unreachable(let address, let reason):
            "There is no connection to the hub at \(address): \(reason)."
        case .signInRefused(let refusal), .refused(let refusal):
            "\(refusal.message) (\(refusal.code.name.map { "\($0), " } ?? "")\(refusal.code.number))"
        case .connectionLost(let reason):
            "The connection was lost before the hub had answered: \(reason)."
        case .notConnected:
            "The connection to the hub is lost at the moment; the client is reconnecting."
        case .noResponse(let method):
            "The hub did not answer \(method) in time."
        case .malformedResponse(let method):
            "The hub's answer to \(method) does not conform to the protocol."
        case .endedByHub(let reason):
            "The hub has ended the session: \(reason)."
        case .closed:
            "This client is closed."
        case .unavailable(let reason):
            "The client library does not work on this machine: \(reason)"
        }
    }
}
