public import HubEngine
public import HubWire

/// A passkey of an account.
public struct StoredPasskey: Hashable, Sendable {
    /// The ID of the credential, unique in the hub.
    public var id: [UInt8]
    /// The host name of the hub that it is for.
    public var site: String
    /// The name that the user has given.
    public var name: String
    /// The algorithm's number in COSE.
    public var algorithm: Int
    /// The public key, in the form of its algorithm.
    public var publicKey: [UInt8]
    /// The signature counter of the last use; 0: the authenticator has none.
    public var counter: UInt32
    /// The time of the registration.
    public var createdAt: Instant
    /// The time of the last sign-in by it; nil: none.
    public var lastUsedAt: Instant?

    /// Creates a passkey that was not used yet.
    public init(
        id: [UInt8],
        site: String,
        name: String,
        algorithm: Int,
        publicKey: [UInt8],
        counter: UInt32,
        createdAt: Instant
    ) {
        (self.id, self.site, self.name, self.algorithm) = (id, site, name, algorithm)
        (self.publicKey, self.counter, self.createdAt) = (publicKey, counter, createdAt)
    }
}

/// A passkey with its account, for the verification of a sign-in.
public struct PasskeyOwner: Hashable, Sendable {
    /// The passkey.
    public var passkey: StoredPasskey
    /// The name of the account.
    public var account: String
    /// The user handle by which authenticators know the account.
    public var user: [UInt8]
    /// The version of the account's password, which ends the sessions of earlier ones.
    public var passwordVersion: Int64
}

extension AuditAct {
    /// Describes an act on a passkey, which the first characters of its ID name.
    ///
    /// - Parameters:
    ///   - name: The name of the act.
    ///   - id: The ID of the credential.
    ///   - account: The name of the account.
    public init(_ name: String, passkey id: [UInt8], of account: String) {
        self.init(name, on: account, String(Base64URL.text(of: id).prefix(12)))
    }
}
