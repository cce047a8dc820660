/// A GET or HEAD of a path that may be the hub's own.
struct HTTPRequest: Sendable, Equatable {
    /// The path from its `/` on, decoded, without dot segments; ASCII, so that it is compared byte by byte.
    var path: String

    /// The client's address; behind a trusted proxy the one that the proxy forwards.
    var address: IPAddress

    /// The token of its Authorization header (RFC 6750 section 2.1); nil for none.
    var bearer: String?

    /// The Host header of a request that a proxy of `isBehindProxy` has received by https; nil for any other.
    var publicHost: String?

    /// The URL of the start page as the client has asked for it, if a page of the hub has to know it; nil: unknown, or
    /// the host is none of the hub's.
    var ownURL: String?

    /// The parameters of the query, decoded, if a page of the hub reads them; nil if one is there twice.
    var query: [String: String]? = [:]

    /// The cookies, if a page of the hub reads them.
    var cookies: [String: String] = [:]
}
