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
        siftUp(heap.count - 1)
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
        siftUp(index)
        siftDown(index)
    }

    private mutating func siftUp(_ start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].isBefore(heap[parent]) else { return }
            swapEntries(index, parent)
            index = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != index else { return }
            swapEntries(index, least)
            index = least
        }
    }

    private mutating func swapEntries(_ left: Int, _ right: Int) {
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
            case .ring(let conversation): Self.heapIndex(conversation.index, in: rings)
            case .grace(let session): Self.heapIndex(session.index, in: graces)
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

    private static func heapIndex(_ slot: UInt32, in heapIndexes: [Int?]) -> Int? {
        let slot = Int(slot)
        return slot < heapIndexes.count ? heapIndexes[slot] : nil
    }

    private static func set(_ heapIndex: Int?, _ slot: UInt32, in heapIndexes: inout [Int?]) {
        let slot = Int(slot)
        if slot >= heapIndexes.count { heapIndexes += Array(repeating: nil, count: slot + 1 - heapIndexes.count) }
        heapIndexes[slot] = heapIndex
    }
}
