/// The readers of `/metrics`, and the life of the page.
public struct MetricsSettings: Sendable {
    /// The addresses that may read it; empty: all, unless a token is set.
    public var addresses: [AddressRange] = []

    /// The bearer token (RFC 6750) that gives access from any address; nil: none.
    public var token: String?

    /// The time for which a page is reused.
    ///
    /// Longer: readers cost the hub less; figures are older.
    public var cacheLife: Duration = .seconds(1)

    /// The time between two samples of the history for administrators; nil: there is none.
    public var historyInterval: Duration?

    /// Makes the default settings: open to all.
    public init() {}

    func isOpen(to request: HTTPRequest) -> Bool {
        if addresses.isEmpty, token == nil { return true }
        if addresses.contains(where: { $0.contains(request.address) }) { return true }
        guard let token, let bearer = request.bearer else { return false }
        return Self.areEqual(token, bearer)
    }

    /// Compares in a time that does not depend on the first different byte.
    private static func areEqual(_ secret: String, _ guess: String) -> Bool {
        let (secret, guess) = (Array(secret.utf8), Array(guess.utf8))
        guard secret.count == guess.count else { return false }
        return zip(secret, guess).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
