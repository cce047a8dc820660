public import HubCrypto
public import HubWire

/// The passwords and passkeys of the hub's own accounts, for the users themselves.
public protocol CredentialService: Sendable {
    /// Executes a request without blocking the caller.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - account: The name of the account.
    ///   - actor: The session, for the audit log.
    ///   - lane: The lane in which a password waits for verification; nil: that of all exempt addresses.
    ///   - then: Called with the result, on any thread, before the change is applied to the account's sessions.
    func answer(
        _ request: CredentialRequest,
        of account: String,
        by actor: AuditActor,
        queueLane lane: String?,
        _ then: @escaping @Sendable (Result<CredentialReply, WireError>) -> Void
    )
}

/// A request about the credentials of an account.
public enum CredentialRequest: Sendable {
    /// Replaces the password by a new one.
    case setPassword(current: String, new: String)
    /// Verifies the password, or another passkey, unless the sign-in is fresh, before a passkey is made.
    case createPasskey(CredentialProof)
    /// Verifies and stores a passkey.
    case addPasskey(PasskeyRegistration, name: String, challenge: [UInt8], site: PasskeySite)
    /// Lists the passkeys.
    case listPasskeys
    /// Renames a passkey.
    case renamePasskey(id: [UInt8], to: String)
    /// Removes a passkey.
    case removePasskey(id: [UInt8])

    /// Indicates that the request has a password or a passkey's use to be verified.
    var hasProof: Bool {
        switch self {
        case .setPassword, .createPasskey(.password), .createPasskey(.passkey): true
        case .createPasskey(.freshSignIn), .addPasskey, .listPasskeys, .renamePasskey, .removePasskey: false
        }
    }

    /// Indicates that the request changes something, and so leaves an entry in the audit log.
    var changesSomething: Bool {
        switch self {
        case .setPassword, .addPasskey, .renamePasskey, .removePasskey: true
        case .createPasskey, .listPasskeys: false
        }
    }
}

/// The proof that a session is used by the account's user.
public enum CredentialProof: Sendable {
    /// The account's password.
    case password(String)
    /// The use of one of the account's passkeys, and what it is verified against.
    case passkey(PasskeySignIn)
    /// The session's sign-in, which is fresh.
    case freshSignIn
}

/// The result of a request about credentials.
public enum CredentialReply: Sendable {
    /// The password was replaced, and has this version.
    case passwordVersion(Int64)
    /// The password is right; the user handle of the account, and the IDs of its passkeys.
    case passkeyUser([UInt8], passkeys: [[UInt8]])
    /// The new passkey.
    case added(Passkey)
    /// The passkeys, the oldest first.
    case passkeys([Passkey])
    /// The request is done.
    case done
}
