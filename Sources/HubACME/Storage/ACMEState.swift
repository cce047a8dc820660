import FoundationEssentials

/// The state of an ACME client that outlives the process, beside its keys and the certificate.
struct ACMEState: Codable, Hashable {
    /// An order that is not over.
    struct Order: Codable, Hashable {
        /// The private key of the certificate, PKCS #8 in DER.
        var key: Data
        var domains: [String]
        /// The order's URL; nil: the server has not been asked yet.
        var url: String?
    }

    /// The URL of the directory that account and order belong to.
    var directory: String
    var account: String?
    var order: Order?
    /// The number of failures one after the other.
    var failures = 0
    /// The date before which no request is sent, in seconds since 1970; nil: at once.
    var retryAt: Int64?
    /// The last failure, as a sentence.
    var failure: String?
    /// The kind of challenge to begin with; nil: the first of the settings.
    var challenge: String?
    /// The directory that has issued the certificate.
    var issuer: String?
    /// The date at which the certificate was received, in seconds since 1970.
    var received: Int64?

    init(directory: String) { self.directory = directory }
}
