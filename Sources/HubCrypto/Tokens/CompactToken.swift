import enum HubWire.Base64URL

/// A parsed, unverified token in compact form (RFC 7515 section 7.1).
struct CompactToken {
    /// The header's members.
    let header: JSONObject
    /// The signing input: header and payload as they were received.
    let signed: [UInt8]
    let payload: [UInt8]
    let signature: [UInt8]

    /// Parses a token.
    ///
    /// - Parameter token: The bytes of the token; their number is limited by the caller.
    /// - Throws: ``TokenError`` if it is not in compact form, a part is not base64url, or the header is no JSON object.
    init(_ token: [UInt8]) throws(TokenError) {
        let parts = token.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty else { throw .notCompact }
        signed = Array(token[parts[0].startIndex..<parts[1].endIndex])
        let header = try Self.bytes(parts[0], .header)
        payload = try Self.bytes(parts[1], .payload)
        signature = try Self.bytes(parts[2], .signature)
        self.header = try Self.object(header, .header)
    }

    /// Signs a header and a payload.
    ///
    /// - Returns: The token; nil when OpenSSL has no memory left.
    static func signed(header: [UInt8], payload: [UInt8], with key: SigningKey) -> String? {
        let text = Base64URL.text(of: header) + "." + Base64URL.text(of: payload)
        let signature = key.signature(of: Array(text.utf8))
        return signature.isEmpty ? nil : text + "." + Base64URL.text(of: signature)
    }

    /// Parses the JSON object of a part.
    static func object(_ bytes: [UInt8], _ part: TokenError.Part) throws(TokenError) -> JSONObject {
        do {
            if let members = try JSONReader.value(of: bytes).object { return members }
        } catch {
            throw .notJSON(part, reason: error.reason)
        }
        throw .notJSON(part, reason: "is another kind of JSON")
    }

    private static func bytes(_ text: ArraySlice<UInt8>, _ part: TokenError.Part) throws(TokenError) -> [UInt8] {
        guard let bytes = Base64URL.bytes(of: text) else { throw .notBase64URL(part) }
        return bytes
    }
}
