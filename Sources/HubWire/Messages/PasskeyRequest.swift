public import HubEngine

/// A request about passkeys (docs/protocol.md, Passkeys).
///
/// The server handles it, not the engine.
public enum PasskeyRequest: Hashable, Sendable {
    /// `passkey.challenge`, before the sign-in.
    case challenge
    /// `passkeys.confirm`.
    case confirm
    /// `passkeys.create`, with what shows that the account's user asks for it.
    indirect case create(UserConfirmation)
    /// `passkeys.add`.
    indirect case add(PasskeyRegistration, name: String)
    /// `passkeys.list`.
    case list
    /// `passkeys.rename`.
    case rename(id: [UInt8], to: String)
    /// `passkeys.remove`.
    case remove(id: [UInt8])
}

/// The proof that a session is used by the account's user, and not by somebody who has found it open.
public enum UserConfirmation: Hashable, Sendable {
    /// The account's password.
    case password(String)
    /// A use of one of the account's passkeys, which signs the challenge of `passkeys.confirm`.
    case passkey(PasskeyAssertion)
    /// The session's own sign-in, for which the OpenID provider has just authenticated the user.
    case freshSignIn
}

/// A new passkey, as a browser returns it from `navigator.credentials.create` (WebAuthn section 7.1).
public struct PasskeyRegistration: Hashable, Sendable {
    /// The browser's word for page and challenge: JSON.
    public var clientData: [UInt8]
    /// The authenticator's answer: CBOR.
    public var attestationObject: [UInt8]

    /// Creates a registration from its parts.
    public init(clientData: [UInt8], attestationObject: [UInt8]) {
        (self.clientData, self.attestationObject) = (clientData, attestationObject)
    }
}

/// The use of a passkey, as a browser returns it from `navigator.credentials.get` (WebAuthn section 7.2).
public struct PasskeyAssertion: Hashable, Sendable {
    /// The ID of the credential.
    public var credential: [UInt8]
    /// The browser's word for page and challenge: JSON.
    public var clientData: [UInt8]
    /// The authenticator's word for site, user and counter.
    public var authenticatorData: [UInt8]
    /// The signature of authenticator data and the hash of the client data.
    public var signature: [UInt8]
    /// The user that the server had named at the registration.
    public var userHandle: [UInt8]

    /// Creates an assertion from its parts.
    public init(
        credential: [UInt8],
        clientData: [UInt8],
        authenticatorData: [UInt8],
        signature: [UInt8],
        userHandle: [UInt8]
    ) {
        (self.credential, self.clientData, self.userHandle) = (credential, clientData, userHandle)
        (self.authenticatorData, self.signature) = (authenticatorData, signature)
    }
}

/// A challenge, which can be used once.
public struct PasskeyChallenge: Hashable, Sendable {
    /// 32 random bytes.
    public var challenge: [UInt8]
    /// The host name of the page, WebAuthn's ID of the relying party.
    public var site: String
    /// The seconds until it expires.
    public var timeoutSeconds: Int

    /// Creates a challenge from its parts.
    public init(_ challenge: [UInt8], site: String, timeoutSeconds: Int) {
        (self.challenge, self.site, self.timeoutSeconds) = (challenge, site, timeoutSeconds)
    }
}

/// The options with which a browser makes a passkey.
public struct PasskeyCreation: Hashable, Sendable {
    /// The challenge.
    public var challenge: PasskeyChallenge
    /// The user handle, by which authenticators know the account.
    public var userID: [UInt8]
    /// The name of the account.
    public var account: String
    /// The name that the user is shown.
    public var displayName: String
    /// The numbers of the accepted algorithms in COSE, the preferred one first.
    public var algorithms: [Int]
    /// The credentials that the account has already.
    public var exclude: [[UInt8]]

    /// Creates options from their parts.
    public init(
        _ challenge: PasskeyChallenge,
        userID: [UInt8],
        account: String,
        displayName: String,
        algorithms: [Int],
        exclude: [[UInt8]]
    ) {
        (self.challenge, self.userID, self.account) = (challenge, userID, account)
        (self.displayName, self.algorithms, self.exclude) = (displayName, algorithms, exclude)
    }
}

/// A passkey of an account, in a list.
public struct Passkey: Hashable, Sendable {
    /// The ID of the credential.
    public var id: [UInt8]
    /// The host name of the hub that it is for.
    public var site: String
    /// The name that the user has given.
    public var name: String
    /// The time of the registration.
    public var createdAt: Instant
    /// The time of the last sign-in by it; nil: none.
    public var lastUsedAt: Instant?

    /// Creates a passkey from its parts.
    public init(id: [UInt8], site: String, name: String, createdAt: Instant, lastUsedAt: Instant? = nil) {
        (self.id, self.site, self.name) = (id, site, name)
        (self.createdAt, self.lastUsedAt) = (createdAt, lastUsedAt)
    }
}

/// The result of a request about passkeys.
public enum PasskeyReply: Hashable, Sendable {
    /// The result of `passkey.challenge` and `passkeys.confirm`.
    case challenge(PasskeyChallenge)
    /// The result of `passkeys.create`.
    indirect case creation(PasskeyCreation)
    /// The result of `passkeys.add`.
    indirect case added(Passkey)
    /// The result of `passkeys.list`, the oldest first.
    case list([Passkey])
}
