import HubEngine
import HubWire

/// What clients ask of the hub's memory: one account's requests one after the other, as each is written before it is done.
struct MemoryDesk {
    /// A request that is being seen to.
    struct Visit: Sendable {
        let request: MemoryRequest
        let asker: MemoryAsker
        let connection: ConnectionID
        /// When it was asked: what is written and what is done then are of one moment.
        let at: Instant
        /// Nil: the client wants no answer.
        let id: RequestID?
    }

    /// What waits until what is written for an account is written.
    enum Waiting {
        case visit(Visit)
        /// A call that is over: the store has it already, behind what is being written.
        case call(RecentCall)
    }

    private var waiting: [String: [Waiting]] = [:]

    /// Takes a request.
    ///
    /// - Parameter visit: The request.
    /// - Returns: What is to be done with it.
    mutating func take(_ visit: Visit) -> Turn {
        guard let queue = waiting[visit.asker.account] else { return .now }
        guard queue.count < Self.longestQueue else { return .never }
        waiting[visit.asker.account]?.append(.visit(visit))
        return .later
    }

    /// Takes a call that is over: memory has it in the order in which the store has.
    ///
    /// - Parameters:
    ///   - call: The entry of Recents.
    ///   - account: Whose.
    /// - Returns: Whether it is to be remembered now.
    mutating func take(_ call: RecentCall, of account: String) -> Bool {
        guard waiting[account] != nil else { return true }
        waiting[account]?.append(.call(call))
        return false
    }

    /// When a request's turn is.
    enum Turn {
        case now
        case later
        /// Too many wait already.
        case never
    }

    /// Something is being written for an account: what comes meanwhile waits.
    mutating func begin(_ account: String) {
        waiting[account] = waiting[account] ?? []
    }

    /// It is written; what waits is to be taken anew, in its order.
    mutating func end(_ account: String) -> [Waiting] {
        waiting.removeValue(forKey: account) ?? []
    }

    /// Of one account.
    ///
    /// More: more is asked for in one go while a disk is slow; more memory.
    private static let longestQueue = 256
}
