import HubCrypto
import HubWire

/// The verification of an audit log, entry by entry in their order.
struct AuditChain {
    private let start: AuditHead?
    private var count = 0
    private var head: AuditHead?
    private var fault: (number: Int64, sentence: String)?
    /// True if an entry says that those up to the start were removed for their age.
    private var confirmsStart: Bool

    /// Begins with the first entry that is left.
    ///
    /// - Parameter start: The last entry that was removed; nil: none was.
    init(after start: AuditHead?) {
        self.start = start
        confirmsStart = start == nil
    }

    /// Adds the next entry.
    ///
    /// - Parameters:
    ///   - entry: The entry; nil: a column of it is not valid.
    ///   - number: Its number.
    mutating func add(_ entry: AuditEntry?, number: Int64) {
        count += 1
        let last = head ?? start
        let expected = (last?.number ?? 0) &+ 1
        guard let entry else { return note(number, "entry \(number) was changed") }
        defer { head = AuditHead(number: number, hash: entry.hash) }
        if number != expected {
            note(expected, "entry \(expected) is missing; the next one is \(number)")
        } else if entry.previous != last?.hash ?? StoreFile.noHash {
            note(number, "entry \(number) does not follow the one before it, which was changed, replaced or moved")
        } else if SHA256.digest(entry.hashedBytes) != entry.hash {
            note(number, "entry \(number) was changed")
        }
        guard entry.act.name == StoreFile.pruning, let start else { return }
        if entry.act.target == String(start.number), entry.act.detail == start.hash.hexadecimal {
            confirmsStart = true
        }
    }

    /// The outcome after the last entry.
    ///
    /// - Parameter highestNumber: The highest number that any entry has had.
    /// - Returns: The number of entries, the head, and the first fault.
    func verification(highestNumber: Int64) -> AuditVerification {
        var fault = fault
        let last = head?.number ?? start?.number ?? 0
        if fault == nil, let start, !confirmsStart {
            fault = (start.number, "the entries up to \(start.number) were removed, and no entry says so")
        }
        if fault == nil, highestNumber > last {
            fault = (last &+ 1, "the last entries, up to \(highestNumber), are missing")
        }
        return AuditVerification(count: count, head: head, faultAt: fault?.number, fault: fault?.sentence)
    }

    private mutating func note(_ number: Int64, _ sentence: String) {
        if fault == nil { fault = (number, sentence) }
    }
}
