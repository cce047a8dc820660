public import HubACME

/// The settings of a certificate that the hub orders (`tls.acme`) or makes itself (`tls.own`, `tls.names`).
public struct TLSSettings: Sendable {
    /// Indicates that the hub makes an authority and a certificate of its own, if no files are given.
    public var own = false
    /// The host names and IP addresses of the certificate, beside those that the machine has.
    public var names: [String] = []

    /// The settings of a certificate of an ACME server, used if no files are given; without domains none is ordered.
    public var acme = ACMESettings(domains: [])

    /// Indicates that the hub makes a certificate of its own, if no files are given; also until one is issued.
    public var makesOwn: Bool { own || !acme.domains.isEmpty }

    /// The defaults: no certificate is ordered or made.
    public init() {}

    /// The maximum number of names; a certificate with more would be too long for the handshake of a slow network.
    static let maximumNames = 100
}
