import HubEngine

extension ACMEOrder {
    /// Takes the directory.
    mutating func takeDirectory(_ response: ACMEResponse, at time: Time) throws(ACMEFailure) -> [Command] {
        guard response.status == 200 else { throw ACMEFailure(response, at: time.date) }
        let directory = try ACMEDirectory(response)
        self.directory = directory
        guard account == nil else { return try beginOrder() }
        if directory.requiresExternalAccount { throw .externalAccountRequired }
        return try beginAccount()
    }

    /// Sends a signed request, after a request for a nonce if there is none.
    mutating func send(_ request: SignedRequest) throws(ACMEFailure) -> [Command] {
        guard let directory else { throw .badAnswer("has no directory") }
        guard let nonce else {
            step = .nonce(request)
            return [.send(ACMERequest(method: .head, url: directory.newNonce))]
        }
        self.nonce = nil
        let signer: JWS.Signer
        if case .account = request.purpose { signer = .key } else { signer = account.map(JWS.Signer.account) ?? .key }
        let body = JWS.signed(payload: request.payload, url: request.url, nonce: nonce, as: signer, with: accountKey)
        guard let body else { throw .noMemory }
        step = .answer(request)
        return [.send(ACMERequest(method: .post(body), url: request.url))]
    }

    /// Takes a nonce, and sends the request that it is for.
    mutating func takeNonce(
        _ response: ACMEResponse,
        for request: SignedRequest,
        at time: Time
    ) throws(ACMEFailure) -> [Command] {
        guard response.isSuccess else { throw ACMEFailure(response, at: time.date) }
        guard let nonce = response.usableNonce else { throw .badAnswer("sends no usable Replay-Nonce") }
        self.nonce = nonce
        return try send(request)
    }

    /// Takes the answer to a signed request.
    mutating func take(
        _ response: ACMEResponse,
        to request: SignedRequest,
        at time: Time
    ) throws(ACMEFailure) -> [Command] {
        nonce = response.usableNonce
        guard response.isSuccess else { return try takeRefusal(response, of: request, at: time) }
        nonceRetries = 0
        switch request.purpose {
        case .account: return try takeAccount(response)
        case .newOrder: return try takeNewOrder(response, at: time)
        case .storedOrder, .order, .finalization: return try takeOrder(response, at: time)
        case .authorization(let url): return try takeAuthorization(response, at: url, time)
        case .challenge(let url): return pause(before: authorizationRequest(url), response)
        case .certificate:
            step = .ended
            return [.finish(chain: response.body)]
        }
    }

    /// Takes a refusal: some are no failure.
    private mutating func takeRefusal(
        _ response: ACMEResponse,
        of request: SignedRequest,
        at time: Time
    ) throws(ACMEFailure) -> [Command] {
        let failure = ACMEFailure(response, at: time.date)
        switch (ACMEProblem(response).type, request.purpose) {
        case ("badNonce", _) where nonceRetries < Self.maximumNonceRetries:
            nonceRetries += 1
            return try send(request)
        case ("accountDoesNotExist", _) where !hasLostAccount && account != nil:
            (account, order, hasLostAccount) = (nil, nil, true)
            return [.storeAccount(nil), .storeOrder(nil)] + (try beginAccount())
        case ("orderNotReady", .finalization):
            isFinalized = false
            return pause(before: SignedRequest(purpose: .order, url: order ?? request.url), response)
        case (_, .storedOrder) where (400...499).contains(response.status) && response.status != 429:
            // The server has discarded it.
            order = nil
            return [.storeOrder(nil)] + (try beginOrder())
        default: throw failure
        }
    }

    /// Waits before a request, as long as the server says or else longer each time.
    mutating func pause(before request: SignedRequest, _ response: ACMEResponse) -> [Command] {
        polls += 1
        step = .pause(request)
        let own = min(250 << min(polls - 1, 6), 10_000)
        let wanted = response.retryAfter.map { min(max($0, 1), 60) * 1_000 }
        return [.wait(.milliseconds(wanted ?? own))]
    }
}
