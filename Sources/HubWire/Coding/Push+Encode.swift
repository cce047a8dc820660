import HubAccountData
import HubEngine

extension PushSubscriptionRequest {
    func writeMembers(to params: inout JSONWriter) {
        switch self {
        case .key: break
        case .subscribe(let subscription): subscription.writeMembers(to: &params)
        case .unsubscribe(let endpoint): params.optional("endpoint", endpoint) { $0.value($1) }
        }
    }
}

extension PushSubscription {
    fileprivate func writeMembers(to params: inout JSONWriter) {
        params.member("endpoint", endpoint)
        params.object("keys") { keys in
            keys.member("p256dh", Base64URL.text(of: key))
            keys.member("auth", Base64URL.text(of: secret))
        }
        // In milliseconds, as in browsers.
        params.optional("expirationTime", expiresAt) { $0.value($1.nanoseconds / 1_000_000) }
    }
}
