import Foundation
import HubAccountData
import HubConfiguration
import HubCrypto
import HubStore
import HubWire

/// The exchange of an authorization code for what the provider claims about the user.
struct OpenIDExchange {
    let provider: OpenIDProvider
    let requests: OpenIDRequests
    /// The client's secret; nil: a public client.
    let secret: String?
    /// The tolerated difference of the provider's clock.
    let leeway: Duration

    private struct TokenResponse: Decodable {
        let id_token: String?
        let access_token: String?
        let token_type: String?
        let error: String?
    }

    /// Exchanges a code.
    ///
    /// - Parameters:
    ///   - code: The code that the browser has brought.
    ///   - pending: The sign-in that it belongs to.
    /// - Returns: The user, and the provider's claims.
    /// - Throws: ``OpenIDFault`` if the provider cannot be asked, refuses the code, or sends a wrong ID token.
    func identity(
        by code: String,
        of pending: PendingOpenIDSignIn
    ) throws(OpenIDFault) -> (identity: ExternalIdentity, claims: ExternalProfile) {
        let metadata = try provider.metadata(by: requests)
        let response = try tokens(by: code, of: pending, metadata)
        guard let idToken = response.id_token else { throw .badAnswer("its token endpoint sends no ID token") }
        let claims = try verified(idToken, response.access_token, pending)
        if let start = pending.freshSince { try checkAuthentication(claims, since: start) }
        let more = try userInfo(response.access_token, claims, metadata)
        let reader = OpenIDClaimReader(provider.settings, claims, more)
        let identity = ExternalIdentity(issuer: provider.settings.issuer ?? "", subject: claims.subject)
        return (identity, try reader.profile())
    }

    private func tokens(
        by code: String,
        of pending: PendingOpenIDSignIn,
        _ metadata: OpenIDMetadata
    ) throws(OpenIDFault) -> TokenResponse {
        let clientID = provider.settings.clientID ?? ""
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", pending.redirectURI),
            ("code_verifier", pending.verifier),
        ]
        var headers: [String] = []
        if let secret, !metadata.takesSecretInBody {
            // RFC 6749 section 2.3.1: each part is encoded before the two are joined.
            let pair = "\(OpenIDRequests.encoded(clientID)):\(OpenIDRequests.encoded(secret))"
            headers.append("Authorization: Basic \(Base64.text(of: Array(pair.utf8)))")
        } else {
            form.append(("client_id", clientID))
            if let secret { form.append(("client_secret", secret)) }
        }
        let (status, body) = try requests.post(
            form,
            to: metadata.tokenEndpoint,
            headers: headers,
            atMost: Self.maximumResponseBytes
        )
        let response = try? JSONDecoder().decode(TokenResponse.self, from: Data(body))
        guard status == 200, let response else {
            let word = response?.error.flatMap(OpenIDExchange.errorWord) ?? "HTTP \(status)"
            throw .refused("its token endpoint answers \(word)")
        }
        return response
    }

    private func verified(
        _ idToken: String,
        _ accessToken: String?,
        _ pending: PendingOpenIDSignIn
    ) throws(OpenIDFault) -> IDTokenClaims {
        guard let keys = try provider.keys(by: requests) else { throw .badAnswer("it has no keys") }
        do throws(TokenError) {
            return try verifier(keys).verify(idToken, nonce: pending.nonce, accessToken: accessToken, at: Date())
        } catch {
            // The provider may have a new key since.
            guard error == .unknownKey, let newer = try provider.keys(by: requests, notIn: keys) else {
                throw OpenIDFault(error)
            }
            do throws(TokenError) {
                return try verifier(newer).verify(idToken, nonce: pending.nonce, accessToken: accessToken, at: Date())
            } catch {
                throw OpenIDFault(error)
            }
        }
    }

    /// Refuses a user whom the provider has not authenticated since a time (OpenID Connect Core 1.0, 3.1.2.1).
    private func checkAuthentication(_ claims: IDTokenClaims, since start: Date) throws(OpenIDFault) {
        guard let seconds = claims.seconds("auth_time") else {
            throw .notFresh("the ID token has no auth_time, although max_age asks for it")
        }
        let leeway = leeway / .seconds(1)
        // The claim has no fractions.
        let earliest = start.timeIntervalSince1970 - 1 - leeway
        guard seconds >= earliest, seconds <= Date().timeIntervalSince1970 + leeway else {
            throw .notFresh("the provider has not authenticated the user in this sign-in, although prompt asks for it")
        }
    }

    private func verifier(_ keys: KeySet) -> IDTokenVerifier {
        IDTokenVerifier(
            keys: keys,
            issuer: provider.settings.issuer ?? "",
            clientID: provider.settings.clientID ?? "",
            leeway: leeway
        )
    }

    /// Asks for the claims that the ID token has not; nil: it has them, or there are no others.
    private func userInfo(
        _ accessToken: String?,
        _ claims: IDTokenClaims,
        _ metadata: OpenIDMetadata
    ) throws(OpenIDFault) -> IDTokenClaims? {
        guard claims.text(provider.settings.accountClaim) == nil, let accessToken,
            let endpoint = metadata.userInfoEndpoint,
            accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let body = try requests.document(
            endpoint,
            headers: ["Authorization: Bearer \(accessToken)"],
            atMost: Self.maximumResponseBytes
        )
        guard let more = IDTokenClaims(userInfo: body) else { throw .badAnswer("its user info has no claims") }
        // OpenID Connect Core 1.0 section 5.3.2: else it may be another user's.
        guard more.subject == claims.subject else { throw .token("the user info is of another user") }
        return more
    }

    /// Returns the word of an error if it can be logged (RFC 6749 section 5.2).
    static func errorWord(_ text: String) -> String? {
        text.wholeMatch(of: /[A-Za-z0-9_.-]{1,64}/) == nil ? nil : text
    }

    /// The longest response in bytes; an ID token may have 64 KiB.
    private static let maximumResponseBytes = 262_144
}

/// The part of a provider's claims that is the user's account.
struct OpenIDClaimReader {
    private let settings: OpenIDSettings
    private let sources: [IDTokenClaims]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - settings: The names of the claims.
    ///   - claims: Those of the ID token.
    ///   - more: Those of the UserInfo endpoint; nil: none.
    init(_ settings: OpenIDSettings, _ claims: IDTokenClaims, _ more: IDTokenClaims?) {
        self.settings = settings
        sources = [claims, more].compactMap(\.self)
    }

    /// Reads the claims.
    ///
    /// - Returns: The claims; the name of a new account is nil only where none may be created.
    /// - Throws: ``OpenIDFault`` if a new account could not be named.
    func profile() throws(OpenIDFault) -> ExternalProfile {
        var profile = ExternalProfile()
        if settings.createsAccounts { profile.newAccount = try accountName() }
        profile.profile.name = settings.nameClaim.flatMap(text).flatMap { $0.isGuestName ? $0 : nil }
        profile.profile.department = settings.departmentClaim.flatMap(text).flatMap { $0.isGuestName ? $0 : nil }
        if let claim = settings.adminClaim, let value = settings.adminValue {
            profile.isAdmin = sources.contains { $0.contains(value, in: claim) }
        }
        return profile
    }

    private func accountName() throws(OpenIDFault) -> String {
        let claim = settings.accountClaim
        guard let name = text(claim) else { throw .claimMissing(claim) }
        if claim == "email", sources.contains(where: { $0.isDenied("email_verified") }) { throw .emailUnverified }
        guard WireError(faultOf: name) == nil else { throw .claimInvalid(claim) }
        return name
    }

    private func text(_ claim: String) -> String? { sources.lazy.compactMap { $0.text(claim) }.first }
}
