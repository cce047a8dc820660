import Foundation
import HubServer
import HubWire

/// The settings of sign-in by an OpenID provider (section `auth.openID`).
public struct OpenIDSettings: Sendable, Equatable {
    /// The provider's issuer; nil: nobody signs in by a provider.
    public var issuer: String?
    /// The hub's client ID at the provider.
    public var clientID: String?
    /// The file with the client's secret, or `credential:NAME` for a credential of systemd; nil: a public client.
    public var clientSecretFile: String?
    /// The requested scopes.
    public var scopes = ["openid", "profile", "email"]
    /// The claim that names a new account.
    public var accountClaim = "preferred_username"
    /// The claim with the user's name for the directory; nil: none.
    public var nameClaim: String? = "name"
    /// The claim with the user's department for the directory; nil: none.
    public var departmentClaim: String?
    /// The claim that decides if an account may administer the hub; nil: the provider does not decide it.
    public var adminClaim: String?
    /// The value of that claim that grants the permission.
    public var adminValue: String?
    /// Indicates that users without an account get one at their first sign-in.
    public var createsAccounts = true
    /// The provider's name on the button; nil: the host of the issuer.
    public var label: String?
    /// The hours from a sign-in to the next one.
    public var sessionHours = 720
    /// A PEM file of certificates that are trusted beside the system's; nil: none.
    public var certificateAuthority: String?

    /// The defaults: no provider.
    public init() {}

    /// The provider's name for users.
    package var shownLabel: String { label ?? issuer.flatMap { URL(string: $0)?.host } ?? "OpenID" }

    /// Indicates that the provider may be asked without TLS: it is on this machine.
    package var allowsPlainHTTP: Bool { issuer.map(Self.isLoopback) ?? false }

    /// Indicates that a text is a provider's issuer: an https URL without query and fragment; http on this machine.
    static func isIssuer(_ text: String) -> Bool {
        guard text.utf8.count <= 1_024, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("?"), !text.contains("#"), !text.contains("@"),
            let url = URL(string: text), url.host?.isEmpty == false
        else { return false }
        return text.hasPrefix("https://") || isLoopback(text)
    }

    /// Indicates that a URL is one by http of this machine.
    package static func isLoopback(_ text: String) -> Bool {
        guard text.hasPrefix("http://"), let host = URL(string: text)?.host else { return false }
        return ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    }

    /// Indicates that a text is a scope (RFC 6749 section 3.3).
    static func isScope(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    /// Indicates that a text is printable, and has at most so many bytes.
    static func isText(_ text: String, atMost count: Int) -> Bool {
        (1...count).contains(text.utf8.count) && text.isGuestName
    }

    /// Reads the client's secret.
    ///
    /// - Parameter environment: The environment variables, of which systemd sets one for credentials.
    /// - Returns: The first line of the file; nil: no secret is configured.
    /// - Throws: `ServeError` if the file cannot be read, is empty, or may be read by all users.
    package func clientSecret(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ServeError) -> String? {
        guard var path = clientSecretFile else { return nil }
        if path.hasPrefix(Self.credentialPrefix) {
            guard let folder = environment["CREDENTIALS_DIRECTORY"] else {
                throw ServeError(
                    "auth.openID.clientSecretFile names a credential of systemd and the hub has none; set "
                        + "LoadCredential in its unit, or name a file."
                )
            }
            path = folder + "/" + path.dropFirst(Self.credentialPrefix.count)
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_size <= 65_536,
            let bytes = FileManager.default.contents(atPath: path),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            throw ServeError("auth.openID.clientSecretFile: \(path) cannot be read; it must have the client's secret.")
        }
        guard status.st_mode & 0o004 == 0 else {
            throw ServeError("auth.openID.clientSecretFile: all users may read \(path); run chmod o= on it.")
        }
        let secret = text.prefix { !$0.isNewline }
        guard (1...4_096).contains(secret.utf8.count) else {
            throw ServeError("auth.openID.clientSecretFile: \(path) must have the secret in its first line.")
        }
        return String(secret)
    }

    private static let credentialPrefix = "credential:"
}
