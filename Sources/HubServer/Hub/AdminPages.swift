import HubEngine
import HubWire

/// Where an entry of an administrator's list stands: what the list is ordered by, as a text that a client hands back.
///
/// The entry itself may be gone by then: the list goes on behind where it stood.
struct AdminPlace: Comparable {
    /// The account, or nothing.
    var name = ""
    /// A time, or nothing.
    var nanoseconds: Int64 = 0
    /// What tells those of the same moment apart; without spaces.
    var identity = ""

    /// As it goes over the wire.
    var text: String { "\(nanoseconds) \(identity) \(name)" }

    static func < (left: AdminPlace, right: AdminPlace) -> Bool {
        (left.name, left.nanoseconds, left.identity) < (right.name, right.nanoseconds, right.identity)
    }
}

extension AdminPlace {
    /// Reads what `text` has written; nil: it is not of that kind.
    init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let nanoseconds = Int64(parts[0]) else { return nil }
        self.init(name: parts[2], nanoseconds: nanoseconds, identity: parts[1])
    }
}

/// A list for an administrator, whose entries have their places.
protocol AdminEntry {
    var place: AdminPlace { get }
    /// About how many bytes it takes in an answer.
    var byteCount: Int { get }
}

extension AdminPage {
    /// A page of a list.
    ///
    /// - Parameter list: All of it, in whatever order.
    /// - Returns: The page, and where the next one begins; nil: there is none.
    /// - Throws: Where `after` is none of ours.
    func cut<Entry: AdminEntry>(_ list: [Entry]) throws(WireError) -> (entries: [Entry], next: String?) {
        var rest = list.map { (place: $0.place, entry: $0) }
        if let after {
            guard let start = AdminPlace(text: after) else {
                let message = "params.after is none of the hub's; it must be what an answer had as next"
                throw WireError(.general(.invalidArgument), message)
            }
            rest.removeAll { $0.place <= start }
        }
        rest.sort { $0.place < $1.place }
        var (page, bytes): ([Entry], Int) = ([], 0)
        let most = min(limit ?? Self.longest, Self.longest)
        for (_, entry) in rest.prefix(most) {
            bytes += entry.byteCount
            // At least one, or the list would have no end.
            guard page.isEmpty || bytes <= Self.mostBytes else { break }
            page.append(entry)
        }
        return (page, page.count < rest.count ? page.last?.place.text : nil)
    }

    /// About how long an answer may be.
    ///
    /// More: fewer requests; an answer may be more than may wait for a client, which is then taken for a slow one.
    private static let mostBytes = 262_144
}

extension AdminCall: AdminEntry {
    var place: AdminPlace {
        AdminPlace(nanoseconds: startedAt?.nanoseconds ?? .max, identity: conversation.recordedText)
    }

    var byteCount: Int { 256 + caller.byteCount + callee.byteCount }
}

extension AdminCall.Party {
    fileprivate var byteCount: Int {
        devices.reduce((account?.utf8.count ?? 0) + handle.value.utf8.count) { $0 + $1.utf8.count + 3 }
    }
}

extension AdminDevice: AdminEntry {
    var place: AdminPlace { AdminPlace(name: account, nanoseconds: since.nanoseconds, identity: session) }

    var byteCount: Int { 256 + account.utf8.count + (device.id?.utf8.count ?? 0) + (device.name?.utf8.count ?? 0) }
}

extension AdminAccount: AdminEntry {
    var place: AdminPlace { AdminPlace(name: account) }

    var byteCount: Int { handles.reduce(64 + account.utf8.count) { $0 + 48 + $1.value.utf8.count } }
}
