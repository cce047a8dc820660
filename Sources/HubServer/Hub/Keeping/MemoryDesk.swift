import HubEngine
import HubWire

/// What clients ask of the hub's memory: one account's requests one after the other, as each is written before it is done.
struct MemoryDesk {
    /// A request that is being seen to.
    struct Visit: Sendable {
        let request: MemoryRequest
        let asker: MemoryAsker
        let connection: ConnectionID
        /// Nil: the client wants no answer.
        let id: RequestID?
    }

    /// By account: those that wait until what is written for the one before is written.
    private var waiting: [String: [Visit]] = [:]

    /// Takes a request.
    ///
    /// - Parameter visit: The request.
    /// - Returns: What is to be done with it.
    mutating func take(_ visit: Visit) -> Turn {
        guard var queue = waiting[visit.asker.account] else { return .now }
        guard queue.count < Self.longestQueue else { return .never }
        waiting[visit.asker.account] = nil
        queue.append(visit)
        waiting[visit.asker.account] = queue
        return .later
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
    mutating func end(_ account: String) -> [Visit] {
        waiting.removeValue(forKey: account) ?? []
    }

    /// Of one account.
    ///
    /// More: more is asked for in one go while a disk is slow; more memory.
    private static let longestQueue = 256
}
