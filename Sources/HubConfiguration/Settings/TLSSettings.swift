/// The settings of a certificate that the hub makes itself (`tls.own`, `tls.names`).
public struct TLSSettings: Sendable {
    /// Indicates that the hub makes an authority and a certificate of its own, if no files are given.
    public var own = false
    /// The host names and IP addresses of the certificate, beside those that the machine has.
    public var names: [String] = []

    /// The defaults: no certificate is made.
    public init() {}

    /// The maximum number of names; a certificate with more would be too long for the handshake of a slow network.
    static let maximumNames = 100
}
