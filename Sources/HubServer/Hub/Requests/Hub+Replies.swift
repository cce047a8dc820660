import HubEngine
import HubWire

/// Answers to clients' requests, at once or later.
extension Hub {
    // MARK: At once

    /// Sends the result of a request, or its error.
    func reply(_ outcome: Result<ReplyPayload, WireError>, to context: RequestContext) {
        switch outcome {
        case .success(let payload): reply(payload, to: context)
        case .failure(let error): refuse(error, to: context)
        }
    }

    /// Sends the result of a request.
    func reply(_ payload: ReplyPayload, to context: RequestContext) {
        send(.success(payload), to: context)
    }

    /// Sends the error of a request, and counts it.
    func refuse(_ error: WireError, to context: RequestContext) {
        count(error)
        if log.isEnabled(.debug) {
            log(.debug, "request refused", fields(of: context.connection) + [("code", "\(error.code.number)")])
        }
        send(.failure(error), to: context)
        if error.isProtocolViolation { countFault(of: context.connection) }
    }

    private func send(_ outcome: Result<ReplyPayload, WireError>, to context: RequestContext) {
        guard let id = context.id else { return }
        outgoing.removeAll(keepingCapacity: true)
        HubMessage.encode(replyTo: id, outcome, into: &outgoing)
        transport?.sendText(outgoing, to: context.connection, number: 0, isLast: false)
    }

    private func count(_ error: WireError) { metrics.counters.errors[error.code.number, default: 0] += 1 }

    // MARK: Later

    /// Answers a pending request; if its connection or session has ended, an error is counted and nothing is sent.
    func reply(_ outcome: Result<ReplyPayload, WireError>, to token: RequestToken) {
        if let request = pending.remove(token) {
            settleCalls(of: request.context, outcome)
            reply(outcome, to: request.context)
        } else if case .failure(let error) = outcome {
            count(error)
        }
    }

    /// Sends the engine's answer to a pending request.
    ///
    /// - Parameters:
    ///   - answer: The answer of the engine.
    ///   - token: The token of the request.
    /// - Returns: The session that the answer opens or resumes; nil: none.
    func send(_ answer: Reply, to token: RequestToken) -> ClientSession? {
        if case .opened(let session, _, let calls) = answer { return completeSignIn(session, calls: calls, by: token) }
        if let outcome = named(answer, to: token).outcome { reply(outcome, to: token) }
        return nil
    }
}
