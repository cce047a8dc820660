public import HubEngine

/// One message for one subscription, encrypted and signed for: what a push service is asked to deliver (RFC 8030).
public struct PushPost: Sendable {
    /// The service's host name.
    public var host: String
    /// Its port.
    public var port: UInt16
    /// Path and query of the subscription; who knows them may send to it, so that they stand in no log.
    public var path: String
    /// The header `Authorization` (RFC 8292).
    public var authorization: String
    /// The same for messages of which the last one replaces those before: at most 32 characters of base64url.
    public var topic: String
    /// When it has lost its purpose.
    public var expiresAt: Instant
    /// The encrypted message (RFC 8291).
    public var body: [UInt8]

    /// A post of its parts.
    public init(
        host: String,
        port: UInt16,
        path: String,
        authorization: String,
        topic: String,
        expiresAt: Instant,
        body: [UInt8]
    ) {
        self.host = host
        self.port = port
        self.path = path
        self.authorization = authorization
        self.topic = topic
        self.expiresAt = expiresAt
        self.body = body
    }

    /// The host, with the port where it is not 443 (RFC 3986 section 3.2).
    var authority: String { port == 443 ? host : "\(host):\(port)" }
}

/// What became of a post.
public enum PushOutcome: String, Hashable, Sendable, CaseIterable {
    /// The service has taken it.
    case accepted
    /// There is no such subscription any more.
    case gone
    /// The service does not want it, and would not want it later either.
    case refused
    /// The service could not be reached, or took nothing, for as long as it made sense.
    case failed
    /// It had lost its purpose before anything was sent.
    case late
    /// It was taken back before it was sent.
    case withdrawn
    /// Too many waited already.
    case dropped
    /// The callee or the caller had no message left in its budget; nothing was encrypted.
    case limited
}

/// What pushes have come to, for metrics.
public struct PushFigures: Hashable, Sendable {
    /// How many, by what became of them.
    public var outcomes: [PushOutcome: Int]
    /// How many wait or are on their way.
    public var waiting: Int

    /// Figures of their parts.
    public init(outcomes: [PushOutcome: Int] = [:], waiting: Int = 0) {
        self.outcomes = outcomes
        self.waiting = waiting
    }
}
