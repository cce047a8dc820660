import FoundationEssentials

/// The parser of the claims of a payload with a valid signature; errors are ``TokenError``.
struct ClaimReader {
    /// The latest time of a claim, in seconds since 1970: the end of the year 9999.
    ///
    /// More: no clock shows it; less: tokens of issuers that write "never" in this way are rejected for a wrong reason.
    private static let latest = 253_402_300_799.0
    /// The longest text of a claim, in bytes.
    ///
    /// More: longer names to be forwarded to all users; less: some real addresses do not fit.
    private static let maximumTextLength = 256

    private let claims: JSONObject

    init(_ claims: JSONObject) { self.claims = claims }

    /// Returns a required text claim.
    func text(_ claim: String) throws(TokenError) -> String {
        guard let text = try optionalText(claim) else { throw .missing(claim: claim) }
        return text
    }

    /// Returns the claim `aud`: one text or several.
    func audiences() throws(TokenError) -> [String] {
        guard let value = claims["aud"] else { throw .missing(claim: "aud") }
        if let audience = value.string { return [audience] }
        guard let audiences = value.strings else {
            throw .wrong(claim: "aud", requirement: "be a string or an array of strings")
        }
        return audiences
    }

    /// Returns a time claim (RFC 7519 section 2, NumericDate) in seconds since 1970; nil if there is none.
    func time(_ claim: String) throws(TokenError) -> Double? {
        guard let value = claims[claim] else { return nil }
        guard let seconds = value.number, (0...Self.latest).contains(seconds) else {
            throw .wrong(claim: claim, requirement: "be a time in seconds since 1970")
        }
        return seconds
    }

    /// Returns the claims about the bearer.
    func bearer(expires: Date) throws(TokenError) -> TokenClaims {
        TokenClaims(
            account: try text("sub"),
            name: try optionalText("name"),
            // Issuers have long sent it in forms of their own, so that no token is refused for it.
            department: try? optionalText("department"),
            handles: try handles(),
            permissions: try permissions(),
            callee: try claims["callee"].map { value throws(TokenError) in try handle(value, claim: "callee") },
            expires: expires,
            identifier: try optionalText("jti"),
            guestsGiveNames: try flag("guestNames")
        )
    }

    private func optionalText(_ claim: String) throws(TokenError) -> String? {
        guard let value = claims[claim] else { return nil }
        guard let text = value.string, (1...Self.maximumTextLength).contains(text.utf8.count) else {
            throw .wrong(claim: claim, requirement: "be a string of 1 to \(Self.maximumTextLength) bytes")
        }
        return text
    }

    /// Returns a claim that is true or false; false if there is none.
    private func flag(_ claim: String) throws(TokenError) -> Bool {
        guard let value = claims[claim] else { return false }
        guard let flag = value.boolean else { throw .wrong(claim: claim, requirement: "be true or false") }
        return flag
    }

    private func handles() throws(TokenError) -> [TokenClaims.Handle] {
        guard let value = claims["handles"] else { return [] }
        guard let elements = value.array else {
            throw .wrong(claim: "handles", requirement: "be an array of objects with type and value")
        }
        var handles: [TokenClaims.Handle] = []
        for (index, element) in elements.enumerated() {
            handles.append(try handle(element, claim: "handles[\(index)]"))
        }
        return handles
    }

    private func handle(_ value: JSONValue, claim: String) throws(TokenError) -> TokenClaims.Handle {
        guard let members = value.object,
            let type = members["type"]?.string.flatMap(TokenClaims.Handle.Kind.init(rawValue:)),
            let text = members["value"]?.string, (1...Self.maximumTextLength).contains(text.utf8.count)
        else {
            let types = TokenClaims.Handle.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .wrong(
                claim: claim,
                requirement: "have a type (\(types)) and a value of 1 to \(Self.maximumTextLength) bytes"
            )
        }
        return TokenClaims.Handle(type: type, value: text)
    }

    // MARK: Permissions

    private func permissions() throws(TokenError) -> Set<TokenClaims.Permission> {
        if let value = claims["callhub"] {
            let known = TokenClaims.Permission.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            guard let words = value.strings, let permissions = Self.permissions(words) else {
                throw .wrong(claim: "callhub", requirement: "be an array of some of \(known)")
            }
            return permissions
        }
        guard let value = claims["scope"] else { return [.call] }
        guard let scope = value.string else { throw .wrong(claim: "scope", requirement: "be a string") }
        let prefix = "callhub:"
        let words = scope.split(separator: " ").filter { $0.hasPrefix(prefix) }.map {
            String($0.dropFirst(prefix.count))
        }
        guard let permissions = Self.permissions(words) else {
            let known = TokenClaims.Permission.allCases.map { prefix + $0.rawValue }.joined(separator: ", ")
            throw .wrong(claim: "scope", requirement: "have no other word of ours than \(known)")
        }
        return words.isEmpty ? [.call] : permissions
    }

    /// Parses permission names; nil if one of them is unknown.
    private static func permissions(_ words: [String]) -> Set<TokenClaims.Permission>? {
        let permissions = words.compactMap(TokenClaims.Permission.init(rawValue:))
        return permissions.count == words.count ? Set(permissions) : nil
    }
}
