import HubAccountData
import HubClient

/// A call that must or may be in an account's Recents, as its parties saw it.
struct ExpectedCall: Sendable {
    /// A description of the call, for findings.
    var what: String
    var handle: Handle
    var isOutgoing: Bool
    var outcome: RecentCall.Outcome
    var isSilenced = false
    /// The last snapshot that the account's own client received.
    var last: CallSnapshot?
    /// True if a party was notified of the end, or the request to end was accepted; otherwise the entry is optional.
    var isCertain: Bool

    /// Indicates that an entry can be this call's.
    func fits(_ call: RecentCall) -> Bool {
        guard call.handle == handle, call.isOutgoing == isOutgoing, call.outcome == outcome,
            call.isSilenced == isSilenced
        else { return false }
        guard let last, last.hasEnded else { return true }
        return call.startedAt == last.startedAt && call.connectedAt == last.connectedAt
            && call.endedAt == last.endedAt && call.name == last.localizedCallerName
    }
}

/// The entries of an account's Recents from hub to hub, of which only the oldest may go and none may come unexpected.
struct RecentsModel {
    /// The most entries that the hub keeps.
    let limit: Int
    /// The entries at the last check, the oldest first.
    private(set) var known: [RecentUUID] = []
    /// All entries that there ever were: none of them may come back.
    private var ever: Set<RecentUUID> = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Compares the entries that the next hub has.
    ///
    /// - Parameters:
    ///   - entries: All entries of the account, the oldest first.
    ///   - expected: The calls since the last check, in their order.
    /// - Returns: A sentence for each fault.
    mutating func take(_ entries: [RecentEntry], _ expected: [ExpectedCall]) -> [String] {
        let ids = entries.map(\.call.id)
        var faults: [String] = []
        if Set(ids).count < ids.count { faults.append("an entry of Recents is there twice, under one id") }
        let old = Array(ids.prefix { ever.contains($0) })
        let new = entries.dropFirst(old.count).map(\.call)
        if new.contains(where: { ever.contains($0.id) }) { faults.append("an old entry is back, or out of order") }
        // As in the hub: beyond the limit each new entry replaces the oldest.
        let surplus = max(0, known.count + new.count - limit)
        if surplus > known.count {
            faults.append("more calls ended than Recents keep, and cannot be judged; let there be less load")
        } else if old != Array(known.dropFirst(surplus)) {
            let missing = Set(known.dropFirst(surplus)).subtracting(old).count
            faults.append("of \(known.count) entries seen before, \(missing) are missing, beside \(new.count) new ones")
        }
        faults += Self.differences(new, expected)
        ever.formUnion(ids)
        known = ids
        return faults
    }

    /// Compares calls in groups whose order is certain: those placed by the account, and those of each caller to it.
    static func differences(_ new: [RecentCall], _ expected: [ExpectedCall]) -> [String] {
        let found = Dictionary(grouping: new) { $0.isOutgoing ? nil : $0.handle }
        let wanted = Dictionary(grouping: expected) { $0.isOutgoing ? nil : $0.handle }
        var faults: [String] = []
        for handle in Set(found.keys).union(wanted.keys) {
            if let fault = difference(found[handle] ?? [], wanted[handle] ?? []) { faults.append(fault) }
        }
        return faults
    }

    /// Returns the first difference; the others follow from it.
    private static func difference(_ found: [RecentCall], _ wanted: [ExpectedCall]) -> String? {
        var rest = found[...]
        for call in wanted {
            if let next = rest.first, call.fits(next) {
                rest.removeFirst()
            } else if call.isCertain {
                let place = rest.first.map { "where it should be is \(describe($0))" } ?? "nothing comes after it"
                return "missing or wrong: \(call.what), \(call.outcome.rawValue); \(place)"
            }
        }
        return rest.first.map { "twice, or never made: \(describe($0)), and \(rest.count - 1) more" }
    }

    private static func describe(_ call: RecentCall) -> String {
        let direction = call.isOutgoing ? "to" : "from"
        let silence = call.isSilenced ? ", silenced" : ""
        return "a call \(direction) \(call.handle.value), \(call.outcome.rawValue)\(silence)"
    }
}
