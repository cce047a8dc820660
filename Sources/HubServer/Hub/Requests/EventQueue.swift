import HubEngine

/// The events that the engine has yet to handle, in order, and the count of their causes.
struct EventQueue {
    /// An event with the session that is charged for its effects; nil: none.
    typealias Entry = (event: Event, chargedSession: ClientSession?)

    private var entries: [Entry] = []

    /// True while events are being handled; those added meanwhile have the same cause.
    private(set) var isRunning = false

    /// The number of the external cause whose effects are being executed, for recorders.
    private(set) var cause: UInt64 = 0

    /// Counts an external cause, unless events are being handled: all their effects share one number.
    mutating func noteCause() {
        if !isRunning { cause &+= 1 }
    }

    /// Adds an event behind the others.
    mutating func append(_ event: Event, causedBy chargedSession: ClientSession?) {
        entries.append((event, chargedSession))
    }

    /// Removes and returns the next event; nil: there is none, and `isRunning` ends.
    mutating func next() -> Entry? {
        isRunning = !entries.isEmpty
        return isRunning ? entries.removeFirst() : nil
    }
}
