import Foundation
import HubClient
import HubEngine
import HubWire

// The device's calls: the hub's notifications of them, and the app's reports.
extension SystemCore {
    /// Handles the hub's notification of a call.
    func update(_ snapshot: CallSnapshot) {
        isFresh = false
        acceptReport(of: snapshot.uuid)
        let isNew = !calls.contains { $0.uuid == snapshot.uuid }
        if isNew { calls.append(CallRecord(snapshot.uuid)) }
        guard let index = calls.firstIndex(where: { $0.uuid == snapshot.uuid }) else { return }
        calls[index].snapshot = snapshot
        if isNew, snapshot.state == .ringing, !snapshot.isExternal { announce(index, snapshot) }
        calls[index].isExternal = snapshot.isExternal
        if snapshot.hasEnded {
            let ended = calls.remove(at: index)
            completeActions(of: ended.uuid)
            if ended.isAnnounced { missedAnnouncements.append((ended.uuid, snapshot.remoteHandle)) }
            handleUnreported()
            notifyObservers(of: ended)
            tellEnd(of: ended, snapshot)
        } else {
            let call = calls[index]
            if let observed = notifyObservers(of: call) { calls[index].observed = observed }
            answerBySettings(index)
        }
        updateAudio()
        checkPending()
        notifyWatchers()
    }

    /// Has the app end a call that the other end has hung up, or that is over for another reason.
    ///
    /// An app that carries a call by a network of its own knows its end from there; here calls that the hub carries.
    private func tellEnd(of call: CallRecord, _ snapshot: CallSnapshot) {
        // An app has no action for a transfer: to it, the system ends the call.
        let isOwn =
            [.actionFailed, .providerInvalidated].contains(snapshot.cause)
            || snapshot.endedReason == nil && snapshot.cause != .transferred
        guard call.isKnownToApp, !call.knowsEnd, !call.isExternal, !isOwn,
            let owner = call.provider ?? startingProvider, let client = client(of: owner)
        else { return }
        let action = Action(uuid: .random(), callUUID: call.appUUID, kind: .end)
        guard let object = client.makeAction(action) else { return }
        object.begin(action, deadline: (backend.now + .seconds(5)).date, completion: nil)
        post(to: owner) { client in
            if !client.perform(object) { object.markComplete() }
        }
    }

    // MARK: Reports

    /// Takes the app's report of an incoming call.
    func reportIncomingCall(
        _ appUUID: CallUUID,
        _ update: CallUpdate,
        by provider: ProviderID,
        _ completion: @escaping @Sendable (CallSystemError?) -> Void
    ) {
        guard providers.contains(where: { $0.id == provider }) else {
            let sentence = "The provider was invalidated; report calls by another one."
            return completion(CallSystemError(.incomingCall, Refusal.IncomingCallCode.unknown.rawValue, sentence))
        }
        openSession()
        if isMissed(appUUID, update) {
            let sentence = "The call that was announced is over; drop it."
            return completion(CallSystemError(.incomingCall, Refusal.IncomingCallCode.unknown.rawValue, sentence))
        }
        if let index = calls.firstIndex(where: { $0.appUUID == appUUID }) ?? announcedCall(update) {
            return bind(index, to: appUUID, update, by: provider, completion)
        }
        var call = CallRecord(appUUID, provider: provider)
        (call.isExternal, call.isKnownToApp) = (true, true)
        calls.append(call)
        reports.append(ReportRecord(call: appUUID, completion: completion))
        let request = Request.reportNewIncomingCall(appUUID, withoutEmptyHandle(update))
        backend.send(.engine(request)) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success: self.acceptReport(of: appUUID)
            case .failure(let error): self.refuseReport(of: appUUID, CallSystemError(error, in: .incomingCall))
            }
        }
    }

    /// Binds a call that rings at the hub to the app's report of it.
    private func bind(
        _ index: Int,
        to appUUID: CallUUID,
        _ update: CallUpdate,
        by provider: ProviderID,
        _ completion: @escaping @Sendable (CallSystemError?) -> Void
    ) {
        guard !calls[index].isKnownToApp else {
            let code = Refusal.IncomingCallCode.callUUIDAlreadyExists.rawValue
            let sentence = "A call with this UUID is live; report another call under another UUID."
            return completion(CallSystemError(.incomingCall, code, sentence))
        }
        calls[index].appUUID = appUUID
        calls[index].provider = provider
        calls[index].isKnownToApp = true
        report(update, on: index)
        completion(nil)
        show(calls[index].uuid)
    }

    private func acceptReport(of call: CallUUID) {
        guard let index = reports.firstIndex(where: { $0.call == call }) else { return }
        reports.remove(at: index).completion(nil)
    }

    private func refuseReport(of call: CallUUID, _ error: CallSystemError) {
        guard let index = reports.firstIndex(where: { $0.call == call }) else { return }
        calls.removeAll { $0.uuid == call && $0.snapshot == nil }
        reports.remove(at: index).completion(error)
    }

    /// Takes the app's report of new data of a call.
    func report(_ update: CallUpdate, on appUUID: CallUUID) {
        guard let index = calls.firstIndex(where: { $0.appUUID == appUUID }) else { return }
        report(update, on: index)
        notifyWatchers()
    }

    private func report(_ update: CallUpdate, on index: Int) {
        var update = withoutEmptyHandle(update)
        // The hub refuses it, and CallKit takes it for none.
        if update.hasVideo == true, !configuration.supportsVideo { update.hasVideo = false }
        if !calls[index].isExternal {
            // The names that the app shows are not for the other party, and the hub knows who that is.
            calls[index].displayName = update.localizedCallerName ?? calls[index].displayName
            update.localizedCallerName = nil
            update.remoteHandle = nil
        }
        guard update != CallUpdate() else { return }
        backend.send(.engine(.reportCall(calls[index].uuid, update))) { _ in }
    }

    /// Takes the app's report of the end of a call.
    func reportEnd(of appUUID: CallUUID, _ reason: EndReason, at date: Date?) {
        guard let index = calls.firstIndex(where: { $0.appUUID == appUUID }) else { return }
        calls[index].knowsEnd = true
        let date = date.map { Instant($0) }
        backend.send(.engine(.reportCallEnded(calls[index].uuid, reason, date: date))) { _ in }
    }

    /// Takes the app's report of the progress of an outgoing call; of one that the hub carries the hub knows better.
    func reportOutgoing(_ appUUID: CallUUID, _ event: OutgoingCallEvent, at date: Date?) {
        guard let index = calls.firstIndex(where: { $0.appUUID == appUUID }), calls[index].isExternal else { return }
        let date = date.map { Instant($0) }
        backend.send(.engine(.reportOutgoingCall(calls[index].uuid, event, date: date))) { _ in }
    }

    /// Returns an update in which an empty handle, which CallKit accepts, is none: that of an unknown caller.
    private func withoutEmptyHandle(_ update: CallUpdate) -> CallUpdate {
        var update = update
        if update.remoteHandle?.value.isEmpty == true { update.remoteHandle = nil }
        return update
    }

    // MARK: Observers

    func addObserver(_ client: any CallObserverClient, _ mailbox: CallbackMailbox) {
        removeObserver(client)
        observers.append(ObserverRecord(client: client, mailbox: mailbox))
    }

    func removeObserver(_ client: any CallObserverClient) {
        observers.removeAll { $0.client == nil || $0.client === client }
    }

    /// The present calls, as observers see them.
    var observableCalls: [ObservableCall] { calls.compactMap { $0.observed } }

    /// Notifies the observers of a change of the five fields.
    ///
    /// - Returns: The fields as they are now; nil: the hub has not notified of the call.
    @discardableResult
    func notifyObservers(of call: CallRecord) -> ObservableCall? {
        guard let snapshot = call.snapshot, !call.isAnnounced else { return nil }
        let now = ObservableCall(
            uuid: call.appUUID.uuid,
            isOutgoing: snapshot.isOutgoing,
            isOnHold: snapshot.isOnHold,
            hasConnected: snapshot.hasConnected,
            hasEnded: snapshot.hasEnded
        )
        if now != call.observed { notifyObservers(now) }
        return now
    }

    /// Notifies the observers that a call has ended with the session.
    func notifyObservers(ofEndOf call: CallRecord) {
        guard var observed = call.observed else { return }
        observed.hasEnded = true
        notifyObservers(observed)
    }

    private func notifyObservers(_ call: ObservableCall) {
        observers.removeAll { $0.client == nil }
        for observer in observers {
            observer.mailbox.post { [weak client = observer.client] in client?.callChanged(call) }
        }
    }
}
