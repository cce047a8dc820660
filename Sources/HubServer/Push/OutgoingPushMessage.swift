public import HubEngine

/// An encrypted and signed message for one push subscription, to be delivered by a push service (RFC 8030).
public struct OutgoingPushMessage: Sendable {
    /// The host name of the push service.
    public var host: String
    /// The port of the push service.
    public var port: UInt16
    /// The path and query of the subscription; a secret, since they suffice to send to it, and never logged.
    public var path: String
    /// The `Authorization` header (RFC 8292).
    public var authorization: String
    /// The `Topic` header, at most 32 characters of base64url; a message replaces earlier ones with the same topic.
    public var topic: String
    /// The time after which the message is useless.
    public var expiresAt: Instant
    /// The encrypted message (RFC 8291).
    public var body: [UInt8]

    /// Makes a message from its parts.
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

/// The outcome of a push message.
public enum PushOutcome: String, Hashable, Sendable, CaseIterable {
    /// The service has accepted it.
    case accepted
    /// The subscription no longer exists (status 404 or 410).
    case gone
    /// The service refuses it, and would refuse it later as well.
    case refused
    /// The service could not be reached, or accepted nothing, until the message expired.
    case failed
    /// It expired before anything was sent.
    case late
    /// It was withdrawn before it was sent.
    case withdrawn
    /// Too many messages were queued already.
    case dropped
    /// The callee or the caller had no tokens left; nothing was encrypted.
    case limited
}

/// The counters of push messages, for metrics.
public struct PushStatistics: Hashable, Sendable {
    /// The number of messages by outcome.
    public var outcomes: [PushOutcome: Int]
    /// The number of messages that are queued or in flight.
    public var waiting: Int

    /// Makes statistics from their parts.
    public init(outcomes: [PushOutcome: Int] = [:], waiting: Int = 0) {
        self.outcomes = outcomes
        self.waiting = waiting
    }
}
