/// A reason to reject a passkey's registration or its use.
public enum PasskeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A part does not have the form that WebAuthn prescribes.
    case malformed(String)
    /// The client data is of the other ceremony.
    case wrongType
    /// The challenge is another one.
    case wrongChallenge
    /// The page is another one.
    case wrongOrigin
    /// The page was embedded in one of another origin.
    case crossOrigin
    /// The passkey is another server's.
    case wrongRelyingParty
    /// Nobody has touched the authenticator.
    case userNotPresent
    /// The authenticator has not verified its user by a PIN, a finger or a face.
    case userNotVerified
    /// The algorithm is none of ES256 and EdDSA with Ed25519.
    case unsupportedAlgorithm
    /// The public key is none of its curve.
    case invalidKey
    /// The signature does not fit.
    case wrongSignature
    /// The passkey is another user's.
    case wrongUser
    /// The signature counter has not increased: the authenticator may have been cloned.
    case counterWentBack

    /// The fault, in one sentence.
    public var description: String {
        switch self {
        case .malformed(let part): "The \(part) of the passkey is malformed; it must be as WebAuthn Level 2 has it."
        case .wrongType: "The client data is of another ceremony; its type must be that of this one."
        case .wrongChallenge: "The client data has another challenge; it must be the server's last one."
        case .wrongOrigin: "The client data is of another page; its origin must be that of the connection."
        case .crossOrigin: "The page was embedded in another site's; open it by itself."
        case .wrongRelyingParty: "The passkey is of another server; make one for this one."
        case .userNotPresent: "Nobody has touched the authenticator; the flag UP must be set."
        case .userNotVerified: "The authenticator has not verified its user; the flag UV must be set."
        case .unsupportedAlgorithm: "The passkey has another algorithm; it must be ES256 or EdDSA with Ed25519."
        case .invalidKey: "The passkey has a public key that is not on its curve."
        case .wrongSignature: "The signature does not fit the passkey."
        case .wrongUser: "The passkey is of another user."
        case .counterWentBack: "The signature counter has gone back; the authenticator may have been copied."
        }
    }
}
