import HubAccountData
import HubEngine
import HubWire

/// The pending account data requests: an account's are executed in order, each after its changes are written.
struct PendingWrites {
    /// A request that is being processed.
    struct PendingRequest: Sendable {
        let request: AccountDataRequest
        let requester: AccountDataRequester
        /// The time of the request: its changes are computed for the store and executed as of the same time.
        let at: Instant
        /// The token of the request, which is pending.
        let token: RequestToken
        /// The session, if the request's changes are to be in the audit log.
        var actor: AuditActor?
    }

    /// An item that waits until the current write for its account has ended.
    enum QueuedItem {
        case pendingRequest(PendingRequest)
        /// A call that has ended: the store has it already, behind the changes that are being written.
        case call(RecentCall)
    }

    private var waiting: [FoldedName: [QueuedItem]] = [:]

    /// Accepts a request.
    ///
    /// - Parameter pendingRequest: The request.
    /// - Returns: The time of its execution.
    mutating func accept(_ pendingRequest: PendingRequest) -> Disposition {
        let account = FoldedName(pendingRequest.requester.account)
        guard let queue = waiting[account] else { return .now }
        guard queue.count < Self.longestQueue else { return .never }
        waiting[account]?.append(.pendingRequest(pendingRequest))
        return .later
    }

    /// Accepts a call that has ended, so that memory and store have the entries in the same order.
    ///
    /// - Parameters:
    ///   - call: The entry of Recents.
    ///   - account: The name of the account.
    /// - Returns: True if the entry is to be added now; false if it was queued.
    mutating func accept(_ call: RecentCall, of account: String) -> Bool {
        let account = FoldedName(account)
        guard waiting[account] != nil else { return true }
        waiting[account]?.append(.call(call))
        return false
    }

    /// The time of a request's execution.
    enum Disposition {
        case now
        case later
        /// Never: too many requests wait already.
        case never
    }

    /// Notes that a write for an account has begun: further requests and calls are queued.
    mutating func begin(_ account: String) {
        waiting[FoldedName(account), default: []] += []
    }

    /// Notes that the write has ended; returns the queued items, to be accepted again in this order.
    mutating func end(_ account: String) -> [QueuedItem] {
        waiting.removeValue(forKey: FoldedName(account)) ?? []
    }

    /// The maximum number of requests that wait for one account.
    ///
    /// More: more requests at a time while a disk is slow; more memory.
    private static let longestQueue = 256
}
