import HubCrypto
import HubEngine
import HubWire

extension ACMEOrder {
    // MARK: Account

    /// Asks for the account of the key, which is made if there is none (RFC 8555 section 7.3).
    mutating func beginAccount() throws(ACMEFailure) -> [Command] {
        guard let directory else { throw .badAnswer("has no directory") }
        let contact = settings.contact
        let payload = Self.json { json in
            json.member("termsOfServiceAgreed", true)
            if let contact { json.array("contact", [contact]) { $0.value($1) } }
        }
        let request = SignedRequest(purpose: .account, url: directory.newAccount, payload: payload)
        return (directory.termsOfService.map { [.noteTerms($0)] } ?? []) + (try send(request))
    }

    /// Takes the account's URL.
    mutating func takeAccount(_ response: ACMEResponse) throws(ACMEFailure) -> [Command] {
        guard let url = response.location.flatMap(ACMEURL.init) else {
            throw .badAnswer("sends no URL of the account")
        }
        account = url
        return [.storeAccount(url)] + (try beginOrder())
    }

    // MARK: Order

    /// Takes up the stored order, or asks for a new one.
    mutating func beginOrder() throws(ACMEFailure) -> [Command] {
        if let order { return try send(SignedRequest(purpose: .storedOrder, url: order)) }
        guard let directory else { throw .badAnswer("has no directory") }
        let domains = settings.domains
        let payload = Self.json { json in
            json.array("identifiers", domains) { json, domain in
                json.object { json in
                    json.member("type", "dns")
                    json.member("value", domain)
                }
            }
        }
        return try send(SignedRequest(purpose: .newOrder, url: directory.newOrder, payload: payload))
    }

    /// Takes the new order's URL and state.
    mutating func takeNewOrder(_ response: ACMEResponse, at time: Time) throws(ACMEFailure) -> [Command] {
        guard let url = response.location.flatMap(ACMEURL.init) else { throw .badAnswer("sends no URL of the order") }
        order = url
        return [.storeOrder(url)] + (try takeOrder(response, at: time))
    }

    /// Takes the order's state.
    mutating func takeOrder(_ response: ACMEResponse, at time: Time) throws(ACMEFailure) -> [Command] {
        let object = try ACMEOrderObject(response)
        guard let url = order else { throw .badAnswer("sends an order that is not known") }
        switch object.status {
        case .pending where polls == 0:
            authorizations = object.authorizations
            return try nextAuthorization()
        // A server may show the state from before it has read the request.
        case .ready where isFinalized: return pause(before: SignedRequest(purpose: .order, url: url), response)
        case .pending, .processing: return pause(before: SignedRequest(purpose: .order, url: url), response)
        case .ready: return try finalize(object)
        case .valid:
            guard let certificate = object.certificate else { throw .badAnswer("sends no URL of the certificate") }
            return try send(SignedRequest(purpose: .certificate, url: certificate))
        case .invalid:
            order = nil
            step = .ended
            let failure = object.error.map { ACMEFailure($0, at: time.date) }
            let unnamed = ACMEFailure.refused(type: "invalid order", "")
            return [.storeOrder(nil), .fail(failure ?? unnamed, retryAfter: response.retryAfter)]
        }
    }

    private mutating func finalize(_ object: ACMEOrderObject) throws(ACMEFailure) -> [Command] {
        guard let request = CertificateRequest.der(for: settings.domains, key: certificateKey) else { throw .noMemory }
        (polls, isFinalized) = (1, true)
        let payload = Self.json { $0.member("csr", Base64URL.text(of: request)) }
        return try send(SignedRequest(purpose: .finalization, url: object.finalize, payload: payload))
    }

    // MARK: Authorizations

    /// Asks for the next authorization; after the last one, for the order.
    private mutating func nextAuthorization() throws(ACMEFailure) -> [Command] {
        polls = 0
        if let next = authorizations.first { return try send(authorizationRequest(next)) }
        // From here on the order is polled.
        polls = 1
        guard let order else { throw .badAnswer("sends an order that is not known") }
        return try send(SignedRequest(purpose: .order, url: order))
    }

    func authorizationRequest(_ url: ACMEURL) -> SignedRequest {
        SignedRequest(purpose: .authorization(url), url: url)
    }

    /// Takes an authorization's state, and answers its challenge if it waits for that.
    mutating func takeAuthorization(
        _ response: ACMEResponse,
        at url: ACMEURL,
        _ time: Time
    ) throws(ACMEFailure) -> [Command] {
        let authorization = try ACMEAuthorization(response)
        switch authorization.status {
        case .valid:
            authorizations.removeAll { $0 == url }
            return try nextAuthorization()
        case .pending:
            guard polls == 0 else { return pause(before: authorizationRequest(url), response) }
            return try answer(authorization, at: url, response)
        case .invalid, .deactivated, .expired, .revoked:
            order = nil
            step = .ended
            let challenge = authorization.challenges.first { $0.error != nil }
            let failure = ACMEFailure(
                challenge?.error,
                of: challenge?.kind,
                domain: authorization.domain,
                at: time.date
            )
            return [.storeOrder(nil), .fail(failure, retryAfter: response.retryAfter)]
        }
    }

    /// Publishes the answer to a challenge, and asks the server to validate it.
    private mutating func answer(
        _ authorization: ACMEAuthorization,
        at url: ACMEURL,
        _ response: ACMEResponse
    ) throws(ACMEFailure) -> [Command] {
        guard settings.domains.contains(authorization.domain.lowercased()) else {
            throw .badAnswer("wants a proof of \(shown(authorization.domain)), which was not ordered")
        }
        // A validation that an earlier attempt has begun goes on with its own challenge.
        let begun = authorization.challenges.first { !$0.isPending && challenges.contains($0.kind) }
        let wanted = challenges.lazy.compactMap { kind in authorization.challenges.first { $0.kind == kind } }
        guard let challenge = begun ?? wanted.first else { throw .noKnownChallenge(domain: authorization.domain) }
        let answer = ChallengeAnswer(
            kind: challenge.kind,
            domain: authorization.domain.lowercased(),
            token: challenge.token,
            keyAuthorization: "\(challenge.token).\(accountKey.id)"
        )
        if begun != nil { return [.publish(answer)] + pause(before: authorizationRequest(url), response) }
        let request = SignedRequest(purpose: .challenge(url), url: challenge.url, payload: "{}")
        return [.publish(answer)] + (try send(request))
    }

    /// Writes an object.
    private static func json(_ body: (inout JSONWriter) -> Void) -> String {
        var bytes: [UInt8] = []
        JSONWriter.write(into: &bytes) { $0.object(body) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
