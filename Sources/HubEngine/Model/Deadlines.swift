/// All timers of the engine, in one heap by instant; each can be cancelled, so none outlives its purpose.
struct Deadlines {
    /// The kind of a timer, with the object it belongs to.
    enum Kind: Hashable {
        /// The ring timeout: nobody has answered the conversation's invitation.
        case ring(ConversationID)
        /// The client has not fulfilled an action or answered an offer in time, or a soft pause is over.
        case transaction(SessionID, TransactionUUID)
        /// The grace period of a lost session.
        case grace(SessionID)
        /// The grace period of the drain.
        case drain
    }

    private struct Entry {
        var instant: Instant
        /// The order of setting, which decides between equal instants.
        var number: UInt64
        var kind: Kind

        func isBefore(_ other: Entry) -> Bool {
            (instant, number) < (other.instant, other.number)
        }
    }

    private var heap: [Entry] = []
    private var position = Positions()
    private var lastNumber: UInt64 = 0

    /// The earliest instant at which a timer is due; nil if none runs.
    var next: Instant? { heap.first?.instant }

    /// The number of running timers.
    var count: Int { heap.count }

    /// Indicates that a timer runs.
    func isSet(_ kind: Kind) -> Bool { position[kind].map { heap[$0].kind == kind } == true }

    /// Starts a timer and replaces a running one of the same kind.
    mutating func set(_ kind: Kind, at instant: Instant) {
        cancel(kind)
        lastNumber += 1
        heap.append(Entry(instant: instant, number: lastNumber, kind: kind))
        position[kind] = heap.count - 1
        rise(heap.count - 1)
    }

    /// Stops a timer if it runs.
    mutating func cancel(_ kind: Kind) {
        guard let index = position[kind], heap[index].kind == kind else { return }
        remove(at: index)
    }

    /// Removes and returns the earliest timer that is due at `now`; nil if none is.
    mutating func popDue(at now: Instant) -> (kind: Kind, instant: Instant)? {
        guard let first = heap.first, first.instant <= now else { return nil }
        remove(at: 0)
        return (first.kind, first.instant)
    }

    private mutating func remove(at index: Int) {
        position[heap[index].kind] = nil
        let last = heap.removeLast()
        guard index < heap.count else { return }
        heap[index] = last
        position[last.kind] = index
        rise(index)
        sink(index)
    }

    private mutating func rise(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { return }
            exchange(index, parent)
            index = parent
        }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != index else { return }
            exchange(index, least)
            index = least
        }
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        position[heap[left].kind] = left
        position[heap[right].kind] = right
    }
}

/// The index of each timer in the heap: by slot if its owner has one, which saves hashing during a call.
private struct Positions {
    private var rings: [Int?] = []
    private var graces: [Int?] = []
    private var transactions: [Deadlines.Kind: Int] = [:]
    private var drain: Int?

    subscript(kind: Deadlines.Kind) -> Int? {
        get {
            switch kind {
            case .ring(let conversation): Self.place(conversation.index, in: rings)
            case .grace(let session): Self.place(session.index, in: graces)
            case .transaction: transactions.isEmpty ? nil : transactions[kind]
            case .drain: drain
            }
        }
        set {
            switch kind {
            case .ring(let conversation): Self.set(newValue, conversation.index, in: &rings)
            case .grace(let session): Self.set(newValue, session.index, in: &graces)
            case .transaction: transactions[kind] = newValue
            case .drain: drain = newValue
            }
        }
    }

    private static func place(_ slot: UInt32, in places: [Int?]) -> Int? {
        let slot = Int(slot)
        return slot < places.count ? places[slot] : nil
    }

    private static func set(_ place: Int?, _ slot: UInt32, in places: inout [Int?]) {
        let slot = Int(slot)
        if slot >= places.count { places += Array(repeating: nil, count: slot + 1 - places.count) }
        places[slot] = place
    }
}
