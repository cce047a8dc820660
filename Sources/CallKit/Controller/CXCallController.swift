import CallSystem
public import Dispatch
public import Foundation
import HubEngine

/// Requests what the app's user wants: starts, answers, ends, holds and other actions on calls.
open class CXCallController: NSObject, @unchecked Sendable {
    private let system: CallSystem
    private let queue: DispatchQueue
    /// The observer of the device's calls.
    public let callObserver: CXCallObserver

    /// Creates a controller whose completions are called on a serial queue of its own.
    public override convenience init() {
        self.init(queue: DispatchQueue(label: "CXCallController"))
    }

    /// Creates a controller.
    ///
    /// - Parameter queue: The queue of the completions.
    public init(queue: DispatchQueue) {
        system = CallSystem.current
        self.queue = queue
        callObserver = CXCallObserver()
    }

    /// Requests a transaction, all or nothing.
    ///
    /// - Parameters:
    ///   - transaction: The transaction; its action objects come back to the provider's delegate.
    ///   - completion: The receiver of nil, if the transaction is accepted, or of the reason why it is not. The
    ///     acceptance does not say that the actions succeed.
    open func request(_ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        let actions = transaction.actions
        let known = actions.compactMap { action -> (action: Action, object: any PerformableAction)? in
            action.engineAction.map { ($0, action) }
        }
        guard known.count == actions.count else {
            // A plain CXAction is on no call.
            return queue.async { completion(CXErrorCodeRequestTransactionError(.invalidAction)) }
        }
        system.request(known, as: transaction, transaction.uuid, on: queue) { completion($0?.callKitError) }
    }

    /// Requests a transaction of one action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - completion: The receiver of nil, or of the reason why the action is not accepted.
    open func requestTransaction(with action: CXAction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        request(CXTransaction(action: action), completion: completion)
    }

    /// Requests a transaction of several actions.
    ///
    /// - Parameters:
    ///   - actions: The actions, in the order in which they are performed.
    ///   - completion: The receiver of nil, or of the reason why they are not accepted.
    open func requestTransaction(with actions: [CXAction], completion: @escaping @Sendable ((any Error)?) -> Void) {
        request(CXTransaction(actions: actions), completion: completion)
    }

    /// Requests a transaction, all or nothing.
    ///
    /// - Parameter transaction: The transaction.
    /// - Throws: `CXErrorCodeRequestTransactionError` if it is not accepted.
    open func request(_ transaction: CXTransaction) async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            request(transaction) { error in
                if let error { done.resume(throwing: error) } else { done.resume() }
            }
        }
    }

    /// Requests a transaction of one action.
    ///
    /// - Parameter action: The action.
    /// - Throws: `CXErrorCodeRequestTransactionError` if it is not accepted.
    open func requestTransaction(with action: CXAction) async throws {
        try await request(CXTransaction(action: action))
    }

    /// Requests a transaction of several actions.
    ///
    /// - Parameter actions: The actions, in the order in which they are performed.
    /// - Throws: `CXErrorCodeRequestTransactionError` if they are not accepted.
    open func requestTransaction(with actions: [CXAction]) async throws {
        try await request(CXTransaction(actions: actions))
    }
}
