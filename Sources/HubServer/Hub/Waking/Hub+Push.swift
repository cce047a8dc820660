import HubEngine
import HubWire

/// Push notifications: the subscriptions of devices, and the pushes of the engine.
extension Hub {
    /// Answers a client, when its changes are persisted.
    func answer(_ request: PushRequest, of session: ClientSession) {
        guard let service = services.push else {
            return refuse(WireError(.notFound, "this hub wakes nobody; keep the connection open to be called"))
        }
        guard session.onlyCallee == nil else {
            return refuse(
                WireError(.notAllowed, "a guest is called by nobody, and so not woken; sign in to an account")
            )
        }
        let device = PushDevice(account: session.account, device: session.device.id ?? "")
        switch request {
        case .key: reply(.success(.pushKey(service.key)))
        case .subscribe(let subscription): service.subscribe(subscription, of: device, replyLater())
        case .unsubscribe(let endpoint): service.unsubscribe(endpoint, of: device, replyLater())
        }
    }

    /// Returns a function that answers the current request later, from any thread.
    private func replyLater() -> @Sendable (Result<Bool, PushRefusal>) -> Void {
        guard let asking else { return { _ in } }
        let (connection, id) = (asking.connection, asking.id)
        return { [thread = ground?.thread] result in
            thread?.run { hub in
                hub.asking = Asking(connection: connection, id: id)
                defer { hub.asking = nil }
                switch result {
                case .success(let isNew): hub.reply(.success(isNew ? .done : .ignored))
                case .failure(let refusal): hub.refuse(WireError(refusal))
                }
            }
        }
    }

    /// Removes the push subscriptions of accounts.
    func forgetSubscriptions(of accounts: [String]) {
        for account in accounts { services.push?.forget(account) }
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
