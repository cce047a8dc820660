/// The TLS certificate that a hub shows to its clients, by its origin.
public enum ServerCertificate: Sendable, Equatable {
    /// Two PEM files, which `HubServer.reload()` reads again: the certificate with its chain, and its key.
    case files(certificate: String, key: String)

    /// A certificate that a public authority has issued to the hub (ACME, RFC 8555).
    case acme(CertificatePEM)

    /// A certificate that the hub's own authority has issued.
    case own(CertificatePEM, AuthorityCertificate)

    /// The authority that devices have to trust by hand; nil: they trust it already, or the operator's page says how.
    var authority: AuthorityCertificate? {
        if case .own(_, let authority) = self { authority } else { nil }
    }

    /// The origin for the log: the file, or the kind.
    var source: String {
        if case .files(let certificate, _) = self { certificate } else { kind }
    }

    /// The origin as `/v1/info` names it.
    var kind: String {
        switch self {
        case .files: "file"
        case .acme: "acme"
        case .own: "own"
        }
    }
}

/// A certificate and its key as PEM text.
public struct CertificatePEM: Sendable, Equatable {
    /// The hub's certificate first, then the intermediates, without the root.
    public var chain: String

    /// The private key, without a passphrase.
    public var key: String

    /// Creates the pair.
    ///
    /// - Parameters:
    ///   - chain: The hub's certificate first, then the intermediates.
    ///   - key: The private key, without a passphrase.
    public init(chain: String, key: String) {
        self.chain = chain
        self.key = key
    }
}

/// The certificate of a hub's own authority, as devices import it.
public struct AuthorityCertificate: Sendable, Equatable {
    /// The name that devices list it by.
    public var name: String

    /// The SHA-256 as browsers show it, `AB:CD:…`.
    public var fingerprint: String

    /// The certificate in DER.
    public var der: [UInt8]

    /// Creates the description of an authority.
    ///
    /// - Parameters:
    ///   - name: The name that devices list it by.
    ///   - fingerprint: The SHA-256 as browsers show it: 32 pairs of hexadecimal digits with colons.
    ///   - der: The certificate in DER.
    public init(name: String, fingerprint: String, der: [UInt8]) {
        self.name = name
        self.fingerprint = fingerprint
        self.der = der
    }
}

/// The answers to the challenges by which a public authority checks that a name is the hub's (RFC 8555 section 8).
public struct ChallengeResponder: Sendable {
    /// Returns the content for a token (http-01); nil: no such challenge is pending.
    public var httpAnswer: @Sendable (_ token: String) -> String?

    /// Returns the certificate for a host name (tls-alpn-01, RFC 8737); nil: no such challenge is pending.
    public var alpnCertificate: @Sendable (_ serverName: String) -> CertificatePEM?

    /// Creates a responder; both functions are called on the hub's threads, and must not block.
    ///
    /// - Parameters:
    ///   - httpAnswer: Returns the content for a token, or nil.
    ///   - alpnCertificate: Returns the certificate for a host name in lower case, or nil.
    public init(
        httpAnswer: @escaping @Sendable (_ token: String) -> String?,
        alpnCertificate: @escaping @Sendable (_ serverName: String) -> CertificatePEM?
    ) {
        self.httpAnswer = httpAnswer
        self.alpnCertificate = alpnCertificate
    }
}
