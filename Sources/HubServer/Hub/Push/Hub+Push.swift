import HubEngine
import HubWire

/// Push notifications: the subscriptions of devices, and the pushes of the engine.
extension Hub {
    /// Answers a client, when its changes are persisted.
    func answer(_ request: PushSubscriptionRequest, of session: ClientSession, _ context: RequestContext) {
        guard let service = services.push else {
            let message = "this hub sends no push messages; keep the connection open to be called"
            return refuse(WireError(.notFound, message), to: context)
        }
        guard session.onlyCallee == nil else {
            let message = "guests cannot be called and receive no push messages; sign in to an account"
            return refuse(WireError(.notAllowed, message), to: context)
        }
        let device = PushDevice(account: session.account, device: session.device.id ?? "")
        switch request {
        case .key: reply(.pushKey(service.key), to: context)
        case .subscribe(let subscription): service.subscribe(subscription, of: device, deferredReply(to: context))
        case .unsubscribe(let endpoint): service.unsubscribe(endpoint, of: device, deferredReply(to: context))
        }
    }

    /// Returns a function that answers a request later, from any thread.
    private func deferredReply(to context: RequestContext) -> @Sendable (Result<Bool, PushRefusal>) -> Void {
        pending.insert(context)
        return { [thread = transport?.thread, token = context.token] result in
            thread?.run { hub in
                hub.reply(result.map { $0 ? .done : .ignored }.mapError { WireError($0) }, to: token)
            }
        }
    }
}

extension WireError {
    /// Converts the refusal of a subscription.
    fileprivate init(_ refusal: PushRefusal) {
        switch refusal.kind {
        case .wrong: self.init(.general(.invalidArgument), refusal.message)
        case .notAllowed: self.init(.notAllowed, refusal.message)
        case .tooMany: self.init(.tooMany, refusal.message)
        case .unavailable: self.init(.storeFailed, refusal.message, retryAfterSeconds: 5)
        }
    }
}
