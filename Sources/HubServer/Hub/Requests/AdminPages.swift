import HubEngine
import HubWire

/// The position of an entry in an administrator's list, by which the list is sorted.
///
/// A client returns its text form to get the next page. The entry itself may be gone by then: the list continues behind
/// its position.
struct AdminListPosition: Comparable {
    /// The account, or empty.
    var name = ""
    /// A time in nanoseconds, or 0.
    var nanoseconds: Int64 = 0
    /// The name of the entry among those of the same time; without spaces.
    var identity = ""

    /// The text form in messages.
    var text: String { "\(nanoseconds) \(identity) \(name)" }

    static func < (left: AdminListPosition, right: AdminListPosition) -> Bool {
        (left.name, left.nanoseconds, left.identity) < (right.name, right.nanoseconds, right.identity)
    }
}

extension AdminListPosition {
    /// Parses the text form; nil if it is malformed.
    init?(text: String) {
        let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let nanoseconds = Int64(parts[0]) else { return nil }
        self.init(name: parts[2], nanoseconds: nanoseconds, identity: parts[1])
    }
}

/// An entry of an administrator's list.
protocol AdminEntry {
    var listPosition: AdminListPosition { get }
    /// The approximate size of the entry in an answer, in bytes.
    var byteCount: Int { get }
}

extension AdminPage {
    /// Cuts a page out of a list.
    ///
    /// - Parameter list: The whole list, in any order.
    /// - Returns: The page, and `after` of the next page; nil: it is the last one.
    /// - Throws: `WireError` (invalid argument) if `after` is not a position.
    func cut<Entry: AdminEntry>(_ list: [Entry]) throws(WireError) -> (entries: [Entry], next: String?) {
        var rest = list.map { (listPosition: $0.listPosition, entry: $0) }
        if let after {
            guard let start = AdminListPosition(text: after) else {
                let message = "params.after is none of the hub's; it must be what an answer had as next"
                throw WireError(.general(.invalidArgument), message)
            }
            rest.removeAll { $0.listPosition <= start }
        }
        rest.sort { $0.listPosition < $1.listPosition }
        var (page, bytes): ([Entry], Int) = ([], 0)
        let most = min(limit ?? Self.longest, Self.longest)
        for (_, entry) in rest.prefix(most) {
            bytes += entry.byteCount
            // At least one entry, or the list would have no end.
            guard page.isEmpty || bytes <= Self.maximumBytes else { break }
            page.append(entry)
        }
        return (page, page.count < rest.count ? page.last?.listPosition.text : nil)
    }

    /// The approximate maximum size of an answer, in bytes.
    ///
    /// More: fewer requests; an answer may exceed the client's send queue, so that the client is closed as a slow
    /// consumer.
    private static let maximumBytes = 262_144
}

extension AdminCall: AdminEntry {
    var listPosition: AdminListPosition {
        AdminListPosition(nanoseconds: startedAt?.nanoseconds ?? .max, identity: conversation.logText)
    }

    var byteCount: Int { 256 + caller.byteCount + callee.byteCount }
}

extension AdminCall.Party {
    fileprivate var byteCount: Int {
        devices.reduce((account?.utf8.count ?? 0) + handle.value.utf8.count) { $0 + $1.utf8.count + 3 }
    }
}

extension AdminDevice: AdminEntry {
    var listPosition: AdminListPosition {
        AdminListPosition(name: account, nanoseconds: since.nanoseconds, identity: session)
    }

    var byteCount: Int { 256 + account.utf8.count + (device.id?.utf8.count ?? 0) + (device.name?.utf8.count ?? 0) }
}

extension AdminAccount: AdminEntry {
    var listPosition: AdminListPosition { AdminListPosition(name: account) }

    var byteCount: Int { handles.reduce(64 + account.utf8.count) { $0 + 48 + $1.value.utf8.count } }
}
