/// The sign-in by an OpenID provider, of which a browser requests two pages.
public protocol OpenIDService: Sendable {
    /// The provider's name on the button.
    var label: String { get }

    /// Begins a sign-in: the browser is sent to the provider.
    ///
    /// - Parameters:
    ///   - request: The browser's request.
    ///   - then: Called once, on any thread, with the answer.
    func start(_ request: OpenIDRequest, _ then: @escaping @Sendable (OpenIDAnswer) -> Void)

    /// Ends a sign-in, with whatever the provider has the browser bring: it is sent to the phone.
    ///
    /// - Parameters:
    ///   - request: The browser's request.
    ///   - then: Called once, on any thread, with the answer.
    func finish(_ request: OpenIDRequest, _ then: @escaping @Sendable (OpenIDAnswer) -> Void)
}

/// A browser's request in a sign-in by an OpenID provider.
public struct OpenIDRequest: Sendable {
    /// The address of the phone as the browser has it, with a `/` at its end; nil: it is none of the hub's.
    public var pageURL: String?
    /// The address of the client, by which sign-ins are limited; nil: an exempt one.
    public var lane: String?
    /// The parameters of the query.
    public var query: [String: String]
    /// The value of the cookie ``OpenIDAnswer/cookieName``; nil: none.
    public var cookie: String?

    /// Creates a request.
    public init(pageURL: String?, lane: String? = nil, query: [String: String], cookie: String? = nil) {
        (self.pageURL, self.lane, self.query, self.cookie) = (pageURL, lane, query, cookie)
    }
}

/// The answer to a browser in a sign-in by an OpenID provider.
public enum OpenIDAnswer: Hashable, Sendable {
    /// The provider's page; the cookie ties the rest of the sign-in to this browser.
    case provider(String, cookie: String)
    /// The phone, with a fragment.
    case phone(fragment: String)
    /// The phone at another address.
    case page(String)
    /// A request that no browser makes by itself, with a sentence.
    case invalid(String)

    /// The name of the cookie; browsers keep one of that prefix for this host alone, and send it by TLS alone.
    public static let cookieName = "__Host-callhub-openid"
}
