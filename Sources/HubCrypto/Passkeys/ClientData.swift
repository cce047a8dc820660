import HubWire

/// The client data of a ceremony (WebAuthn section 5.8.1): the browser's word for the page and the challenge.
struct ClientData {
    let type: String
    let challenge: [UInt8]
    let origin: String
    let isCrossOrigin: Bool

    /// The longest accepted text in bytes.
    ///
    /// More: no use; browsers send about 130 bytes, and may add members.
    static let maximumBytes = 4_096

    /// Parses the JSON text; members that are not known are ignored, as the standard requires.
    init(_ json: [UInt8]) throws(PasskeyError) {
        guard json.count <= Self.maximumBytes, let members = (try? JSONReader.value(of: json))?.object,
            let type = members["type"]?.string, let origin = members["origin"]?.string,
            let challenge = members["challenge"]?.string.flatMap({ Base64URL.bytes(of: $0.utf8) })
        else { throw .malformed("client data") }
        (self.type, self.challenge, self.origin) = (type, challenge, origin)
        switch members["crossOrigin"] {
        case nil, .boolean(false): isCrossOrigin = members["topOrigin"] != nil
        case .boolean(true): isCrossOrigin = true
        default: throw .malformed("client data")
        }
    }

    /// Checks that the client data is of a ceremony.
    ///
    /// - Parameters:
    ///   - type: `webauthn.create` or `webauthn.get`.
    ///   - challenge: The server's challenge.
    ///   - site: The site of the connection.
    /// - Throws: `PasskeyError` for the first part that is another one.
    func check(_ type: String, _ challenge: [UInt8], at site: PasskeySite) throws(PasskeyError) {
        guard self.type == type else { throw .wrongType }
        guard ConstantTime.equal(self.challenge, challenge) else { throw .wrongChallenge }
        // A browser writes origins in lower case; another spelling is none of a browser's.
        guard Array(origin.utf8) == Array(site.origin.utf8) else { throw .wrongOrigin }
        guard !isCrossOrigin else { throw .crossOrigin }
    }
}
