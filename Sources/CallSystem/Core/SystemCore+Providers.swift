import Dispatch
import Foundation
import HubEngine
import HubWire

// The app's providers: their configurations and callbacks.
extension SystemCore {
    /// Adds a provider; the first one opens the session.
    func add(
        _ client: any ProviderClient,
        as id: ProviderID,
        _ configuration: ProviderConfiguration,
        _ appearance: ProviderAppearance
    ) {
        providers.append(
            ProviderRecord(
                id: id,
                client: client,
                configuration: configuration,
                appearance: appearance,
                mailbox: CallbackMailbox(.main, run)
            )
        )
        if case .none = session {
            self.configuration = mergedConfiguration
            openSession()
        } else {
            configure()
            sendAppearance()
        }
    }

    /// Replaces the configuration of a provider.
    func configure(_ id: ProviderID, _ configuration: ProviderConfiguration, _ appearance: ProviderAppearance) {
        guard let index = providers.firstIndex(where: { $0.id == id }) else { return }
        (providers[index].configuration, providers[index].appearance) = (configuration, appearance)
        configure()
        sendAppearance()
    }

    /// Sets the queue of a provider's delegate, and notifies the delegate of the begin.
    func setDelegate(of id: ProviderID, isSet: Bool, queue: DispatchQueue) {
        guard let index = providers.firstIndex(where: { $0.id == id }) else { return }
        providers[index].mailbox.target = queue
        providers[index].hasDelegate = isSet
        providers[index].hasBegun = false
        if isSet { providers[index].isWarnedOfDelegate = false }
        updateOffers()
        notifyBegin()
        if isSet { providers[index].mailbox.receiverHasCome() }
    }

    /// Ends a provider: its calls fail, and it receives no further callbacks.
    func invalidate(_ id: ProviderID) {
        guard let index = providers.firstIndex(where: { $0.id == id }) else { return }
        providers.remove(at: index).mailbox.close()
        for transaction in transactions where transaction.provider == id {
            for action in transaction.actions { action.object.markComplete() }
        }
        transactions.removeAll { $0.provider == id }
        if activation?.provider == id { activation?.provider = nil }
        if case .none = session { return }
        if providers.isEmpty {
            hasBegun = false
            backend.send(.engine(.invalidate)) { _ in }
        } else {
            for call in calls where call.provider == id {
                backend.send(.engine(.reportCallEnded(call.uuid, .failed, date: nil))) { _ in }
            }
            configure()
            sendAppearance()
        }
    }

    /// The provider of a new call of the user.
    var startingProvider: ProviderID? { providers.last?.id }

    /// Returns the provider that performs the actions of a call.
    func provider(of call: CallUUID) -> ProviderID? {
        let own = calls.first { $0.uuid == call }?.provider
        return providers.contains { $0.id == own } ? own : startingProvider
    }

    func client(of id: ProviderID) -> (any ProviderClient)? { providers.first { $0.id == id }?.client }

    /// Queues a callback of a provider, which waits while the app has no delegate.
    ///
    /// - Parameters:
    ///   - id: The provider.
    ///   - isFirst: True to put the callback before those that wait for a delegate.
    ///   - callback: The callback.
    func post(
        to id: ProviderID,
        first isFirst: Bool = false,
        _ callback: @escaping @Sendable (any ProviderClient) -> Void
    ) {
        guard let provider = providers.first(where: { $0.id == id }), let system else { return }
        provider.mailbox.post(first: isFirst) { [weak client = provider.client] in
            guard let client, !client.receive(callback) else { return true }
            system.post { $0.warnOfDelegate(id) }
            return false
        }
    }

    private func warnOfDelegate(_ id: ProviderID) {
        guard let index = providers.firstIndex(where: { $0.id == id }), !providers[index].isWarnedOfDelegate else {
            return
        }
        providers[index].isWarnedOfDelegate = true
        system?.warn(
            "A provider has no delegate, or not any more: it does not retain it, so keep it in a property. On an "
                + "iPhone the actions would time out; here they wait for the next delegate until their deadlines."
        )
    }

    /// Notifies the delegates that do not know it yet of the begin of their providers.
    func notifyBegin() {
        guard hasBegun else { return }
        for index in providers.indices where providers[index].hasDelegate && !providers[index].hasBegun {
            providers[index].hasBegun = true
            post(to: providers[index].id, first: true) { $0.didBegin() }
        }
    }

    /// Sends the configuration of all providers together.
    private func configure() {
        let merged = mergedConfiguration
        let isNew = !hasBegun && providers.count == 1
        guard merged != configuration || wantsOffers != isOffered || isNew else { return notifyBegin() }
        configuration = merged
        guard case .none = session else { return sendConfiguration { [weak self] in self?.notifyBegin() } }
    }

    /// Sends the configuration, and whether transactions are to be offered.
    func sendConfiguration(_ then: @escaping () -> Void = {}) {
        isOffered = wantsOffers
        let request = Request.configure(configuration, executesTransactions: isOffered)
        backend.send(.engine(request)) { [weak self] result in
            if case .failure = result { self?.isOffered = nil }
            then()
        }
    }

    // MARK: Offers of transactions

    /// Indicates that transactions are to be offered as a whole: a delegate takes them, or may.
    var wantsOffers: Bool { providers.contains { $0.client?.leavesTransactions == false } }

    /// Has the hub offer transactions, or no longer, if that is not what it does.
    func updateOffers() {
        if wantsOffers != isOffered { configure() }
    }

    /// The configuration of the one provider that the session has at the hub.
    private var mergedConfiguration: ProviderConfiguration {
        guard var merged = providers.last?.configuration else { return ProviderConfiguration() }
        merged.localizedName = merged.localizedName ?? settings.appName
        for provider in providers.dropLast() {
            let other = provider.configuration
            merged.maximumCallGroups = max(merged.maximumCallGroups, other.maximumCallGroups)
            merged.maximumCallsPerCallGroup = max(merged.maximumCallsPerCallGroup, other.maximumCallsPerCallGroup)
            merged.includesCallsInRecents = merged.includesCallsInRecents || other.includesCallsInRecents
            merged.supportsVideo = merged.supportsVideo || other.supportsVideo
            let isAny = merged.supportedHandleTypes.isEmpty || other.supportedHandleTypes.isEmpty
            merged.supportedHandleTypes = Handle.HandleType.allCases.filter { type in
                !isAny && (merged.supportedHandleTypes + other.supportedHandleTypes).contains(type)
            }
        }
        return merged
    }
}
