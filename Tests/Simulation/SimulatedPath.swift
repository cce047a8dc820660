import HubEngine

/// The messages that a client sends.
enum UplinkMessage {
    case open(isAfterReset: Bool)
    case resume(Int, after: Int)
    case request(UInt64, Request)
    case close
}

/// The messages that the hub sends.
enum DownlinkMessage {
    case opened(Int, calls: [CallSnapshot], isResumed: Bool)
    /// The response to an observer, which requests the account's other calls as soon as it is signed in.
    case elsewhere([ObservedCall])
    /// The response to `open` or `resume` that is refused.
    case openRefused(Refusal.Code)
    case reply(UInt64, Reply)
    case notified(Int, Notification)
    case closing
}

/// One direction of a connection: messages keep their order, and those under way when the connection breaks are lost.
struct SimulatedPath<Message> {
    /// The time that a message takes.
    var delay = Duration.zero
    private var messages: [(due: Instant, message: Message)] = []
    private var head = 0
    private var lastDue = Instant(nanoseconds: .min)

    /// The time at which the next message arrives.
    var next: Instant? { head < messages.count ? messages[head].due : nil }

    var isEmpty: Bool { head == messages.count }

    mutating func send(_ message: Message, at now: Instant) {
        lastDue = max(lastDue, now + delay)
        messages.append((lastDue, message))
    }

    mutating func receive() -> Message {
        let message = messages[head].message
        head += 1
        if head == messages.count { clear() }
        return message
    }

    mutating func clear() {
        messages.removeAll(keepingCapacity: true)
        head = 0
    }
}
