/// The requests of browsers that sign in by an OpenID provider.
extension Hub {
    /// Answers a request for a page of the sign-in, which the service's own thread does.
    func openIDPage(_ page: OpenIDPages, _ request: HTTPRequest, _ requestID: HTTPRequestID) -> HTTPHandlerResult {
        guard let service = services.openID else {
            return .now(.text(404, "Nobody signs in by a provider here (auth.openID in the hub's configuration)."))
        }
        guard let query = request.query else {
            return .now(.text(400, "A query has each parameter once, and at most 15 of them."))
        }
        let isExempt = transport?.isExempt(request.address) ?? true
        let asked = OpenIDRequest(
            pageURL: settings.transport.publicURL ?? request.ownURL,
            lane: isExempt ? nil : request.address.rateLimitAddress.text,
            query: query,
            cookie: request.cookies[OpenIDAnswer.cookieName]
        )
        let isElsewhere = settings.transport.publicURL.map { !Self.isSameOrigin($0, request.ownURL) } ?? false
        guard !isElsewhere else { return .now(HTTPResponse(.page(settings.transport.publicURL ?? ""))) }
        let answer = { @Sendable [thread = transport?.thread] (answer: OpenIDAnswer) in
            let response = HTTPResponse(answer)
            thread?.run { $0.transport?.answer(requestID, with: response) }
        }
        switch page {
        case .start: service.start(asked, answer)
        case .callback: service.finish(asked, answer)
        }
        return .deferred
    }

    /// Indicates that a request came for the hub's public address: the cookie and the page's memory are of one host.
    private static func isSameOrigin(_ publicURL: String, _ asked: String?) -> Bool {
        guard let asked else { return false }
        func authority(_ url: String) -> Substring {
            let rest = url.lowercased().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).last ?? ""
            let authority = rest.prefix { $0 != "/" }
            return authority.hasSuffix(":443") ? authority.dropLast(4) : authority
        }
        return authority(publicURL) == authority(asked)
    }
}
