import HubAccountData
import HubEngine

/// The subscriptions of all devices to the presence of all accounts, and what each was told last.
struct PresenceRule {
    var subscriptions = PresenceSubscriptions()
    /// The last told presence, by session and handle; looked up, never iterated.
    var told: [SessionID: [Handle: Presence]] = [:]
    /// The time of the last notification to each session.
    private var notifiedAt: [SessionID: Instant] = [:]

    /// Applies the notifications that are due; returns the description of the rule that one violates, or nil.
    mutating func update(at now: Instant, from source: PresenceView) -> String? {
        for update in subscriptions.update(at: now, on: now, from: source) {
            if let last = notifiedAt[update.watcher], now.since(last) < .seconds(1) {
                return "watchers are notified of presence once a second"
            }
            notifiedAt[update.watcher] = now
            for person in update.people {
                if told[update.watcher]?[person.handle] == person.presence {
                    return "a presence is notified again without a change"
                }
                if person.presence != .unknown, !source.isPermitted(person.handle, to: update.watcher) {
                    return "nobody sees more than they may"
                }
                told[update.watcher]?[person.handle] = person.presence
            }
        }
        return nil
    }
}

/// The state of a world at one moment, as a hub describes its people by it.
struct PresenceView: PeopleSource {
    let engine: Engine
    let accounts: [String]
    let screeningData: SimulatedAccountData
    /// The account of each session that may call; looked up, never iterated.
    let watchers: [SessionID: Int]

    func person(with handle: Handle) -> (description: PersonDescription, changesAt: Instant?)? {
        guard let account = accounts.firstIndex(of: handle.value) else { return nil }
        let devices = engine.reachableDevices(ofAccount: handle.value)
        let presence: Presence =
            if devices.isEmpty {
                .offline
            } else if screeningData.isQuiet(account)
                || devices.allSatisfy({ screeningData.isQuiet($0.deviceID, of: account) })
            {
                .doNotDisturb(until: nil)
            } else {
                devices.contains(where: \.isOnCall) ? .onCall : .free
            }
        return (PersonDescription(name: handle.value, presence: presence), nil)
    }

    func maySee(_ handle: Handle, _ watcher: SessionID) -> Bool { isPermitted(handle, to: watcher) }

    func isPermitted(_ handle: Handle, to watcher: SessionID) -> Bool {
        guard let account = watchers[watcher], let seen = accounts.firstIndex(of: handle.value) else { return false }
        return seen == account || !screeningData.isBlocked(account, by: seen)
    }
}

extension World {
    private var presenceView: PresenceView {
        var watchers: [SessionID: Int] = [:]
        for device in shape.devices.indices where shape.devices[device].mayCall {
            if let session = hubSessions[device]?.session { watchers[session] = shape.devices[device].account }
        }
        return PresenceView(
            engine: engine,
            accounts: shape.accounts,
            screeningData: screeningData,
            watchers: watchers
        )
    }

    mutating func markPresence(of session: SessionID) {
        if let device = devicesBySession[session] { markPresence(ofAccount: shape.devices[device].account) }
    }

    mutating func markPresence(ofAccount account: Int, changesPermission: Bool = false) {
        presenceRule.subscriptions.mark(.generic(shape.accounts[account]), changesPermission: changesPermission)
    }

    /// Subscribes a new session to all accounts, and has a resumed one notified again.
    mutating func watchPresence(_ session: SessionID) {
        markPresence(of: session)
        guard let device = devicesBySession[session], shape.devices[device].mayCall else { return }
        guard presenceRule.told[session] == nil else { return presenceRule.subscriptions.resume(session) }
        let handles = (shape.accounts + ["nobody"]).map { Handle.generic($0) }
        let view = presenceView
        let people = try? presenceRule.subscriptions.subscribe(session, to: handles, on: now, from: view)
        presenceRule.told[session] = [:]
        for person in people ?? [] { presenceRule.told[session]?[person.handle] = person.presence }
    }

    mutating func updatePresence() {
        if let fault = presenceRule.update(at: now, from: presenceView) { fail(fault, "\(now)") }
    }

    /// Lets a copy of the subscriptions come to rest, and compares what connected watchers were told with the clients'
    /// own states.
    mutating func checkPresence() {
        var (copy, time, turns) = (presenceRule, now, 0)
        let view = presenceView
        while let due = copy.subscriptions.nextDeadline({ $0 }), turns < 1_000 {
            (time, turns) = (max(time, due), turns + 1)
            if let fault = copy.update(at: time, from: view) { return fail(fault, "\(time)") }
        }
        for device in shape.devices.indices where shape.devices[device].mayCall {
            guard let watcher = hubSessions[device], watcher.connection != nil else { continue }
            for (account, name) in shape.accounts.enumerated() {
                let isHidden =
                    account != shape.devices[device].account
                    && screeningData.isBlocked(shape.devices[device].account, by: account)
                let expected = isHidden ? .unknown : presence(of: account)
                let told = copy.told[watcher.session]?[.generic(name)]
                guard told != expected else { continue }
                let detail = "\(shape.devices[device].name) of \(name): \(told.map { "\($0)" } ?? "-"), \(expected)"
                return fail("what a watcher was told last is true when all is quiet", detail)
            }
        }
    }

    /// Returns the presence of an account by the states that its clients were notified of.
    private func presence(of account: Int) -> Presence {
        let devices = shape.devices.indices.filter { device in
            shape.devices[device].account == account && shape.devices[device].mayCall
                && hubSessions[device]?.actionOutcomes.isInvalid == false
        }
        if devices.isEmpty { return .offline }
        if screeningData.isQuiet(account)
            || devices.allSatisfy({ screeningData.isQuiet(shape.devices[$0].name, of: account) })
        {
            return .doNotDisturb(until: nil)
        }
        let isOnCall = devices.contains { device in
            hubSessions[device]?.notified.calls.contains { $0.state == .connected || $0.state == .held } == true
        }
        return isOnCall ? .onCall : .free
    }
}
