import HubWire

/// The JSON objects of RFC 8555 section 7.1, each nil where a server sends something else.
protocol ACMEObject {
    /// The object's name in sentences.
    static var name: String { get }

    init?(_ json: JSONValue)
}

extension ACMEObject {
    /// Parses the body of a response.
    ///
    /// - Throws: `ACMEFailure.badAnswer` if it is something else.
    init(_ response: ACMEResponse) throws(ACMEFailure) {
        guard let document = try? JSONDocument(response.body), let object = Self(document.root) else {
            throw .badAnswer("sends something else than \(Self.name)")
        }
        self = object
    }
}

/// The URLs of a server's resources.
struct ACMEDirectory: ACMEObject, Hashable, Sendable {
    static let name = "a directory of https URLs"

    let newNonce: ACMEURL
    let newAccount: ACMEURL
    let newOrder: ACMEURL
    let termsOfService: String?
    let requiresExternalAccount: Bool

    init?(_ json: JSONValue) {
        guard let nonce = json.url("newNonce"), let account = json.url("newAccount"), let order = json.url("newOrder")
        else { return nil }
        (newNonce, newAccount, newOrder) = (nonce, account, order)
        termsOfService = json.member("meta")?.member("termsOfService")?.string
        requiresExternalAccount = json.member("meta")?.member("externalAccountRequired")?.flag ?? false
    }
}

/// An order for a certificate.
struct ACMEOrderObject: ACMEObject, Hashable, Sendable {
    static let name = "an order"
    /// The most authorizations of an order.
    private static let maximumAuthorizations = 2 * CheckedACMESettings.maximumDomains

    /// The state of an order (RFC 8555 section 7.1.6).
    enum Status: String {
        case pending, ready, processing, valid, invalid
    }

    let status: Status
    let authorizations: [ACMEURL]
    let finalize: ACMEURL
    let certificate: ACMEURL?
    let error: ACMEProblem?

    init?(_ json: JSONValue) {
        guard let status = json.member("status")?.string.flatMap(Status.init(rawValue:)),
            let finalize = json.url("finalize"), let list = json.member("authorizations"), list.isArray
        else { return nil }
        let elements = list.elements
        let authorizations = elements.compactMap { $0.string.flatMap(ACMEURL.init) }
        guard authorizations.count == elements.count, authorizations.count <= Self.maximumAuthorizations else {
            return nil
        }
        self.status = status
        self.authorizations = authorizations
        self.finalize = finalize
        certificate = json.url("certificate")
        error = json.member("error").flatMap(ACMEProblem.init)
    }
}

/// The authorization of an account for one name.
struct ACMEAuthorization: ACMEObject, Hashable, Sendable {
    static let name = "an authorization"

    /// The state of an authorization (RFC 8555 section 7.1.6).
    enum Status: String {
        case pending, valid, invalid, deactivated, expired, revoked
    }

    let domain: String
    let status: Status
    let challenges: [ACMEChallenge]

    init?(_ json: JSONValue) {
        guard let status = json.member("status")?.string.flatMap(Status.init(rawValue:)),
            let domain = json.member("identifier")?.member("value")?.string,
            let challenges = json.member("challenges"), challenges.isArray
        else { return nil }
        self.status = status
        self.domain = domain
        // Kinds that are not known here have members of their own.
        self.challenges = challenges.elements.compactMap(ACMEChallenge.init)
    }
}

/// One way to prove an authorization.
struct ACMEChallenge: Hashable, Sendable {
    let kind: ACMEChallengeKind
    let url: ACMEURL
    let token: String
    /// True until the client has asked for the validation.
    let isPending: Bool
    let error: ACMEProblem?

    init?(_ json: JSONValue) {
        guard let kind = json.member("type")?.string.flatMap(ACMEChallengeKind.init(rawValue:)),
            let url = json.url("url"), let token = json.member("token")?.string,
            (1...512).contains(token.utf8.count), token.utf8.allSatisfy(\.isBase64URL)
        else { return nil }
        self.kind = kind
        self.url = url
        self.token = token
        isPending = json.member("status")?.string == "pending"
        error = json.member("error").flatMap(ACMEProblem.init)
    }
}

extension JSONValue {
    /// Reads a member that is an https URL.
    func url(_ name: String) -> ACMEURL? { member(name)?.string.flatMap(ACMEURL.init) }
}
