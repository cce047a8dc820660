package import Dispatch
package import Foundation
package import HubEngine
package import HubWire

// The interface for the modules that apps use.
extension CallSystem {
    /// Adds a provider of the app; the first one opens the session at the hub.
    ///
    /// - Parameters:
    ///   - client: The provider, which is not retained.
    ///   - configuration: Its configuration.
    ///   - icon: The PNG data of its icon; nil: none.
    /// - Returns: The number of the provider.
    package func addProvider(
        _ client: any ProviderClient,
        _ configuration: ProviderConfiguration,
        icon: Data?
    ) -> ProviderID {
        let number = lastProvider.withLock { number in
            number += 1
            return number
        }
        let id = ProviderID(number: number)
        let appearance = ProviderAppearance(icon: icon, ringtoneSound: configuration.ringtoneSound)
        post { $0.add(client, as: id, configuration, appearance) }
        return id
    }

    /// Replaces the configuration of a provider, and its icon: PNG data, or nil for none.
    package func configure(_ provider: ProviderID, _ configuration: ProviderConfiguration, icon: Data?) {
        let appearance = ProviderAppearance(icon: icon, ringtoneSound: configuration.ringtoneSound)
        post { $0.configure(provider, configuration, appearance) }
    }

    /// Sets the queue of a provider's callbacks.
    package func setDelegate(of provider: ProviderID, isSet: Bool, queue: DispatchQueue) {
        post { $0.setDelegate(of: provider, isSet: isSet, queue: queue) }
    }

    /// Invalidates a provider.
    package func invalidate(_ provider: ProviderID) {
        post { $0.invalidate(provider) }
    }

    /// Reports an incoming call.
    ///
    /// - Parameters:
    ///   - call: The app's UUID of the call.
    ///   - update: The data of the call.
    ///   - provider: The provider that reports it.
    ///   - queue: The queue of the completion.
    ///   - completion: The receiver of nil, or of the reason why the call does not ring.
    package func reportIncomingCall(
        _ call: UUID,
        _ update: CallUpdate,
        by provider: ProviderID,
        on queue: DispatchQueue,
        _ completion: @escaping @Sendable (CallSystemError?) -> Void
    ) {
        post { core in
            let run = core.run
            core.reportIncomingCall(CallUUID(call), update, by: provider) { error in
                run.once(on: queue) { completion(error) }
            }
        }
    }

    /// Reports new data of a call.
    package func report(_ update: CallUpdate, on call: UUID) {
        post { $0.report(update, on: CallUUID(call)) }
    }

    /// Reports the end of a call.
    package func reportEnd(of call: UUID, _ reason: EndReason, at date: Date?) {
        post { $0.reportEnd(of: CallUUID(call), reason, at: date) }
    }

    /// Reports the progress of an outgoing call.
    package func reportOutgoing(_ call: UUID, _ event: OutgoingCallEvent, at date: Date?) {
        post { $0.reportOutgoing(CallUUID(call), event, at: date) }
    }

    /// Requests a transaction.
    ///
    /// - Parameters:
    ///   - actions: The actions, with the app's objects for them.
    ///   - object: The app's object for the transaction.
    ///   - uuid: The app's UUID of the transaction.
    ///   - queue: The queue of the completion.
    ///   - completion: The receiver of nil, if the transaction is accepted, or of the reason why it is not.
    package func request(
        _ actions: [(action: Action, object: any PerformableAction)],
        as object: any PerformableTransaction,
        _ uuid: UUID,
        on queue: DispatchQueue,
        _ completion: @escaping @Sendable (CallSystemError?) -> Void
    ) {
        post { core in
            let run = core.run
            core.request(actions, as: object, uuid) { error, then in
                run.once(on: queue, then: then) { completion(error) }
            }
        }
    }

    /// The incomplete transactions of a provider.
    package func pendingTransactions(of provider: ProviderID) -> [any PerformableTransaction] {
        read { core in
            core.transactions.filter { $0.provider == provider }.map(\.object)
        }
    }

    /// The incomplete actions of a provider on a call.
    package func pendingActions(of provider: ProviderID, on call: UUID) -> [any PerformableAction] {
        read { core in
            let call = core.hubUUID(CallUUID(call))
            return core.transactions.filter { $0.provider == provider }.flatMap(\.actions)
                .filter { $0.action.callUUID == call && !$0.isComplete }.map(\.object)
        }
    }

    /// Adds an observer, which is not retained; its callbacks run on a queue.
    package func addObserver(_ client: any CallObserverClient, on queue: DispatchQueue) {
        post { $0.addObserver(client, CallbackMailbox(queue, $0.run)) }
    }

    /// Removes an observer.
    package func removeObserver(_ client: any CallObserverClient) {
        post { $0.removeObserver(client) }
    }

    /// The present calls.
    package var observableCalls: [ObservableCall] { read { $0.observableCalls } }
}

extension CallSystem {
    /// Sets the closure that loads a call directory of the app again, when another device of the account asks for it.
    package func onDirectoryReload(_ load: @escaping @Sendable (_ identifier: String) async -> Void) {
        post { $0.directoryReloader = load }
    }

    /// Calls a closure after a time of the hub, on the core's queue.
    package func after(_ duration: Duration, _ work: @escaping @Sendable () -> Void) {
        post { $0.backend.schedule(after: duration, work) }
    }

    /// Sends a request to the hub that has nothing to do with this device's calls, such as one for account data.
    ///
    /// - Parameter request: The request.
    /// - Returns: The hub's answer.
    /// - Throws: `CallSystemError` if the hub refuses the request.
    package func send(_ request: ClientRequest) async throws(CallSystemError) -> ReplyPayload {
        let result = await withCheckedContinuation { (done: CheckedContinuation<Answer, Never>) in
            post { core in
                core.openSession()
                core.backend.send(request) { done.resume(returning: $0.mapError { CallSystemError($0, in: .general) }) }
            }
        }
        return try result.get()
    }

    private typealias Answer = Result<ReplyPayload, CallSystemError>
}
