/// A key that verifies tokens, with an algorithm of its own that the token cannot override.
struct VerificationKey: Sendable {
    /// The key material.
    enum Material: Sendable {
        case secret(SecretBytes)
        case publicKey(AsymmetricKey)
    }

    /// The key ID that a token's header refers to (`kid`).
    let id: String?
    let algorithm: SigningAlgorithm
    let material: Material

    /// Indicates that a signature of a message was made with this key.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .secret(let secret):
            let right = secret.withBytes { HMAC.sha256(message, key: $0) }
            return right.count == 32 && ConstantTime.equal(signature, right)
        case .publicKey(let key):
            return key.verifies(signature, of: message)
        }
    }
}
