/// All the engine's timers: one heap by instant, each entry removable, so that none outlives what it was for.
struct Deadlines {
    /// What is due.
    enum Kind: Hashable {
        /// Nobody answered the conversation's invitation.
        case ring(ConversationID)
        /// The client has not completed what it was told to perform, or not answered an offer.
        case transaction(SessionID, TransactionUUID)
        /// A lost client has not come back.
        case grace(SessionID)
        /// The drain's grace is over.
        case drain
    }

    private struct Entry {
        var instant: Instant
        /// Breaks ties in the order of setting.
        var number: UInt64
        var kind: Kind

        func isBefore(_ other: Entry) -> Bool {
            (instant, number) < (other.instant, other.number)
        }
    }

    private var heap: [Entry] = []
    private var position = Positions()
    private var lastNumber: UInt64 = 0

    /// The earliest instant at which something is due.
    var next: Instant? { heap.first?.instant }

    /// How many timers run.
    var count: Int { heap.count }

    /// Whether a timer runs.
    func isSet(_ kind: Kind) -> Bool { position[kind].map { heap[$0].kind == kind } == true }

    /// Starts a timer, in place of one of the same kind that runs.
    mutating func set(_ kind: Kind, at instant: Instant) {
        cancel(kind)
        lastNumber += 1
        heap.append(Entry(instant: instant, number: lastNumber, kind: kind))
        position[kind] = heap.count - 1
        rise(heap.count - 1)
    }

    /// Stops a timer, if it runs.
    mutating func cancel(_ kind: Kind) {
        guard let index = position[kind], heap[index].kind == kind else { return }
        remove(at: index)
    }

    /// Takes out what is due at `now`, the earliest first; nil where nothing is.
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

/// Where in the heap each timer is: by slot where its owner has one, so that nothing is hashed in the course of a call.
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
