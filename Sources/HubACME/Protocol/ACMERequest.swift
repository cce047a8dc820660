/// A request to an ACME server.
struct ACMERequest: Hashable, Sendable {
    /// The method, with the body where there is one.
    enum Method: Hashable, Sendable {
        case get
        case head
        /// A signed object, `application/jose+json`.
        case post([UInt8])
    }

    let method: Method
    let url: ACMEURL
}

/// The response of an ACME server, untrusted; its size was limited when it was read.
struct ACMEResponse: Hashable, Sendable {
    /// The longest body that is read, in bytes.
    static let maximumBodyBytes = 1 << 20
    /// The longest headers that are read, in bytes.
    static let maximumHeaderBytes = 1 << 16

    /// The HTTP status.
    var status: Int
    /// The header `Replay-Nonce`.
    var nonce: String?
    /// The header `Location`.
    var location: String?
    /// The header `Retry-After`, in seconds from now.
    var retryAfter: Int?
    var body: [UInt8]

    init(status: Int, nonce: String? = nil, location: String? = nil, retryAfter: Int? = nil, body: [UInt8] = []) {
        self.status = status
        self.nonce = nonce
        self.location = location
        self.retryAfter = retryAfter
        self.body = body
    }

    /// Indicates that the request was successful.
    var isSuccess: Bool { (200...299).contains(status) }

    /// The header `Replay-Nonce` if it is one (RFC 8555 section 6.5.1).
    var usableNonce: String? {
        guard let nonce, (1...512).contains(nonce.utf8.count), nonce.utf8.allSatisfy(\.isBase64URL) else { return nil }
        return nonce
    }
}

extension UInt8 {
    /// Indicates a character of the alphabet of base64url.
    var isBase64URL: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
