public import HubWire

/// Why something asked of a `HubClient` did not happen; `description` is one sentence for people.
public enum HubClientError: Error, Hashable, Sendable {
    /// The text is no address of a hub.
    case invalidAddress(String)
    /// There is no connection to the hub at this address.
    case unreachable(address: String, reason: String)
    /// The hub does not let this client in (401, 403).
    case signInRefused(WireError)
    /// The hub said no to this request, and nothing changed.
    case refused(WireError)
    /// The connection was lost before the answer came: the request may or may not have been carried out.
    ///
    /// The client connects again by itself; the events that follow say what the calls are now.
    case connectionLost(reason: String)
    /// The connection is lost at this moment, and the request was not sent.
    case notConnected
    /// The hub did not answer the request in time.
    case noAnswer(method: String)
    /// The hub's answer was not what the protocol says.
    case malformedAnswer(method: String)
    /// The hub ended the session for good: `replaced` by the same device elsewhere, `policy` …
    case endedByHub(reason: String)
    /// `close()` was called.
    case closed
    /// The machine's libraries do not work, for the reason given.
    case unavailable(reason: String)
}

extension HubClientError: CustomStringConvertible {
    /// One sentence: what is wrong, and what would be right where that is known.
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
            "The connection to the hub is lost at the moment; it is being taken up again."
        case .noAnswer(let method):
            "The hub did not answer \(method) in time."
        case .malformedAnswer(let method):
            "The hub's answer to \(method) is not what the protocol says."
        case .endedByHub(let reason):
            "The hub has ended the session: \(reason)."
        case .closed:
            "This client is closed."
        case .unavailable(let reason):
            "The client library does not work on this machine: \(reason)"
        }
    }
}
