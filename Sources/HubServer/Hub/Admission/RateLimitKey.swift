import HubEngine

/// The key of the rate limits that a session's requests are charged to.
enum RateLimitKey: Hashable {
    /// All devices of an account together.
    case account(FoldedName)
    /// All guests of one address together: each sign-in by an invitation makes an account of its own, with full
    /// buckets.
    case guests(IPAddress)

    /// The name of its lane in the verification queue; differs from the name of every address.
    var lane: String {
        switch self {
        case .account(let name): "account \(name.text)"
        case .guests(let address): "guests \(address.text)"
        }
    }
}
