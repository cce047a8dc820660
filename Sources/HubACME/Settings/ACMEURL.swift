/// An https URL of an ACME server, as it is sent and signed.
struct ACMEURL: Hashable, Sendable {
    /// The longest URL, in bytes.
    ///
    /// More: more of each request is foreign text; less: no room for servers with long paths (none known has 300).
    static let maximumBytes = 2_048

    let text: String
    /// The host name with the port, for sentences.
    let authority: String

    /// Checks a URL; nil unless it is https with a host, of printable ASCII, without user name and fragment.
    init?(_ text: String) {
        let scheme = "https://"
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"\\<>^`{|}#".utf8.contains($0) }
        guard isPlain, text.utf8.count <= Self.maximumBytes, text.lowercased().hasPrefix(scheme) else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@"), !authority.hasPrefix(":") else { return nil }
        self.text = text
        self.authority = String(authority)
    }
}
