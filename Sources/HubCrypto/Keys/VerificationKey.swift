/// A key that tokens are checked by: its algorithm is its own, whatever a token says.
struct VerificationKey: Sendable {
    /// What there is to check by.
    enum Material: Sendable {
        case secret(SecretMemory)
        case publicKey(AsymmetricKey)
    }

    /// The name that a token's header may choose it by.
    let id: String?
    let algorithm: SigningAlgorithm
    let material: Material

    /// Whether a signature is this key's of a message.
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
