import Foundation
import HubAccountData
import HubEngine
import HubServer

/// The calls that push messages were sent for, until their devices are notified that the call is over.
///
/// A device is notified of the end only if its service has accepted the message of the call, and after it.
final class PushCalls: @unchecked Sendable {
    /// A call's identity: the account that is called, and its UUID for the call.
    struct CallKey: Hashable, Sendable {
        let account: String
        let call: CallUUID
    }

    private struct Call {
        /// True if the call was missed, false if it ended otherwise; nil: it is still ringing.
        var isMissed: Bool?
        /// Indicates that messages were handed to the sender for all subscriptions.
        var isFullyQueued = false
        /// The endpoints that a message was sent to, with any outcome: none gets a second one.
        var sentEndpoints: Set<String> = []
        /// The messages whose outcome is pending, by endpoint.
        var inFlight: [String: PushSender.Receipt] = [:]
        /// The subscriptions whose service has accepted the message.
        var delivered: [PushSubscription] = []
    }

    private let lock = NSLock()
    private var calls: [CallKey: Call] = [:]

    /// Begins or continues a call; what is recorded of it already stays.
    func begin(_ name: CallKey) {
        lock.withLock { calls[name, default: Call()].isFullyQueued = false }
    }

    /// Sends a message of a call, unless the call is over or the endpoint has had one already.
    ///
    /// - Parameters:
    ///   - name: The call's identity.
    ///   - endpoint: The endpoint of the subscription.
    ///   - send: Hands the message to the sender.
    func send(_ name: CallKey, to endpoint: String, _ send: () -> PushSender.Receipt) {
        // Under the lock, since the sender may report the outcome at once, on its own thread.
        lock.withLock {
            guard let call = calls[name], call.isMissed == nil,
                calls[name]?.sentEndpoints.insert(endpoint).inserted == true
            else { return }
            calls[name]?.inFlight[endpoint] = send()
        }
    }

    /// Notes that all messages of a call were handed to the sender.
    func noteAllQueued(_ name: CallKey) {
        lock.withLock {
            calls[name]?.isFullyQueued = true
            removeIfDone(name)
        }
    }

    /// Records the outcome of a message.
    ///
    /// - Parameters:
    ///   - name: The call's identity.
    ///   - subscription: The subscription that the message was sent to.
    ///   - isDelivered: True if the push service has accepted the message.
    /// - Returns: Nil unless the call is over and the device must be notified of it; then true if the call was missed.
    func noteOutcome(_ name: CallKey, _ subscription: PushSubscription, isDelivered: Bool) -> Bool? {
        lock.withLock {
            calls[name]?.inFlight[subscription.endpoint] = nil
            guard isDelivered, let call = calls[name] else {
                removeIfDone(name)
                return nil
            }
            if let isMissed = call.isMissed {
                removeIfDone(name)
                return isMissed
            }
            calls[name]?.delivered.append(subscription)
            return nil
        }
    }

    /// Ends a call.
    ///
    /// - Parameters:
    ///   - name: The call's identity.
    ///   - isMissed: True if the call was not answered.
    /// - Returns: The subscriptions to notify now, and the pending messages to withdraw.
    func end(_ name: CallKey, isMissed: Bool) -> (delivered: [PushSubscription], inFlight: [PushSender.Receipt]) {
        lock.withLock {
            guard let call = calls[name] else { return ([], []) }
            calls[name]?.isMissed = isMissed
            calls[name]?.delivered = []
            removeIfDone(name)
            return (call.delivered, Array(call.inFlight.values))
        }
    }

    private func removeIfDone(_ name: CallKey) {
        guard let call = calls[name], call.isFullyQueued, call.isMissed != nil, call.inFlight.isEmpty else { return }
        calls[name] = nil
    }
}
