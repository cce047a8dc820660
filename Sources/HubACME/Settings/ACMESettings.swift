import HubWire

/// The settings of the certificates that an ACME server issues.
public struct ACMESettings: Hashable, Sendable {
    /// The directory of Let's Encrypt, the default.
    public static let letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory"

    /// The host names of the certificate, the first of which is the hub's own; 1 to 100.
    public var domains: [String]
    /// The URL of the server's directory (RFC 8555 section 7.1.1).
    public var directoryURL: String
    /// The e-mail address that the server writes to; nil: none.
    public var contact: String?
    /// A PEM file of certificates that are trusted for the server beside the system's; nil: none.
    public var authorityFile: String?
    /// The kinds of challenges that the hub can answer, the preferred one first.
    public var challenges: [ACMEChallengeKind]

    /// Makes settings from their parts.
    public init(
        domains: [String],
        directoryURL: String = letsEncrypt,
        contact: String? = nil,
        authorityFile: String? = nil,
        challenges: [ACMEChallengeKind] = ACMEChallengeKind.allCases
    ) {
        self.domains = domains
        self.directoryURL = directoryURL
        self.contact = contact
        self.authorityFile = authorityFile
        self.challenges = challenges
    }

    /// The fault of the settings, a sentence; nil: nothing in them is refused for its form.
    public var fault: String? {
        do throws(ACMESettingsError) {
            _ = try CheckedACMESettings(self)
            return nil
        } catch {
            return error.description
        }
    }

    /// The domains as the certificate has them: in lower case and ASCII; those that are no names are left out.
    public var hostNames: [String] { domains.compactMap { try? DomainName($0).text } }
}

/// A way to prove to the server that a name leads to the hub.
public enum ACMEChallengeKind: String, Hashable, Sendable, CaseIterable {
    /// A text at `http://NAME/.well-known/acme-challenge/TOKEN`, port 80 (RFC 8555 section 8.3).
    case http01 = "http-01"
    /// A certificate for the protocol `acme-tls/1`, port 443 (RFC 8737).
    case tlsALPN01 = "tls-alpn-01"

    /// The TCP port that the server connects to.
    var port: Int {
        switch self {
        case .http01: 80
        case .tlsALPN01: 443
        }
    }
}

/// A fault of the settings, as one sentence that says what is wrong and what would be right.
public struct ACMESettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ sentence: String) { description = sentence }
}

/// Settings that were checked: nothing in them can be refused for its form.
struct CheckedACMESettings: Hashable, Sendable {
    /// The most names of a certificate; Let's Encrypt takes no more.
    static let maximumDomains = 100

    let domains: [String]
    let directory: ACMEURL
    /// The contact as a URL; nil: none.
    let contact: String?
    let authorityFile: String?
    let challenges: [ACMEChallengeKind]

    /// Checks settings.
    ///
    /// - Throws: The fault of the first setting that is wrong.
    init(_ settings: ACMESettings) throws(ACMESettingsError) {
        guard (1...Self.maximumDomains).contains(settings.domains.count) else {
            let count = settings.domains.count
            throw ACMESettingsError("There are \(count) domains; a certificate is for 1 to \(Self.maximumDomains).")
        }
        var domains: [String] = []
        for text in settings.domains {
            let name = try DomainName(text).text
            if !domains.contains(name) { domains.append(name) }
        }
        self.domains = domains
        guard let directory = ACMEURL(settings.directoryURL) else {
            throw ACMESettingsError(
                "\(shown(settings.directoryURL)) is no directory of an ACME server; it must be an https URL."
            )
        }
        self.directory = directory
        contact = try settings.contact.map { text throws(ACMESettingsError) in try Self.contact(text) }
        authorityFile = settings.authorityFile
        guard !settings.challenges.isEmpty else {
            throw ACMESettingsError("No kind of challenge is allowed; allow http-01, tls-alpn-01 or both.")
        }
        challenges = settings.challenges
    }

    /// Makes a `mailto:` URL (RFC 8555 section 7.3: one address, without header fields).
    private static func contact(_ text: String) throws(ACMESettingsError) -> String {
        let address = text.hasPrefix("mailto:") ? String(text.dropFirst(7)) : text
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = address.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && !"\"\\,?&<>()[]:;%".utf8.contains(byte)
        }
        guard parts.count == 2, isPlain, (1...64).contains(parts[0].utf8.count),
            let host = try? DomainName(String(parts[1]))
        else {
            throw ACMESettingsError("\(shown(text)) is no contact; it must be one e-mail address, as ann@example.org.")
        }
        return "mailto:\(parts[0])@\(host.text)"
    }
}
