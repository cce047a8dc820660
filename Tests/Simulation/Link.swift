import HubEngine

/// What a client sends.
enum Upward {
    case open(isAfterReset: Bool)
    case resume(Int, after: Int)
    case request(UInt64, Request)
    case close
}

/// What the hub sends.
enum Downward {
    case opened(Int, calls: [CallSnapshot], isResumed: Bool)
    /// To an observer that asks for the account's other calls as soon as it is signed in.
    case elsewhere([ObservedCall])
    /// To `open` or `resume`.
    case turnedAway(Refusal.Code)
    case reply(UInt64, Reply)
    case told(Int, Notification)
    case closing
}

/// One direction of a connection: nothing overtakes, and what is in it when the connection breaks is lost.
struct Link<Message> {
    /// How long a message takes.
    var delay = Duration.zero
    private var messages: [(due: Instant, message: Message)] = []
    private var head = 0
    private var lastDue = Instant(nanoseconds: .min)

    /// When the next message arrives.
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
