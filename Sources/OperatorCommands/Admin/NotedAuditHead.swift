import CommandLineTools
import HubWire

/// The head of the audit log that was noted elsewhere earlier: the entry that must still be there (`--head`).
struct NotedAuditHead {
    private let head: AuditHead

    /// Parses the value of `--head`: number and SHA-256 of an entry, as the hub's log and `--verify` print them.
    ///
    /// - Parameter text: Like `42:9f2c…`, with 64 hexadecimal digits.
    /// - Throws: `UsageError` for another form.
    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number > 0,
            let hash = [UInt8](hexadecimal: String(parts[1])),
            hash.count == 32
        else {
            throw UsageError(
                "--head is \(quoted(text)); it must be the number and the SHA-256 of an entry, with a colon between "
                    + "them, like 42:\(String(repeating: "9f2c", count: 2))… (64 hexadecimal digits)."
            )
        }
        head = AuditHead(number: number, hash: hash)
    }

    /// The number up to which, exclusively, the newest entry is the noted one.
    var bound: Int64 { head.number == .max ? .max : head.number + 1 }

    /// Compares the noted head with the log.
    ///
    /// - Parameter newest: The newest entry below `bound`; nil: there is none.
    /// - Throws: `CommandFailure` (4) if the noted entry is not there, or is another one.
    func verify(against newest: AuditEntry?) throws(CommandFailure) {
        guard let newest, newest.number == head.number else {
            throw CommandFailure(
                4,
                "the audit log has no entry \(head.number), which was noted: it was cut off, or removed for its age."
            )
        }
        guard newest.hash == head.hash else {
            throw CommandFailure(
                4,
                "the audit log was written anew: entry \(head.number) is not the one that was noted."
            )
        }
    }
}
