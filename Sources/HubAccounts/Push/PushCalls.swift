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
        var inFlight: [String: PushSender.SubmissionID] = [:]
        /// The subscriptions whose service has accepted the message.
        var accepted: [PushSubscription] = []
    }

    private let lock = NSLock()
    private var calls: [CallKey: Call] = [:]

    /// Begins or continues a call; what is recorded of it already stays.
    func begin(_ key: CallKey) {
        lock.withLock { calls[key, default: Call()].isFullyQueued = false }
    }

    /// Sends a message of a call, unless the call is over or the endpoint has had one already.
    ///
    /// - Parameters:
    ///   - key: The call's identity.
    ///   - endpoint: The endpoint of the subscription.
    ///   - send: Hands the message to the sender.
    func send(_ key: CallKey, to endpoint: String, _ send: () -> PushSender.SubmissionID) {
        // Under the lock, since the sender may report the outcome at once, on its own thread.
        lock.withLock {
            guard let call = calls[key], call.isMissed == nil,
                calls[key]?.sentEndpoints.insert(endpoint).inserted == true
            else { return }
            calls[key]?.inFlight[endpoint] = send()
        }
    }

    /// Notes that all messages of a call were handed to the sender.
    func noteAllQueued(_ key: CallKey) {
        lock.withLock {
            calls[key]?.isFullyQueued = true
            removeIfDone(key)
        }
    }

    /// Records the outcome of a message.
    ///
    /// - Parameters:
    ///   - key: The call's identity.
    ///   - subscription: The subscription that the message was sent to.
    ///   - isAccepted: True if the push service has accepted the message.
    /// - Returns: Nil unless the call is over and the device must be notified of it; then true if the call was missed.
    func noteOutcome(_ key: CallKey, _ subscription: PushSubscription, isAccepted: Bool) -> Bool? {
        lock.withLock {
            calls[key]?.inFlight[subscription.endpoint] = nil
            guard isAccepted, let call = calls[key] else {
                removeIfDone(key)
                return nil
            }
            if let isMissed = call.isMissed {
                removeIfDone(key)
                return isMissed
            }
            calls[key]?.accepted.append(subscription)
            return nil
        }
    }

    /// Ends a call.
    ///
    /// - Parameters:
    ///   - key: The call's identity.
    ///   - isMissed: True if the call was not answered.
    /// - Returns: The subscriptions to notify now, and the pending messages to withdraw.
    func end(_ key: CallKey, isMissed: Bool) -> (accepted: [PushSubscription], inFlight: [PushSender.SubmissionID]) {
        lock.withLock {
            guard let call = calls[key] else { return ([], []) }
            calls[key]?.isMissed = isMissed
            calls[key]?.accepted = []
            removeIfDone(key)
            return (call.accepted, Array(call.inFlight.values))
        }
    }

    private func removeIfDone(_ key: CallKey) {
        guard let call = calls[key], call.isFullyQueued, call.isMissed != nil, call.inFlight.isEmpty else { return }
        calls[key] = nil
    }
}
