import Foundation
import HubEngine
import HubServer
import HubStore

/// The calls that devices were woken for, until they are told that it is over.
///
/// Each device is told so only when it was told of the call, and after it.
final class PushCalls: @unchecked Sendable {
    /// A call under one account's name for it.
    struct Name: Hashable, Sendable {
        let account: String
        let call: CallUUID
    }

    private struct Call {
        /// Whether it was missed; nil: it still rings.
        var isMissed: Bool?
        /// Whether it is known whom to tell.
        var isFound = false
        /// The endpoints to which a message was given, whatever became of it: none gets a second one.
        var asked: Set<String> = []
        /// By endpoint: told, and the service has not yet said whether it takes it.
        var underWay: [String: PushSender.Receipt] = [:]
        /// Whose service has taken it.
        var told: [PushSubscription] = []
    }

    private let lock = NSLock()
    private var calls: [Name: Call] = [:]

    /// Notes that a call waits; what is known of it already stays.
    func begin(_ name: Name) {
        lock.withLock { calls[name, default: Call()].isFound = false }
    }

    /// Sends a message of a call, unless the call is over or the endpoint had one already.
    ///
    /// - Parameters:
    ///   - name: The call.
    ///   - endpoint: Of the subscription.
    ///   - send: Sends it.
    func send(_ name: Name, to endpoint: String, _ send: () -> PushSender.Receipt) {
        // Under the lock: what becomes of it may be told at once, on the sender's thread.
        lock.withLock {
            guard let call = calls[name], call.isMissed == nil,
                calls[name]?.asked.insert(endpoint).inserted == true
            else { return }
            calls[name]?.underWay[endpoint] = send()
        }
    }

    /// All messages of a call are on their way.
    func found(_ name: Name) {
        lock.withLock {
            calls[name]?.isFound = true
            forgetIfDone(name)
        }
    }

    /// What became of a message of a call.
    ///
    /// - Parameters:
    ///   - name: The call.
    ///   - subscription: Whom it was sent to.
    ///   - isTold: Whether the service has taken it.
    /// - Returns: Where the call is over and the device is to be told so: whether it was missed.
    func settled(_ name: Name, _ subscription: PushSubscription, isTold: Bool) -> Bool? {
        lock.withLock {
            calls[name]?.underWay[subscription.endpoint] = nil
            guard isTold, let call = calls[name] else {
                forgetIfDone(name)
                return nil
            }
            if let isMissed = call.isMissed {
                forgetIfDone(name)
                return isMissed
            }
            calls[name]?.told.append(subscription)
            return nil
        }
    }

    /// A call is over.
    ///
    /// - Parameters:
    ///   - name: The call.
    ///   - isMissed: Whether nobody took it.
    /// - Returns: Who is to be told so now, and what is to be taken back.
    func end(_ name: Name, isMissed: Bool) -> (told: [PushSubscription], underWay: [PushSender.Receipt]) {
        lock.withLock {
            guard let call = calls[name] else { return ([], []) }
            calls[name]?.isMissed = isMissed
            calls[name]?.told = []
            forgetIfDone(name)
            return (call.told, Array(call.underWay.values))
        }
    }

    private func forgetIfDone(_ name: Name) {
        guard let call = calls[name], call.isFound, call.isMissed != nil, call.underWay.isEmpty else { return }
        calls[name] = nil
    }
}
