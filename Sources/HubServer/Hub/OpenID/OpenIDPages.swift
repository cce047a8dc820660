/// The pages of a sign-in by an OpenID provider.
enum OpenIDPages: String, CaseIterable {
    case start = "/openid/start"
    case callback = "/openid/callback"

    /// Indicates that a path is one of these pages.
    static func has(_ path: String, _ settings: TransportSettings) -> Bool { page(path, settings) != nil }

    /// Returns the page of a path; nil: another's.
    static func page(_ path: String, _ settings: TransportSettings) -> OpenIDPages? {
        guard path.hasPrefix(settings.path) else { return nil }
        return OpenIDPages(rawValue: String(path.dropFirst(settings.path.count)))
    }
}

extension HTTPResponse {
    /// Converts the answer to a browser.
    init(_ answer: OpenIDAnswer) {
        switch answer {
        case .provider(let url, let cookie):
            self = .redirect(to: url)
            let attributes = "; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax"
            headers.append(HTTPHeader(name: "Set-Cookie", value: "\(OpenIDAnswer.cookieName)=\(cookie)\(attributes)"))
        // Relative, so that it leads nowhere but to this hub: from /v1/openid/callback to /.
        case .phone(let fragment): self = .redirect(to: "../../#\(fragment)")
        case .page(let url): self = .redirect(to: url)
        case .invalid(let sentence): self = .text(400, sentence)
        }
    }

    private static func redirect(to url: String) -> HTTPResponse {
        var response = HTTPResponse.text(303, "The sign-in goes on at another page.")
        response.headers = [HTTPHeader(name: "Location", value: url)]
        return response
    }
}
