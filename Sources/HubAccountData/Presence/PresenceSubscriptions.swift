public import HubEngine

/// The subscriptions to people's presence: the watchers of each handle, and what each watcher was last told.
///
/// A value without a clock: the driver marks handles whose people may have changed, and calls `update` when
/// `nextDeadline` has come and after each event. Each change is then described once, however many watch it, and each
/// watcher is sent at most one notification in `PresenceLimits.interval`. The permission to see is checked when a
/// notification is made, so that a block ends seeing at once.
public struct PresenceSubscriptions: Sendable {
    // This file has the watchers' side; PresenceSubscriptions+Updates makes the notifications.

    /// The limits.
    public let limits: PresenceLimits
    /// The number of watched handles of all watchers.
    public private(set) var count = 0

    var watchers: [SessionID: PresenceWatcher] = [:]
    /// The watched handles by slot; each spelling of a handle has one of its own.
    var subjects: [WatchedHandle] = []
    private var freeSubjects: [Int] = []
    private var slots: [Handle: Int] = [:]
    private var slotsByKey: [Handle: [Int]] = [:]
    private var handleBytes = 0

    /// The slots of handles that are to be described anew, in the order of the changes.
    var stale = WorkQueue<Int>()
    /// The watchers that may be notified at once.
    var ready = WorkQueue<SessionID>()
    /// The watchers that were notified, in the order in which they may be notified again.
    var resting = WorkQueue<(until: Instant, watcher: SessionID)>()
    /// The slots by the minute of the wall clock at which quiet hours are to be looked at.
    var checks: [Int64: Set<Int>] = [:]
    /// The time of the last update.
    var updatedAt = Instant(nanoseconds: .min)

    /// Creates an empty table.
    public init(limits: PresenceLimits = PresenceLimits()) {
        self.limits = limits
    }

    /// True if nobody watches anybody.
    public var isEmpty: Bool { count == 0 }

    /// The number of distinct watched handles.
    var watchedHandleCount: Int { slots.count }

    // MARK: Watchers

    /// Replaces the handles that a session watches, and tells it the present state.
    ///
    /// - Parameters:
    ///   - watcher: The session.
    ///   - handles: The handles; none ends the subscription.
    ///   - date: The date by the wall clock.
    ///   - source: The descriptions.
    /// - Returns: A person for each handle, in order.
    /// - Throws: `tooMany` if all watchers' handles are too large together; then the former subscription stays.
    public mutating func subscribe(
        _ watcher: SessionID,
        to handles: [Handle],
        on date: Instant,
        from source: some PeopleSource
    ) throws(AccountDataError) -> [Person] {
        let added = Set(handles).reduce(0) { $0 + (slots[$1] == nil ? $1.value.utf8.count : 0) }
        guard added == 0 || handleBytes + added <= limits.maximumHandleBytes else {
            throw .tooMany("all clients together watch too many handles; watch fewer, or try again later")
        }
        for entry in watchers[watcher]?.entries ?? [] { leave(entry) }
        watchers[watcher, default: PresenceWatcher()].clear()
        var places: [Handle: Int] = [:]
        for handle in handles where places[handle] == nil {
            places[handle] = join(watcher, handle)
            describe(slot(of: handle), on: date, from: source)
        }
        // The answer has what the descriptions above have queued.
        watchers[watcher]?.pending = []
        return handles.map { tell(watcher, places[$0] ?? 0, $0, source) }
    }

    /// Adds a handle to a watcher's list, and returns its place there.
    private mutating func join(_ watcher: SessionID, _ handle: Handle) -> Int {
        let slot = slot(of: handle)
        let place = watchers[watcher]?.entries.count ?? 0
        subjects[slot].watchers.append(WatchedHandle.Place(watcher: watcher, entry: place))
        let entry = PresenceWatcher.Entry(subject: slot, place: subjects[slot].watchers.count - 1)
        watchers[watcher]?.entries.append(entry)
        count += 1
        return place
    }

    /// Describes an entry of a watcher's list to the watcher.
    private mutating func tell(
        _ watcher: SessionID,
        _ entry: Int,
        _ handle: Handle,
        _ source: some PeopleSource
    ) -> Person {
        guard let slot = watchers[watcher]?.entries[entry].subject else { return Person(handle: handle) }
        let told = source.maySee(handle, watcher) ? subjects[slot].revision : 0
        watchers[watcher]?.entries[entry].told = told
        watchers[watcher]?.entries[entry].isPending = false
        return subjects[slot].person(at: told) ?? Person(handle: handle)
    }

    /// Notes that a session has lost its connection: it is sent nothing until `resume`.
    public mutating func pause(_ watcher: SessionID) { watchers[watcher]?.isPaused = true }

    /// Notes that a session has a connection again: the changes since the loss are sent.
    public mutating func resume(_ watcher: SessionID) {
        watchers[watcher]?.isPaused = false
        makeReady(watcher)
    }

    /// Removes a session that has ended.
    public mutating func remove(_ watcher: SessionID) {
        guard let state = watchers.removeValue(forKey: watcher) else { return }
        for entry in state.entries { leave(entry) }
    }

    /// Queues a watcher with changes that may be notified now.
    mutating func makeReady(_ watcher: SessionID) {
        guard watchers[watcher]?.phase == .idle, watchers[watcher]?.isPaused == false,
            watchers[watcher]?.pending.isEmpty == false
        else { return }
        watchers[watcher]?.phase = .ready
        ready.append(watcher)
    }

    // MARK: Watched handles

    /// Notes that the person with a handle may have changed.
    ///
    /// - Parameters:
    ///   - handle: The handle in any spelling.
    ///   - changesPermission: True if the permission to see the person may have changed.
    ///   - cause: The session whose request has caused the change; nil: none.
    public mutating func mark(_ handle: Handle, changesPermission: Bool = false, causedBy cause: SessionID? = nil) {
        guard !slots.isEmpty else { return }
        for slot in slotsByKey[handle.key] ?? [] {
            if changesPermission { subjects[slot].changesPermission = true }
            subjects[slot].cause = cause ?? (subjects[slot].isStale ? subjects[slot].cause : nil)
            markStale(slot)
        }
    }

    mutating func markStale(_ slot: Int) {
        guard !subjects[slot].isStale else { return }
        subjects[slot].isStale = true
        stale.append(slot)
    }

    /// Returns the slot of a handle in this spelling, which is made if nobody watches it.
    private mutating func slot(of handle: Handle) -> Int {
        if let known = slots[handle] { return known }
        let made = WatchedHandle(handle)
        let slot = freeSubjects.popLast() ?? subjects.count
        if slot == subjects.count { subjects.append(made) } else { subjects[slot] = made }
        slots[handle] = slot
        slotsByKey[handle.key, default: []].append(slot)
        handleBytes += handle.value.utf8.count
        return slot
    }

    /// Removes a watcher's entry from its handle, and the handle if it was the last one.
    private mutating func leave(_ entry: PresenceWatcher.Entry) {
        count -= 1
        let slot = entry.subject
        // The last place moves to the one that is left.
        guard let moved = subjects[slot].watchers.popLast() else { return }
        if entry.place < subjects[slot].watchers.count {
            subjects[slot].watchers[entry.place] = moved
            watchers[moved.watcher]?.entries[moved.entry].place = entry.place
        }
        guard subjects[slot].watchers.isEmpty, let handle = subjects[slot].handle else { return }
        slots[handle] = nil
        slotsByKey[handle.key]?.removeAll { $0 == slot }
        if slotsByKey[handle.key]?.isEmpty == true { slotsByKey[handle.key] = nil }
        handleBytes -= handle.value.utf8.count
        subjects[slot] = WatchedHandle(nil)
        freeSubjects.append(slot)
    }
}
