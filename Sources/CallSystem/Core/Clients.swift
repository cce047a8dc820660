package import Foundation
package import HubEngine

/// An app's object for an action, such as a CXAction.
package protocol PerformableAction: AnyObject, Sendable {
    /// Indicates that the app has fulfilled or failed the action, or that it has timed out.
    var isComplete: Bool { get }
    /// Prepares the object for its performance.
    ///
    /// - Parameters:
    ///   - action: The action as it is performed, such as one digit of several.
    ///   - deadline: The time at which it fails.
    ///   - completion: The receiver of its result; nil: the system has completed it already.
    func begin(_ action: Action, deadline: Date, completion: ActionCompletion?)
    /// Marks the action as complete, without a result of the app.
    func markComplete()
}

/// An app's object for a transaction, such as a CXTransaction.
package protocol PerformableTransaction: AnyObject, Sendable {
    /// The actions in order.
    var performableActions: [any PerformableAction] { get }
}

/// The receiver of the result of one action; later results than the first are ignored.
package struct ActionCompletion: Sendable {
    let system: CallSystem
    let action: ActionUUID

    /// Fulfils the action.
    ///
    /// - Parameters:
    ///   - date: The time when it was done; nil: now.
    ///   - engine: The program that translates the call from then on; nil: the action is no such one.
    package func fulfill(at date: Date?, using engine: TranslationEngine? = nil) {
        system.post { [action] in $0.complete(action, .fulfilled(date, engine)) }
    }

    /// Fails the action.
    package func fail() {
        system.post { [action] in $0.complete(action, .failed) }
    }

    /// Warns of a second completion, which has no effect.
    package func warnOfSecond() {
        system.warn(
            "An action was completed twice, by fulfill() or fail(); the first completion counts, as it would on an "
                + "iPhone, which says nothing of the second."
        )
    }
}

/// An app's provider of calls, such as a CXProvider: makes the objects of actions, and receives callbacks.
package protocol ProviderClient: AnyObject, Sendable {
    /// Makes the object for an action that the app has not requested; nil: the app has no such objects.
    func makeAction(_ action: Action) -> (any PerformableAction)?
    /// Makes the object for a transaction.
    ///
    /// - Parameters:
    ///   - id: The identifier of the transaction.
    ///   - actions: Its actions in order.
    /// - Returns: The object for the app.
    func makeTransaction(_ id: UUID, _ actions: [any PerformableAction]) -> any PerformableTransaction

    /// Calls a closure with this client while the app has a receiver of callbacks, on the queue of the app.
    ///
    /// - Parameter callback: The closure.
    /// - Returns: False if the app has no receiver; then the closure was not called, and waits for one.
    func receive(_ callback: (any ProviderClient) -> Void) -> Bool

    /// Indicates that the app is known to leave all transactions to the methods for single actions.
    var leavesTransactions: Bool { get }

    // On the queue of the app, one after another:

    /// The provider can take actions.
    func didBegin()
    /// All calls are gone.
    func didReset()
    /// Offers a transaction as a whole; returns true if the app handles it.
    func execute(_ transaction: any PerformableTransaction) -> Bool
    /// Performs an action; returns false if the app has nothing that performs it.
    func perform(_ action: any PerformableAction) -> Bool
    /// An action has failed because its deadline has passed.
    func timedOut(_ action: any PerformableAction)
    /// The audio session is active.
    func didActivateAudio()
    /// The audio session is no longer active.
    func didDeactivateAudio()
}

extension ProviderClient {
    /// Calls the closure: the client itself is the receiver.
    package func receive(_ callback: (any ProviderClient) -> Void) -> Bool {
        callback(self)
        return true
    }
}

/// An app's observer of calls, such as a CXCallObserver; called on its queue, one change after another.
package protocol CallObserverClient: AnyObject, Sendable {
    /// A call has changed.
    func callChanged(_ call: ObservableCall)
}

/// The fields of a call that observers see.
package struct ObservableCall: Hashable, Sendable {
    /// The call's UUID, as the app knows it.
    package var uuid: UUID
    /// True if the device's user has placed the call.
    package var isOutgoing: Bool
    /// True while the user holds the call.
    package var isOnHold: Bool
    /// True if the call has been connected.
    package var hasConnected: Bool
    /// True if the call is over.
    package var hasEnded: Bool
}

/// The result of an action.
enum ActionOutcome: Hashable {
    /// Done, at a time (nil: now), and translated by a program from then on.
    case fulfilled(Date?, TranslationEngine?)
    /// It could not be done.
    case failed
}
