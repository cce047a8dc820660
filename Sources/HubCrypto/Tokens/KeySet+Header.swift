/// The choice of the key by a token's header (RFC 8725).
extension KeySet {
    /// Returns the key that a token must be signed with.
    ///
    /// - Parameters:
    ///   - header: The token's header.
    ///   - types: The accepted values of `typ` in lower case, without `application/`; a header may have none.
    /// - Returns: The key, whose algorithm is the header's.
    /// - Throws: ``TokenError`` of a header that is not accepted.
    func key(for header: JSONObject, types: [String]) throws(TokenError) -> VerificationKey {
        if header["crit"] != nil { throw .criticalExtensions }
        if let type = header["typ"] {
            guard let name = type.string, Self.isAccepted(type: name, types) else { throw .wrongType }
        }
        guard let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init(name:)) else {
            throw .unknownAlgorithm
        }
        guard let id = header["kid"] else { return try onlyKey(for: algorithm) }
        guard let key = id.string.flatMap(key(named:)) else { throw .unknownKey }
        guard key.algorithm == algorithm else { throw .wrongAlgorithm }
        return key
    }

    private func onlyKey(for algorithm: SigningAlgorithm) throws(TokenError) -> VerificationKey {
        let fitting = keys.filter { $0.algorithm == algorithm }
        guard let key = fitting.first else { throw .unknownKey }
        guard fitting.count == 1 else { throw .ambiguousKey }
        return key
    }

    /// Indicates that a `typ` is accepted.
    ///
    /// Media types are case-insensitive, and may omit `application/` (RFC 7515 section 4.1.9).
    private static func isAccepted(type: String, _ types: [String]) -> Bool {
        let type = type.lowercased()
        return types.contains { $0.utf8.elementsEqual(type.utf8) || "application/\($0)".utf8.elementsEqual(type.utf8) }
    }
}
