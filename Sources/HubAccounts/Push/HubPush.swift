import Foundation
import HubAccountData
import HubConfiguration
import HubCrypto
import HubEngine
import HubServer
import HubStore
import HubWire

/// Sends Web Push messages to devices: subscriptions are in the store, messages are encrypted here.
///
/// HubServer's `PushSender` transmits them.
final class HubPush: PushService {
    let store: Store
    let services: PushServiceList
    private let authorization: PushAuthorization
    let sender: PushSender
    private let calls = PushCalls()
    private let rateLimits: PushRateLimits
    /// A thread for encryption: a fraction of a millisecond each is long for the hub's loop and for the store.
    private let worker = LowPriorityWorker("callhub-encrypt", maximumQueuedJobs: 1_000)

    let key: [UInt8]

    /// Loads or generates the key, and prepares the sender.
    ///
    /// - Parameters:
    ///   - settings: The allowed push services and the limits.
    ///   - contact: The contact of the settings, for the push services (RFC 8292).
    ///   - store: The store of the subscriptions and of the key.
    ///   - log: The log for the outcomes of messages.
    /// - Throws: `ServeError` if the key cannot be loaded or generated, or the contact or the
    ///   certificate file is invalid.
    init(_ settings: PushSettings, contact: String, _ store: Store, _ log: HubLog) throws(ServeError) {
        self.store = store
        services = PushServiceList(settings.services)
        rateLimits = PushRateLimits(
            toAccountPerMinute: settings.messagesToAccountPerMinute,
            byCallerPerMinute: settings.messagesByCallerPerMinute
        )
        do {
            let stored = try store.secret(Self.secret) { SigningKey.generate(.es256)?.stored ?? [] }
            guard let key = SigningKey(stored: stored) else { throw PushError.key }
            authorization = try PushAuthorization(key: key, contact: contact)
            sender = try PushSender(certificateAuthority: settings.certificateAuthority, log: log)
        } catch {
            throw ServeError("\(error)")
        }
        key = Base64URL.bytes(of: authorization.publicKey) ?? []
    }

    /// Stops encrypting and sending.
    func stop() {
        worker.end()
        sender.stop()
    }

    var statistics: PushStatistics {
        var statistics = sender.statistics
        statistics.outcomes[.limited] = rateLimits.refusedCount
        return statistics
    }

    // MARK: Push messages

    func sendPush(_ pushRequest: PushRequest) {
        let name = PushCalls.CallKey(account: pushRequest.account, call: pushRequest.callUUID)
        calls.begin(name)
        store.read { file throws(StoreError) in
            try file.subscriptions(of: pushRequest.account)
        } then: { [weak self] result in
            guard let self else { return }
            // If the store cannot be read no message is sent; the store reports the error itself.
            let wanted = ((try? result.get()) ?? []).filter { !pushRequest.quietDevices.contains($0.device) }
                .map(\.subscription)
            // A queue for each account: one that is called all the time delays no other account's messages.
            let answer = worker.add(of: pushRequest.account, orDrop: { self.calls.noteAllQueued(name) }) {
                let text = PushPayload.call(pushRequest)
                let granted = self.rateLimits.take(wanted.count, for: pushRequest, at: self.sender.now)
                for subscription in wanted.prefix(granted) {
                    self.sendMessage(subscription, text, of: name, until: pushRequest.expiresAt)
                }
                self.calls.noteAllQueued(name)
            }
            if answer != .queued { calls.noteAllQueued(name) }
        }
    }

    /// Sends a message of a call to one device.
    private func sendMessage(
        _ subscription: PushSubscription,
        _ text: [UInt8],
        of name: PushCalls.CallKey,
        until end: Instant
    ) {
        guard let post = post(text, to: subscription, of: name.call, until: end) else { return }
        calls.send(name, to: subscription.endpoint) {
            sender.send(post) { [weak self] outcome in
                guard let self else { return }
                note(outcome, of: subscription)
                if let isMissed = calls.noteOutcome(name, subscription, isAccepted: outcome == .accepted) {
                    sendCallEnded([subscription], name, isMissed: isMissed)
                }
            }
        }
    }

    func cancelPush(_ account: String, _ call: CallUUID, isMissed: Bool) {
        let name = PushCalls.CallKey(account: account, call: call)
        let (accepted, inFlight) = calls.end(name, isMissed: isMissed)
        for submission in inFlight { sender.withdraw(submission) }
        sendCallEnded(accepted, name, isMissed: isMissed)
    }

    private func sendCallEnded(_ accepted: [PushSubscription], _ name: PushCalls.CallKey, isMissed: Bool) {
        guard !accepted.isEmpty else { return }
        _ = worker.add(of: name.account) { [weak self] in
            guard let self else { return }
            let text = PushPayload.over(name.call, isMissed: isMissed)
            for subscription in accepted {
                guard
                    let post = post(text, to: subscription, of: name.call, until: sender.now + Self.callEndedTimeToLive)
                else {
                    continue
                }
                _ = sender.send(post) { [weak self] in self?.note($0, of: subscription) }
            }
        }
    }

    /// Encrypts a message for a subscription; nil if the subscription or its service is not allowed or unusable.
    private func post(
        _ text: [UInt8],
        to subscription: PushSubscription,
        of call: CallUUID,
        until end: Instant
    ) -> OutgoingPushMessage? {
        guard let target = try? PushRecipient(subscription),
            services.admits(host: target.endpoint.host, port: target.endpoint.port),
            let message = try? PushMessage(text, for: target, paddedTo: PushPayload.paddedBytes),
            let header = try? authorization.header(for: target.endpoint, at: Date())
        else { return nil }
        return OutgoingPushMessage(
            host: target.endpoint.host,
            port: target.endpoint.port,
            path: target.endpoint.path,
            authorization: header,
            topic: PushPayload.topic(call),
            expiresAt: end,
            body: message.body
        )
    }

    private func note(_ outcome: PushOutcome, of subscription: PushSubscription) {
        let endpoint = subscription.endpoint
        switch outcome {
        case .gone:
            store.perform { file throws(StoreError) in
                try file.removeSubscription(endpoint)
            } then: { _ in
                // If it failed, the next call to the account tries again.
            }
        case .accepted:
            store.perform { file throws(StoreError) in
                try file.recordUse(of: endpoint)
            } then: { _ in
                // The time of use only appears in the account's export.
            }
        case .refused, .failed, .late, .withdrawn, .dropped, .limited: break
        }
    }

    /// The key's name in the store.
    private static let secret = "push-key"

    /// Longer: a device that is offline for longer still removes the ended call from its screen.
    private static let callEndedTimeToLive = Duration.seconds(60)
}
