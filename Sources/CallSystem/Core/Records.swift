import Foundation
import HubEngine
import HubWire

/// The number of a provider in its system.
package struct ProviderID: Hashable, Sendable {
    let number: Int
}

/// A provider of the app.
struct ProviderRecord {
    let id: ProviderID
    weak var client: (any ProviderClient)?
    var configuration: ProviderConfiguration
    /// The app's icon and ringtone.
    var appearance: ProviderAppearance
    let mailbox: CallbackMailbox
    /// Indicates that the app has set a delegate, so that callbacks have a receiver.
    var hasDelegate = false
    /// Indicates that the delegate knows that the provider has begun.
    var hasBegun = false
    /// Indicates that a warning has said that callbacks wait for a delegate.
    var isWarnedOfDelegate = false
}

/// A call of the device.
struct CallRecord {
    /// The call's UUID at the hub.
    let uuid: CallUUID
    /// The call's UUID in the app, which may have one of its own for a call that was announced to it.
    var appUUID: CallUUID
    /// The provider that performs its actions; nil: the newest one.
    var provider: ProviderID?
    /// The call's state at the hub; nil: the hub has not yet notified of it.
    var snapshot: CallSnapshot?
    /// Indicates that the app carries the call's audio.
    var isExternal = false
    /// Indicates that the app has reported or started the call, or performed an action on it.
    var isKnownToApp = false
    /// Indicates that the call was announced to the app by a push, and is shown when the app has reported it.
    var isAnnounced = false
    /// Indicates that the settings answer the call, or have.
    var isAnswerDue = false
    /// Indicates that the app knows of the end: it has performed it, or has lost the call by a timed-out action.
    var knowsEnd = false
    /// The name that the app shows, which stays on this device.
    var displayName: String?
    /// The five fields as observers know them.
    var observed: ObservableCall?

    init(_ uuid: CallUUID, appUUID: CallUUID? = nil, provider: ProviderID? = nil) {
        (self.uuid, self.appUUID, self.provider) = (uuid, appUUID ?? uuid, provider)
    }
}

/// An action of a pending transaction.
struct ActionRecord {
    let action: Action
    let object: any PerformableAction
    /// Indicates that the app was asked to perform it.
    var hasBegun = false
    /// The time at which it fails if the app has not completed it; nil: the hub has not said.
    var deadline: Instant?
    /// Indicates that the hub need not be told of its result any more.
    var isComplete = false
}

/// A transaction that the hub has accepted, or made, and that is not complete.
struct TransactionRecord {
    let id: TransactionUUID
    /// The provider that performs it.
    let provider: ProviderID
    var actions: [ActionRecord]
    var object: any PerformableTransaction
    /// The UUID that the app knows it by.
    let appUUID: UUID
    /// Indicates that the hub has offered it as a whole.
    var isOffered = false

    var isComplete: Bool { actions.allSatisfy(\.isComplete) }

    /// Indicates that no action is being performed: the next one waits for its turn.
    var isWaiting: Bool { !actions.contains { $0.hasBegun && !$0.isComplete } }
}

/// A transaction that the app has requested and the hub has not yet accepted.
struct RequestRecord {
    let number: Int
    let provider: ProviderID
    let actions: [ActionRecord]
    let object: any PerformableTransaction
    let appUUID: UUID
    let completion: RequestCompletion
}

/// The receiver of a request's result; the second closure is to be called when the app has taken it.
typealias RequestCompletion = (CallSystemError?, _ then: @escaping () -> Void) -> Void

/// A report of an incoming call that the hub has not yet accepted.
struct ReportRecord {
    let call: CallUUID
    let completion: @Sendable (CallSystemError?) -> Void
}

/// An observer of calls.
struct ObserverRecord {
    weak var client: (any CallObserverClient)?
    let mailbox: CallbackMailbox
}
