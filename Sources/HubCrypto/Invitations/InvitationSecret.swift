import HubWire

/// The secret of an invitation, which is in its link and nowhere else: the database has its hash.
public struct InvitationSecret: Hashable, Sendable {
    /// The secret: 16 random bytes in base64url, 22 characters.
    public let text: String

    /// Parses a secret; nil if it has not the length or the characters of one.
    public init?(_ text: String) {
        guard text.utf8.count == 22, Base64URL.bytes(of: text) != nil else { return nil }
        self.text = text
    }

    /// Generates a secret.
    public init() {
        var random = SystemRandomNumberGenerator()
        text = Base64URL.text(of: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// The SHA-256 of the text, by which the database finds the invitation.
    public var hash: [UInt8] { SHA256.digest(Array(text.utf8)) }

    /// Returns the link that opens the invitation.
    ///
    /// - Parameter page: The address of the hub's page, with or without a `/` at its end.
    /// - Returns: The link, with the secret in its fragment.
    public func link(to page: String) -> String { page + (page.hasSuffix("/") ? "" : "/") + "#i=" + text }
}
