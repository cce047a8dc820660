import Foundation
import HubCrypto
import HubEngine
import HubServer
import HubWire

/// Looks at tokens: those of the operator's issuer, by the keys of a file that may change, and those of the hub's own links.
final class TokenDesk: @unchecked Sendable {
    private let lock = NSLock()
    private let keysFile: String?
    private let policy: TokenPolicy
    private var issuer: TokenVerifier?
    private var links: TokenVerifier?
    private var linkKey: [UInt8]
    private var revokedLinks: Set<CallLinkID>

    /// A desk.
    ///
    /// - Parameters:
    ///   - settings: Where the issuer's keys are, and what its tokens must say.
    ///   - linkKey: The key that signs the hub's own links, as the store keeps it.
    ///   - revokedLinks: The links that were revoked one by one.
    /// - Throws: `ServeError` where the keys are of no use.
    init(_ settings: TokenSettings, linkKey: [UInt8], revokedLinks: Set<CallLinkID>) throws(ServeError) {
        self.revokedLinks = revokedLinks
        keysFile = settings.keysFile
        policy = TokenPolicy(issuer: settings.issuer ?? "", audience: settings.audience, leeway: settings.leeway)
        self.linkKey = linkKey
        links = GuestLink.verifier(linkKey)
        if let keysFile { issuer = TokenVerifier(keys: try Self.keys(in: keysFile), policy: policy) }
    }

    /// Reads the issuer's keys anew; sessions that are there stay.
    ///
    /// - Returns: What is known now, a few words for each key; nil: there is no file to read.
    /// - Throws: `ServeError` where they are of no use; then those of before go on.
    func reload() throws(ServeError) -> [String]? {
        guard let keysFile else { return nil }
        let keys = try Self.keys(in: keysFile)
        lock.withLock { issuer = TokenVerifier(keys: keys, policy: policy) }
        return keys.summary
    }

    /// Takes another key for the hub's own links: all that the one before has signed are over.
    ///
    /// - Parameter key: As the store keeps it.
    /// - Returns: False where it is the same one.
    func takeLinkKey(_ key: [UInt8]) -> Bool {
        lock.withLock {
            guard key != linkKey else { return false }
            (linkKey, links) = (key, GuestLink.verifier(key))
            return true
        }
    }

    /// Takes over which links were revoked one by one.
    ///
    /// - Parameter links: All of them.
    /// - Returns: Those that were not known to be.
    func takeRevokedLinks(_ links: Set<CallLinkID>) -> Set<CallLinkID> {
        lock.withLock {
            defer { revokedLinks = links }
            return links.subtracting(revokedLinks)
        }
    }

    /// Returns true for a link that was revoked by itself.
    func isRevoked(_ link: CallLinkID) -> Bool { lock.withLock { revokedLinks.contains(link) } }

    private static func keys(in file: String) throws(ServeError) -> KeySet {
        guard let document = FileManager.default.contents(atPath: file) else {
            throw ServeError("auth.tokenKeys: \(file) cannot be read; it must be a JSON Web Key Set (RFC 7517).")
        }
        do throws(KeySetFault) {
            return try KeySet([UInt8](document))
        } catch {
            throw ServeError("auth.tokenKeys: \(file): \(error).")
        }
    }

    /// Looks at a token.
    ///
    /// - Parameters:
    ///   - token: In the compact form.
    ///   - takesIssuer: Whether the issuer's are taken, or the hub's own links alone.
    ///   - now: The time.
    /// - Returns: Who was let in.
    /// - Throws: Why he was not.
    func admit(_ token: String, takesIssuer: Bool, at now: Date) throws(AdmissionRefusal) -> Admission {
        let (links, issuer) = lock.withLock { (self.links, self.issuer) }
        if let claims = try? links?.verify(token, at: now), let link = GuestLink.id(of: token, claims),
            !isRevoked(link)
        {
            return Admission(guest: claims, of: link)
        }
        guard takesIssuer, let issuer else {
            throw AdmissionRefusal(.wrongToken, "the link is not this hub's, or it is over; ask for a new one")
        }
        do throws(TokenFault) {
            return Admission(try issuer.verify(token, at: now))
        } catch {
            throw AdmissionRefusal(error.isExpiry ? .tokenExpired : .wrongToken, "\(error)")
        }
    }
}

/// What an operator says of tokens.
struct TokenSettings: Sendable {
    /// The file with the issuer's keys (JWKS); nil: no tokens are taken but those of links.
    var keysFile: String?
    /// Who must have issued them.
    var issuer: String?
    /// Whom they must be for.
    var audience = "callhub"
    /// By how much the issuer's clock may differ.
    var leeway: Duration = .seconds(30)
}

extension TokenFault {
    /// Whether it was a right token once.
    fileprivate var isExpiry: Bool {
        if case .expired = self { true } else { false }
    }
}

extension Admission {
    /// Who bears an issuer's token.
    fileprivate init(_ claims: TokenClaims) {
        let handles = claims.handles.map { Handle($0) }
        self.init(account: claims.account, handles: handles.isEmpty ? [.generic(claims.account)] : handles)
        permissions = Set(claims.permissions.compactMap { Permission(rawValue: $0.rawValue) })
        displayName = claims.name.flatMap { $0.isShownName ? $0 : nil }
        expiresAt = Instant(nanoseconds: Int64(clamping: Int(claims.expires.timeIntervalSince1970)) &* 1_000_000_000)
        onlyCallee = claims.callee.map { Handle($0) }
    }

    /// Who has opened a link: somebody else each time, so that guests do not share what they have.
    fileprivate init(guest claims: TokenClaims, of link: CallLinkID) {
        self.init(claims)
        account = "guest-" + String(UInt64.random(in: .min ... .max), radix: 16)
        handles = [.generic(account)]
        permissions = [.call]
        self.link = link
    }
}

extension Handle {
    /// A handle as a token names it.
    init(_ claim: TokenClaims.Handle) {
        let type: HandleType =
            switch claim.type {
            case .generic: .generic
            case .phoneNumber: .phoneNumber
            case .emailAddress: .emailAddress
            }
        self.init(type: type, value: claim.value)
    }
}
