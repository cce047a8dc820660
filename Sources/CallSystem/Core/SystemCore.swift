import CallAudio
import Dispatch
import Foundation
import HubClient
import HubEngine
import HubWire

/// The state of a call system: the session at the hub, the app's providers and observers, calls and transactions.
///
/// Confined to one serial queue. It knows no API of an app: CallKit, and others, are clients of it.
final class SystemCore {
    /// The states of the session at the hub.
    enum SessionState {
        /// Nobody has needed one yet, or it is over.
        case none
        /// It is being opened.
        case opening
        /// It is open.
        case open(SessionOpenResult)
    }

    let settings: CallSystemSettings
    let backend: any CallBackend
    let run: CallbackRunner
    /// The sound of the device.
    let audio: DeviceAudio
    weak var system: CallSystem?

    var session = SessionState.none
    /// Indicates that the provider has begun at the hub.
    var hasBegun = false
    /// Indicates that nothing has happened since the last reset: another notification of one from the hub is ignored.
    var isFresh = true
    /// The configuration that the hub has, or is about to get.
    var configuration = ProviderConfiguration()
    /// Indicates that the hub offers transactions as a whole first, or is about to; nil: it has refused to change that.
    var isOffered: Bool?
    /// The icon and ringtone that the hub has, or is about to get.
    var sentAppearance = ProviderAppearance()
    /// The configuration, and whether transactions are offered, with which the session was opened, and is opened anew.
    private var opening = (configuration: ProviderConfiguration(), isOffered: false)

    /// The app's providers, in the order of their creation.
    var providers: [ProviderRecord] = []
    /// The device's calls, in the order in which they came.
    var calls: [CallRecord] = []
    var transactions: [TransactionRecord] = []
    /// Indicates that the transactions are about to be compared with the hub's.
    var isCheckingPending = false
    var requests: [RequestRecord] = []
    private var lastRequestNumber = 0
    var reports: [ReportRecord] = []
    /// The active audio session; nil: there is none.
    var activation: Activation?
    var observers: [ObserverRecord] = []
    /// The receiver of pushes; nil: the app has none.
    var pushReceiver: (mailbox: CallbackMailbox, receive: @Sendable (PushAnnouncement) -> Void)?
    /// The calls that were announced and ended before the app has reported them.
    var missedAnnouncements: [(call: CallUUID, handle: Handle)] = []
    /// The notifications about calls that the app has yet to report, in their order.
    var unreported: [WireNotification] = []
    /// The closures that are called after each change of a call.
    var watchers: [Int: () -> Void] = [:]
    private var lastWatcherNumber = 0
    /// The closure that loads a call directory of the app again; nil: the app has none.
    var directoryReloader: (@Sendable (_ identifier: String) async -> Void)?

    init(_ settings: CallSystemSettings, backend: any CallBackend, run: CallbackRunner, audio: DeviceAudio) {
        (self.settings, self.backend, self.run, self.audio) = (settings, backend, run, audio)
    }

    deinit { audio.endCall() }

    /// Opens the session if there is none.
    func openSession() {
        guard case .none = session else { return }
        session = .opening
        opening = (configuration, wantsOffers)
        isOffered = opening.isOffered
        audio.prepare()
        backend.open(configuration, offered: opening.isOffered) { [weak self] in self?.receive($0) }
    }

    /// Handles an event of the session.
    private func receive(_ event: BackendEvent) {
        switch event {
        case .opened(let result):
            session = .open(result)
            for call in result.calls { update(call) }
            sentAppearance = ProviderAppearance()
            sendAppearance()
        case .notification(let notification): receive(notification)
        case .reset:
            reset()
            if configuration != opening.configuration || isOffered != opening.isOffered { sendConfiguration() }
            sentAppearance = ProviderAppearance()
            sendAppearance()
        // The warning comes before the refusals, so that who is refused finds the reason.
        case .requestsFail(let error): if error != .closed { system?.warn(error.description) }
        case .ended(let error):
            let wasOpen = if case .open = session { true } else { false }
            session = .none
            if error != .closed { system?.warn(error.description) }
            if wasOpen { reset() }
            hasBegun = false
            for index in providers.indices { providers[index].hasBegun = false }
            if case .unreachable = error { openSessionLater() }
        }
    }

    /// Tries again to open the session for an app that waits for calls.
    private func openSessionLater() {
        backend.schedule(after: Self.openingInterval) { [weak self] in
            if self?.providers.isEmpty == false { self?.openSession() }
        }
    }

    /// Longer: less work while there is no hub; shorter: calls come sooner after its start.
    private static let openingInterval = Duration.seconds(2)

    private func receive(_ notification: WireNotification) {
        guard !waitsForReport(notification) else { return }
        switch notification {
        case .didBegin:
            hasBegun = true
            notifyBegin()
        case .didReset: if !isFresh { reset() }
        case .execute(let transaction, let actions): offer(transaction, actions)
        case .perform(let transaction, let action, let deadline, _, let isFulfilled):
            perform(action, of: transaction, deadline: deadline, isFulfilled: isFulfilled)
        case .timedOutPerforming(let action):
            dropUnreported(action)
            timeOut(action)
        case .didActivateAudioSession(let session): activate(session)
        case .didDeactivateAudioSession: deactivateAudio()
        case .callChanged(let call): update(call)
        case .directoryReloadRequested(let identifier): reloadDirectory(identifier)
        default: break
        }
    }

    /// Ends everything: the session is over, or the hub has begun anew.
    private func reset() {
        isFresh = true
        deactivateAudio()
        for transaction in transactions {
            for action in transaction.actions { action.object.markComplete() }
        }
        transactions = []
        unreported = []
        let ended = calls
        calls = []
        for call in ended { notifyObservers(ofEndOf: call) }
        audio.rewind()
        for provider in providers {
            post(to: provider.id) { $0.didReset() }
        }
        notifyWatchers()
    }

    /// Loads a call directory again that another device of the account asks for.
    private func reloadDirectory(_ identifier: String) {
        guard let directoryReloader, let system else { return }
        system.activity.begin()
        Task {
            // The load itself may take its time, which passes meanwhile.
            system.activity.end()
            await directoryReloader(identifier)
        }
    }

    // MARK: Numbers

    func nextRequestNumber() -> Int {
        lastRequestNumber += 1
        return lastRequestNumber
    }

    func addWatcher(_ watcher: @escaping () -> Void) -> Int {
        lastWatcherNumber += 1
        watchers[lastWatcherNumber] = watcher
        return lastWatcherNumber
    }

    func notifyWatchers() {
        for number in watchers.keys.sorted() { watchers[number]?() }
    }
}
