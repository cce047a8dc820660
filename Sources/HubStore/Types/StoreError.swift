/// The reason why data was not stored or read.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure, for programs and metrics.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// There is no space on the disk.
        case full
        /// The file or its folder is not writable.
        case readOnly
        /// Another process has locked the file for too long.
        case busy
        /// The file is damaged.
        case corrupt
        /// The system could not read or write.
        case inputOutput
        /// The store's queue is full.
        case overload
        /// The store has been closed.
        case closed
        /// The file cannot be opened, or is another program's, a newer version's or another hub's.
        case unusable
        /// There is no such account.
        case noSuchAccount
        /// There is an account by that name already.
        case accountExists
        /// Another account has the handle.
        case handleTaken
        /// The account is the last one that may administer the hub.
        case lastAdministrator
        /// The request is invalid.
        case invalidArgument
        /// A fault in the hub itself.
        case fault
    }

    /// The kind of the failure.
    public var kind: Kind
    /// One English sentence for the user with the error and what would be right, without paths and SQL.
    public var message: String
    /// Details for the log only: SQLite's message and the statement.
    public var detail: String

    package init(_ kind: Kind, _ message: String, detail: String = "") {
        self.kind = kind
        self.message = message
        self.detail = detail
    }

    /// The message with the details for the log.
    public var description: String { detail.isEmpty ? message : "\(message) (\(detail))" }

    /// Indicates that the disk or its state is the cause, not the request: a retry may succeed later.
    public var isTransient: Bool {
        switch kind {
        case .full, .readOnly, .busy, .corrupt, .inputOutput, .overload: true
        case .closed, .unusable, .noSuchAccount, .accountExists, .handleTaken, .lastAdministrator,
            .invalidArgument, .fault:
            false
        }
    }
}

extension StoreError {
    static let overload = StoreError(
        .overload,
        "the hub cannot store this now: its write queue is full; try again in a moment"
    )

    static let erased = StoreError(.noSuchAccount, "the account was erased; none of its data is stored any more")

    static let closed = StoreError(.closed, "the hub cannot store this now: it is shutting down")

    // MARK: Faults of a file

    static func foreign(_ path: String) -> StoreError {
        StoreError(
            .unusable,
            "\(path) is another program's database; name another file, which is created if it is missing"
        )
    }

    static func notADatabase(_ path: String) -> StoreError {
        StoreError(.unusable, "\(path) is not a database; name another file, which is created if it is missing")
    }

    static func newerVersion(_ path: String, found: String, known: Int) -> StoreError {
        StoreError(
            .unusable,
            "\(path) is of version \(found), from a newer CallHub; this one supports versions up to \(known): run the newer "
                + "one, or restore a backup from before it"
        )
    }

    static func usedByOlderHub(_ path: String) -> StoreError {
        let sentence = "is used by a hub of an older version, or by one that is just starting"
        return StoreError(.unusable, "\(path) \(sentence); restart that hub with this version, then try again")
    }

    static func inUse(_ path: String, by process: String) -> StoreError {
        StoreError(.unusable, "another hub (\(process)) is using \(path); stop it, or name another file")
    }

    static func cannot(_ what: String, _ path: String, _ reason: String, instead: String) -> StoreError {
        StoreError(.unusable, "\(path) cannot be \(what): \(reason); \(instead)")
    }
}
