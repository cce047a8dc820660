public import HubEngine

/// The notifications of changes: each handle is described once, and each watcher is told when its interval is over.
extension PresenceSubscriptions {
    /// Computes the time at which `update` must be called next.
    ///
    /// - Parameter instant: Converts a date of the wall clock to an instant.
    /// - Returns: The time, perhaps a past one; nil: nothing is to be done.
    public func nextDeadline(_ instant: (_ date: Instant) -> Instant) -> Instant? {
        guard !isEmpty else { return nil }
        if !stale.isEmpty || !ready.isEmpty { return updatedAt + limits.pause }
        let rest = resting.first?.until
        let check = checks.keys.min().map { instant(Instant(nanoseconds: Self.nanoseconds(ofMinute: $0))) }
        return [rest, check].compactMap(\.self).min()
    }

    /// Indicates that `update` has anything to do now.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - date: The date by the wall clock.
    /// - Returns: False if it would change nothing.
    public func hasWork(at now: Instant, on date: Instant) -> Bool {
        if !stale.isEmpty || !ready.isEmpty { return true }
        if let rest = resting.first, rest.until <= now { return true }
        return checks.keys.contains { Self.nanoseconds(ofMinute: $0) <= date.nanoseconds }
    }

    /// Makes the notifications that are due, a limited number at a time.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - date: The date by the wall clock.
    ///   - source: The descriptions.
    /// - Returns: The notifications to send, at most one for each watcher.
    public mutating func update(
        at now: Instant,
        on date: Instant,
        from source: some PeopleSource
    ) -> [PresenceUpdate] {
        updatedAt = now
        endRests(at: now)
        takeChecks(on: date)
        var budget = limits.maximumPeopleAtOnce
        while budget > 0, let slot = stale.popFirst() {
            guard subjects[slot].isStale else { continue }
            budget -= 1
            describe(slot, on: date, from: source)
        }
        budget = limits.maximumPeopleAtOnce
        var updates: [PresenceUpdate] = []
        while budget > 0, let watcher = ready.popFirst() {
            guard watchers[watcher]?.phase == .ready else { continue }
            if let update = update(of: watcher, &budget, source) {
                updates.append(update)
                watchers[watcher]?.phase = .resting
                resting.append((now + limits.interval, watcher))
            } else {
                watchers[watcher]?.phase = .idle
                makeReady(watcher)
            }
        }
        return updates
    }

    private mutating func endRests(at now: Instant) {
        while let rest = resting.first, rest.until <= now {
            _ = resting.popFirst()
            guard watchers[rest.watcher]?.phase == .resting else { continue }
            watchers[rest.watcher]?.phase = .idle
            makeReady(rest.watcher)
        }
    }

    /// Makes the notification of a watcher; nil: nothing has changed that it may see.
    private mutating func update(
        of watcher: SessionID,
        _ budget: inout Int,
        _ source: some PeopleSource
    ) -> PresenceUpdate? {
        guard var state = watchers[watcher], !state.isPaused else { return nil }
        // Changed in place below.
        watchers[watcher] = PresenceWatcher()
        defer { watchers[watcher] = state }
        var update = PresenceUpdate(watcher: watcher, people: [], causes: [])
        var (done, bytes) = (0, 0)
        for index in state.pending {
            guard budget > 0, bytes < limits.maximumNotificationBytes else { break }
            (budget, done) = (budget - 1, done + 1)
            state.entries[index].isPending = false
            let slot = state.entries[index].subject
            guard let handle = subjects[slot].handle else { continue }
            let revision = source.maySee(handle, watcher) ? subjects[slot].revision : 0
            guard revision != state.entries[index].told, let person = subjects[slot].person(at: revision) else {
                continue
            }
            state.entries[index].told = revision
            update.people.append(person)
            bytes += person.byteCount
            if let cause = subjects[slot].cause, subjects[slot].chargesLeft > 0 {
                subjects[slot].chargesLeft -= 1
                update.causes.append(cause)
            }
        }
        state.pending.removeFirst(done)
        return update.people.isEmpty ? nil : update
    }

    // MARK: Descriptions

    /// Describes the person with a handle anew, and queues the watchers if that changes anything for them.
    mutating func describe(_ slot: Int, on date: Instant, from source: some PeopleSource) {
        subjects[slot].isStale = false
        guard let handle = subjects[slot].handle else { return }
        let person = source.person(with: handle)
        setCheck(of: slot, at: person?.changesAt, from: date)
        let isChanged = subjects[slot].set(person?.description)
        if isChanged { subjects[slot].chargesLeft = subjects[slot].cause == nil ? 0 : limits.maximumChargesPerChange }
        guard isChanged || subjects[slot].changesPermission else { return }
        subjects[slot].changesPermission = false
        for place in subjects[slot].watchers { markPending(place) }
    }

    private mutating func markPending(_ place: WatchedHandle.Place) {
        guard watchers[place.watcher]?.entries[place.entry].isPending == false else { return }
        watchers[place.watcher]?.entries[place.entry].isPending = true
        watchers[place.watcher]?.pending.append(place.entry)
        makeReady(place.watcher)
    }

    // MARK: Quiet hours

    /// Has the handles described anew at whose minute the wall clock has arrived.
    private mutating func takeChecks(on date: Instant) {
        guard !checks.isEmpty else { return }
        for minute in checks.keys.sorted() where Self.nanoseconds(ofMinute: minute) <= date.nanoseconds {
            let slots = checks.removeValue(forKey: minute)?.sorted() ?? []
            for slot in slots where subjects[slot].checkMinute == minute {
                subjects[slot].checkMinute = nil
                subjects[slot].cause = nil
                markStale(slot)
            }
        }
    }

    /// Sets the minute at which a person is described anew: that of the change, or an earlier one.
    ///
    /// Minutes are few, so that thousands of people whose quiet hours end at the same time share an entry.
    private mutating func setCheck(of slot: Int, at change: Instant?, from date: Instant) {
        guard let change else {
            subjects[slot].checkMinute = nil
            return
        }
        let latest = date + limits.maximumClockInterval
        let minute = max(Self.minute(of: min(change, latest)), Self.minute(of: date) &+ 1)
        guard subjects[slot].checkMinute != minute else { return }
        subjects[slot].checkMinute = minute
        checks[minute, default: []].insert(slot)
    }

    /// The minute at whose beginning a date is reached, rounded up, since 1970.
    private static func minute(of date: Instant) -> Int64 {
        let (minutes, rest) = date.nanoseconds.quotientAndRemainder(dividingBy: nanosecondsOfMinute)
        return rest > 0 ? minutes &+ 1 : minutes
    }

    private static func nanoseconds(ofMinute minute: Int64) -> Int64 {
        let (product, overflow) = minute.multipliedReportingOverflow(by: nanosecondsOfMinute)
        return overflow ? .max : product
    }

    private static let nanosecondsOfMinute: Int64 = 60_000_000_000
}

extension Person {
    /// The approximate size of the person in a message, in bytes.
    public var byteCount: Int {
        96 + handle.value.utf8.count + (name?.utf8.count ?? 0) + (department?.utf8.count ?? 0)
            + (photoHash.map { $0.utf8.count + 16 } ?? 0)
    }
}
