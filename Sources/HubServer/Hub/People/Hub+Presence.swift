package import HubAccountData
package import HubEngine
import HubWire

/// The presence of people, and its notifications.
extension Hub {
    /// Notes that the presence of a session's account may have changed.
    ///
    /// - Parameters:
    ///   - id: A session, which is still in the table.
    ///   - cause: The session whose request is the cause; nil: none.
    func markPresence(of id: SessionID, causedBy cause: ClientSession?) {
        guard !presence.isEmpty, let account = sessions[id]?.account else { return }
        for handle in people.index[account]?.handles ?? [] { presence.mark(handle, causedBy: cause?.id) }
    }

    /// Updates the directory of the house after changes of accounts and their settings.
    func updatePeople() {
        for (account, cause) in accountData.takeChangedPeople() {
            for handle in people.set(entry(of: account), of: account) {
                presence.mark(handle, changesPermission: true, causedBy: cause)
            }
        }
    }

    private func entry(of account: String) -> PeopleIndex.Entry? {
        guard let house = accountData.directory.house(of: account), let first = house.handles.first else { return nil }
        let settings = accountData.settings(of: account)
        let ownName = settings.displayName.isEmpty ? nil : settings.displayName
        return PeopleIndex.Entry(
            account: account,
            handles: house.handles,
            name: ownName ?? house.profile.name ?? first.value,
            department: house.profile.department,
            isListed: settings.isListed ?? house.isListedByDefault,
            photoHash: settings.photoHash
        )
    }

    /// Sends the notifications of changed presence that are due, a limited number at a time.
    func sendPresence() {
        updatePeople()
        guard !presence.isEmpty else { return }
        let now = clock.now
        guard presence.hasWork(at: now, on: clock.date) else { return }
        for update in presence.update(at: now, on: clock.date, from: self) { send(update) }
    }

    private func send(_ update: PresenceUpdate) {
        guard let watcher = sessions[update.watcher] else { return }
        metrics.counters.presenceNotifications += 1
        metrics.counters.presenceChanges += update.people.count
        notify(watcher, .peopleChanged(update.people), causedBy: nil)
        // Charged in total alone: what one watcher receives is limited by its interval.
        let share = outgoing.count / max(update.people.count, 1)
        for cause in update.causes {
            guard let session = sessions[cause], session !== watcher else { continue }
            session.fanOut.charge(share, for: nil, at: clock.now.nanoseconds)
        }
    }

    /// Returns the presence of an account's user, and when it changes by quiet hours.
    func presence(of account: String) -> DatedPresence {
        let devices = engine.reachableDevices(ofAccount: accountData.directory.spelled(account)).map { device in
            PresentDevice(
                deviceID: device.deviceID,
                isOnCall: device.isOnCall,
                isAway: sessions[device.session]?.isAway ?? false
            )
        }
        return accountData.presence(of: account, on: devices)
    }
}

extension Hub: PeopleSource {
    package func person(with handle: Handle) -> (description: PersonDescription, changesAt: Instant?)? {
        guard let account = accountData.directory.owner(of: handle), let entry = people.index[account] else {
            return nil
        }
        let dated = presence(of: account)
        let description = PersonDescription(
            name: entry.name,
            department: entry.department,
            presence: dated.presence,
            photoHash: entry.photoHash
        )
        return (description, dated.changesAt)
    }

    package func maySee(_ handle: Handle, _ watcher: SessionID) -> Bool {
        guard let session = sessions[watcher], let account = accountData.directory.owner(of: handle) else {
            return false
        }
        if FoldedName(account) == session.accountKey { return true }
        guard session.maySeePeople, people.index[account]?.isListed == true else { return false }
        return !accountData.blocks(anyOf: handles(of: session), account)
    }

    /// Returns all handles of a session's account: a token may name others than the operator.
    func handles(of session: ClientSession) -> [Handle] {
        let known = people.index[session.account]?.handles ?? []
        return known == session.handles ? known : known + session.handles
    }
}
