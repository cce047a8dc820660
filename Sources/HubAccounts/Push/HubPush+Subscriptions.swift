import HubAccountData
import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// The subscriptions of an account's devices.
extension HubPush {
    func subscribe(
        _ subscription: PushSubscription,
        of device: PushDevice,
        _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
    ) {
        let now = sender.now
        let wanted = StoredPushSubscription(
            account: device.account,
            device: device.device,
            subscription: subscription,
            createdAt: now
        )
        if let refusal = refusal(of: subscription) { return then(.failure(refusal)) }
        store.perform(bytes: subscription.endpoint.utf8.count) { file throws(StoreError) -> Verdict in
            let kept = try file.subscriptions(of: device.account)
            if kept.contains(where: { $0.isSame(as: wanted) }) { return .old }
            guard kept.count(where: { $0.subscription.endpoint != subscription.endpoint }) < Self.maximumPerAccount
            else {
                return .tooMany
            }
            try file.put(wanted)
            return .new
        } then: { result in
            switch result {
            case .success(.new): then(.success(true))
            case .success(.old): then(.success(false))
            case .success(.tooMany):
                let message =
                    "the account has \(Self.maximumPerAccount) subscriptions, the maximum; push.unsubscribe ends some"
                then(.failure(PushRefusal(.tooMany, message)))
            case .failure(let failure): then(.failure(PushRefusal(.unavailable, failure.message)))
            }
        }
    }

    private enum Verdict: Sendable {
        case new
        case old
        case tooMany
    }

    private func refusal(of subscription: PushSubscription) -> PushRefusal? {
        do throws(PushError) {
            let endpoint = try PushRecipient(subscription).endpoint
            guard !services.admits(host: endpoint.host, port: endpoint.port) else { return nil }
            let place = endpoint.port == 443 ? endpoint.host : "\(endpoint.host):\(endpoint.port)"
            let message =
                "this hub sends no messages to \(place); params.endpoint must be of one of its push.services: "
            return PushRefusal(.notAllowed, message + services.entries.joined(separator: ", "))
        } catch .p256dh {
            return PushRefusal(
                .wrong,
                "params.keys.p256dh must be 65 bytes in base64url, an uncompressed point of P-256"
            )
        } catch {
            return PushRefusal(
                .wrong,
                "params.endpoint must be an https URL with a host name, without user and fragment"
            )
        }
    }

    func unsubscribe(
        _ endpoint: String?,
        of device: PushDevice,
        _ then: @escaping @Sendable (Result<Bool, PushRefusal>) -> Void
    ) {
        store.perform { file throws(StoreError) in
            let kept = try file.subscriptions(of: device.account)
            // A browser that has lost its device identifier still has its endpoint.
            let ended = kept.filter {
                endpoint == nil ? $0.device == device.device : $0.subscription.endpoint == endpoint
            }
            for stored in ended { try file.removeSubscription(stored.subscription.endpoint) }
            return !ended.isEmpty
        } then: { result in
            then(result.mapError { PushRefusal(.unavailable, $0.message) })
        }
    }

    func removeAccount(_ account: String) {
        store.perform { file throws(StoreError) in
            for stored in try file.subscriptions(of: account) {
                try file.removeSubscription(stored.subscription.endpoint)
            }
        } then: { _ in
            // After a failure the subscriptions are erased with the account's other data.
        }
    }

    /// The maximum number of subscriptions of an account.
    ///
    /// More: more browsers of one person get push messages; more messages for each call.
    private static let maximumPerAccount = 20
}

extension StoredPushSubscription {
    fileprivate func isSame(as other: Self) -> Bool {
        FoldedName(account) == FoldedName(other.account) && device == other.device
            && subscription.endpoint == other.subscription.endpoint && subscription.key == other.subscription.key
            && subscription.secret == other.subscription.secret
    }
}
