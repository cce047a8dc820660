import enum HubWire.Base64URL

/// One key of a key set (RFC 7517 section 4) during parsing.
struct JWK {
    /// The result of parsing the key.
    enum ParsedKey {
        case key(VerificationKey)
        /// A key for another purpose, with a sentence about it.
        case ignored(String)
    }

    /// The shortest secret for HS256, in bytes (RFC 7518 section 3.2): as long as the digest.
    static let minimumSecretBytes = 32

    private let members: JSONObject
    private let id: String?
    /// The key's name in error messages: `keys[2] (kid "a")`.
    private let label: String

    /// Parses an element of the array `keys`.
    init(_ value: JSONValue, index: Int) throws(KeySetError) {
        guard let members = value.object else { throw KeySetError("keys[\(index)] must be an object.") }
        switch members["kid"] {
        case nil: id = nil
        case .string(let text) where !text.isEmpty: id = text
        default: throw KeySetError("keys[\(index)].kid must be a string with something in it.")
        }
        self.members = members
        label = "keys[\(index)]" + (id.map { " (kid \(quoted($0)))" } ?? "")
    }

    /// Parses the key material, unless the key is for another purpose.
    func parsed() throws(KeySetError) -> ParsedKey {
        if let purpose = try otherPurpose() { return .ignored("\(label) \(purpose).") }
        guard let kind = try kind() else {
            return .ignored("\(label) is of another kind than oct, RSA, EC with P-256 or OKP with Ed25519.")
        }
        if let name = try text("alg") {
            guard let algorithm = SigningAlgorithm(name: name) else {
                return .ignored("\(label) is for \(quoted(name)), not for HS256, RS256, ES256 or EdDSA.")
            }
            guard algorithm == kind else {
                throw fault("has the alg \(quoted(name)), which its kty does not fit; it must be \(kind.rawValue)")
            }
        }
        // Tokens of an issuer that has such a key beside others are not to be refused.
        if kind == .rs256, members["d"] == nil, try rsaKey() == nil {
            return .ignored("\(label) is an RSA key of another size than 2048 to 8192 bits.")
        }
        return .key(VerificationKey(id: id, algorithm: kind, material: try material(kind)))
    }

    /// The reason that the key is not for verifying signatures; nil if it is.
    private func otherPurpose() throws(KeySetError) -> String? {
        if let use = try text("use"), use != "sig" { return "is for the use \(quoted(use)), not for \"sig\"" }
        guard let value = members["key_ops"] else { return nil }
        guard let operations = value.strings, Set(operations).count == operations.count else {
            throw fault("has key_ops that are no array of different strings")
        }
        return operations.contains("verify") ? nil : "has key_ops without \"verify\""
    }

    /// The algorithm for the key's type and curve; nil for an unsupported one.
    private func kind() throws(KeySetError) -> SigningAlgorithm? {
        guard let type = try text("kty") else {
            throw fault("has no kty; it must be \"oct\", \"RSA\", \"EC\" or \"OKP\"")
        }
        switch type {
        case "oct": return .hs256
        case "RSA": return .rs256
        case "EC": return try text("crv") == "P-256" ? .es256 : nil
        case "OKP": return try text("crv") == "Ed25519" ? .edDSA : nil
        default: return nil
        }
    }

    private func material(_ kind: SigningAlgorithm) throws(KeySetError) -> VerificationKey.Material {
        guard kind == .hs256 || members["d"] == nil else {
            throw fault("has its private half \"d\"; the hub needs the public one, and the other is the issuer's alone")
        }
        switch kind {
        case .hs256:
            var secret = try bytes("k")
            defer { secret.wipe() }
            guard secret.count >= Self.minimumSecretBytes else {
                throw fault("has a secret of \(secret.count) bytes; HS256 needs \(Self.minimumSecretBytes) or more")
            }
            guard let memory = SecretBytes(secret, count: secret.count) else {
                throw fault("finds no memory that is fit for a secret")
            }
            return .secret(memory)
        case .rs256:
            guard let key = try rsaKey() else { throw fault("has n and e that are no RSA key") }
            return .publicKey(key)
        case .es256:
            guard let key = AsymmetricKey(p256Point: [4] + (try bytes("x", count: 32)) + (try bytes("y", count: 32)))
            else { throw fault("has x and y that are no point of P-256") }
            return .publicKey(key)
        case .edDSA:
            guard let key = AsymmetricKey(ed25519: try bytes("x", count: 32)) else {
                throw fault("has an x that is no valid public key of Ed25519")
            }
            return .publicKey(key)
        }
    }

    private func rsaKey() throws(KeySetError) -> AsymmetricKey? {
        AsymmetricKey(rsaModulus: try bytes("n"), exponent: try bytes("e"))
    }

    // MARK: Members

    private func text(_ name: String) throws(KeySetError) -> String? {
        switch members[name] {
        case nil: return nil
        case .string(let text): return text
        default: throw fault("has a \(name) that is no string")
        }
    }

    private func bytes(_ name: String, count: Int? = nil) throws(KeySetError) -> [UInt8] {
        guard let text = try text(name) else { throw fault("has no \(name)") }
        guard let bytes = Base64URL.bytes(of: text) else { throw fault("has a \(name) that is not base64url") }
        if let count, bytes.count != count {
            throw fault("has a \(name) of \(bytes.count) bytes; it must have \(count)")
        }
        return bytes
    }

    private func fault(_ reason: String) -> KeySetError { KeySetError("\(label) \(reason).") }
}
