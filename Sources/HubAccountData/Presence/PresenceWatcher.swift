import HubEngine

/// A session that watches people.
struct PresenceWatcher: Sendable {
    /// A handle in the watcher's list.
    struct Entry: Sendable {
        /// The slot of the watched handle.
        let subject: Int
        /// The index of this entry among the handle's watchers.
        var place: Int
        /// The revision of the description that the watcher was told last; 0: that there is nobody, or unknown.
        var told: UInt32 = 0
        /// True while the entry is among `pending`.
        var isPending = false
    }

    /// The stage between two notifications.
    enum Phase: Sendable {
        /// The next change is sent at once.
        ///
        /// Can transition to:
        /// - `ready` when a person has changed.
        case idle
        /// A notification is about to be sent.
        ///
        /// Can transition to:
        /// - `resting` when it is sent.
        /// - `idle` when nothing has changed after all, or the connection is lost.
        case ready
        /// Changes are collected until the next notification.
        ///
        /// Can transition to:
        /// - `idle` when the interval is over.
        case resting
    }

    /// The watched handles, in the client's order.
    var entries: [Entry] = []
    /// The indices of entries whose person may have changed, in the order of the changes.
    var pending: [Int] = []
    var phase = Phase.idle
    /// True while the connection is lost.
    var isPaused = false

    /// Empties the list; the interval since the last notification goes on.
    mutating func clear() {
        entries = []
        pending = []
    }
}

/// A handle that is watched, in one spelling, with the descriptions of its person.
struct WatchedHandle: Sendable {
    /// A watcher, and the index of the handle in its list.
    struct Place: Sendable {
        let watcher: SessionID
        let entry: Int
    }

    /// The handle; nil: a slot that is not in use.
    let handle: Handle?
    var watchers: [Place] = []
    /// The revision of the present description; 0: nobody has the handle.
    private(set) var revision: UInt32 = 0
    /// The last descriptions with their revisions: one that returns has its former revision again.
    private var descriptions: [(revision: UInt32, description: PersonDescription)] = []
    private var lastRevision: UInt32 = 0
    /// True while the handle is queued to be described anew.
    var isStale = false
    /// True if the permission to see the person may have changed.
    var changesPermission = false
    /// The minute of the wall clock at which the handle is described anew; nil: at no time.
    var checkMinute: Int64?
    /// The session whose request has caused the last change; nil: none.
    var cause: SessionID?
    /// The number of further notifications of the change for which the cause is charged.
    var chargesLeft = 0

    init(_ handle: Handle?) {
        self.handle = handle
    }

    /// Sets the present description; returns false if it is the same as before.
    mutating func set(_ description: PersonDescription?) -> Bool {
        let former = revision
        revision = description.map { revision(of: $0) } ?? 0
        return revision != former
    }

    private mutating func revision(of description: PersonDescription) -> UInt32 {
        if let known = descriptions.last(where: { $0.description == description }) { return known.revision }
        lastRevision &+= 1
        if lastRevision == 0 { lastRevision = 1 }
        if descriptions.count >= Self.maximumDescriptions { descriptions.removeFirst() }
        descriptions.append((lastRevision, description))
        return lastRevision
    }

    /// Returns the person at a revision; one without a name at 0.
    func person(at revision: UInt32) -> Person? {
        guard let handle else { return nil }
        guard revision != 0, let known = descriptions.last(where: { $0.revision == revision })?.description else {
            return Person(handle: handle)
        }
        return Person(
            handle: handle,
            name: known.name,
            department: known.department,
            presence: known.presence,
            photoHash: known.photoHash
        )
    }

    /// The maximum number of descriptions that are kept.
    ///
    /// More: fewer notifications of a state that a watcher has; more memory for each watched person.
    private static let maximumDescriptions = 8
}

/// A first-in, first-out queue.
struct WorkQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard let element = first else { return nil }
        head += 1
        // Each element is moved at most once on average.
        if head > 64, head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
