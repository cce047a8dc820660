import HubEngine

/// An account's call directory extensions (rows CK-75 to CK-79).
///
/// The persistent ones are first, in the order in which they were first loaded or switched, followed by those without a
/// complete load. The order, which decides between the labels of several extensions, so stays after a restart.
struct CallDirectory: Hashable, Sendable {
    private struct Extension: Hashable, Sendable {
        let identifier: String
        var isEnabled = true
        var entries = DirectoryEntries()
        /// The time of the last stored load; nil: none yet, so an incremental load is refused.
        var loadedAt: Instant?
        var load: LoadInProgress?
        /// The session whose load has timed out, until that has been reported to it.
        var expiredSession: SessionID?
        /// True if the extension was ever loaded or switched, and so is persistent.
        var isPersistent = false
        /// The title that is shown in front of the labels; nil: none.
        var title: String?
        /// The reason why the last load was not stored; nil: it was.
        var lastFault: DirectoryLoadFault?

        var result: DirectoryLoadResult {
            DirectoryLoadResult(blocking: entries.blocking.count, identification: entries.identification.count)
        }
    }

    private var extensions: [Extension] = []

    /// Creates a directory without extensions.
    init() {}

    // MARK: Persistence

    /// Restores an account's extensions from a store.
    init(_ directories: [StoredDirectory]) {
        extensions = directories.map {
            var restored = Extension(identifier: $0.identifier, isEnabled: $0.isEnabled, loadedAt: $0.loadedAt)
            restored.entries = $0.contents.entries
            restored.isPersistent = true
            restored.title = $0.title
            return restored
        }
    }

    /// Returns an extension's present entries; nil: there is no such extension.
    func contents(of identifier: String) -> DirectoryContents? {
        extensions.first { $0.identifier == identifier }.map { DirectoryContents($0.entries) }
    }

    /// Returns an extension's title; nil: it has none.
    func title(of identifier: String) -> String? { extensions.first { $0.identifier == identifier }?.title }

    /// The memory of all entries and of the loads under way, in bytes.
    var byteCount: Int { storedBytes + pendingLoadBytes }

    private var storedBytes: Int { extensions.reduce(0) { $0 + $1.entries.byteCount } }

    private var pendingLoadBytes: Int { extensions.reduce(0) { $0 + ($1.load?.byteCount ?? 0) } }

    // MARK: Looking up

    /// Indicates that an enabled extension blocks a number.
    func blocks(_ number: Int64) -> Bool {
        extensions.contains { $0.isEnabled && $0.entries.blocking.contains(number) }
    }

    /// Returns the label of a number in the first enabled extension that has one, and that extension's title.
    func label(of number: Int64) -> (label: String, title: String?)? {
        for candidate in extensions where candidate.isEnabled {
            if let label = candidate.entries.identification.label(of: number) { return (label, candidate.title) }
        }
        return nil
    }

    /// Throws the reason why an extension cannot be loaded again now.
    func checkReload(of identifier: String) throws(AccountDataError) {
        let index = try position(of: identifier)
        guard extensions[index].isEnabled else { throw .extensionDisabled }
        guard extensions[index].load == nil else { throw .currentlyLoading(identifier) }
    }

    /// Returns the status of the extension that is named, or of all.
    func status(_ identifier: String?) throws(AccountDataError) -> [DirectoryStatus] {
        if let identifier { _ = try position(of: identifier) }
        return extensions.filter { identifier == nil || $0.identifier == identifier }.map {
            DirectoryStatus(
                identifier: $0.identifier,
                isEnabled: $0.isEnabled,
                blocking: $0.entries.blocking.count,
                identification: $0.entries.identification.count,
                loadedAt: $0.loadedAt,
                isIncremental: $0.loadedAt != nil,
                title: $0.title,
                lastFault: $0.lastFault
            )
        }
    }

    // MARK: Changing

    /// Enables or disables an extension; false if nothing changes.
    mutating func setEnabled(_ identifier: String, _ isEnabled: Bool) throws(AccountDataError) -> Bool {
        let index = try position(of: identifier)
        guard extensions[index].isEnabled != isEnabled else { return false }
        extensions[index].isEnabled = isEnabled
        makePersistent(at: index)
        return true
    }

    /// Adds a complete load, or a batch of one.
    ///
    /// A refusal ends the load that the batch belongs to; the entries stored before remain in use.
    mutating func load(
        _ batch: DirectoryLoad,
        by session: SessionID,
        at now: Instant,
        quota: DirectoryQuota
    ) throws(AccountDataError) -> DirectoryLoadResult {
        let index = try indexForLoad(batch.identifier, quota.limits)
        do throws(AccountDataError) {
            return try load(batch, by: session, at: now, index, quota)
        } catch {
            noteFault(error, at: now, of: index)
            throw error
        }
    }

    private mutating func load(
        _ batch: DirectoryLoad,
        by session: SessionID,
        at now: Instant,
        _ index: Int,
        _ quota: DirectoryQuota
    ) throws(AccountDataError) -> DirectoryLoadResult {
        let limits = quota.limits
        guard try !hasTimedOut(batch, by: session, at: index) else {
            var result = extensions[index].result
            result.isExpired = true
            return result
        }
        var load = try take(batch, by: session, at: index)
        try checkQuota(for: batch, of: load, quota)
        try load.collect(batch)
        let running = extensions.reduce(load.count) { $0 + ($1.load?.count ?? 0) }
        guard running <= limits.maximumDirectoryEntries else { throw .tooManyEntries(limits) }
        guard batch.isFinal else {
            load.deadline = now + limits.directoryLoadTimeout
            extensions[index].load = load
            return extensions[index].result
        }
        try store(load, at: index, now, quota)
        defer { makePersistent(at: index) }
        return extensions[index].result
    }

    /// Notes why a load was refused; the refusal of a competing load says nothing about the extension.
    private mutating func noteFault(_ error: AccountDataError, at now: Instant, of index: Int) {
        switch error.code {
        case .callDirectory(.currentlyLoading), .callDirectory(.extensionDisabled): return
        default: extensions[index].lastFault = DirectoryLoadFault(code: error.code, message: error.message, at: now)
        }
    }

    /// Discards a load that is under way, with the client's reason if it has one; the stored entries stay.
    mutating func cancelLoad(
        _ identifier: String,
        by session: SessionID,
        for fault: DirectoryLoadFault?
    ) throws(AccountDataError) -> DirectoryLoadResult {
        let index = try position(of: identifier)
        guard extensions[index].load.map({ $0.session == session }) ?? true else { throw .currentlyLoading(identifier) }
        extensions[index].load = nil
        if let fault { extensions[index].lastFault = fault }
        if extensions[index].expiredSession == session { extensions[index].expiredSession = nil }
        return extensions[index].result
    }

    // MARK: Loads that are not completed

    /// Returns the time at which the load of an extension times out; nil: no load is under way.
    func deadline(of identifier: String) -> Instant? {
        extensions.first { $0.identifier == identifier }?.load?.deadline
    }

    /// Discards the load of an extension that has timed out: its client is notified with its next batch.
    mutating func expireLoad(_ identifier: String) {
        guard let index = extensions.firstIndex(where: { $0.identifier == identifier }) else { return }
        extensions[index].expiredSession = extensions[index].load?.session
        if let deadline = extensions[index].load?.deadline {
            extensions[index].lastFault = .interrupted("the load's next batch did not come in time", at: deadline)
        }
        extensions[index].load = nil
    }

    /// Discards the loads of a session that has ended, and returns the extensions that they were for.
    mutating func abandonLoads(of session: SessionID) -> [String] {
        var abandoned: [String] = []
        for index in extensions.indices {
            if extensions[index].expiredSession == session { extensions[index].expiredSession = nil }
            guard extensions[index].load?.session == session else { continue }
            extensions[index].load = nil
            abandoned.append(extensions[index].identifier)
        }
        return abandoned
    }

    // MARK: Helpers

    private func position(of identifier: String) throws(AccountDataError) -> Int {
        guard let index = extensions.firstIndex(where: { $0.identifier == identifier }) else {
            throw .directory(
                .noExtensionFound,
                "there is no such extension; directory.status lists all, directory.load creates one"
            )
        }
        return index
    }

    /// Returns the index of an extension, which is created by the first load that names it.
    private mutating func indexForLoad(_ identifier: String, _ limits: AccountDataLimits) throws(AccountDataError)
        -> Int
    {
        if let index = extensions.firstIndex(where: { $0.identifier == identifier }) { return index }
        guard extensions.count < limits.maximumDirectoryExtensions else {
            throw .directory(
                .maximumEntriesExceeded,
                "an account has at most \(limits.maximumDirectoryExtensions) extensions; load another one of them"
            )
        }
        extensions.append(Extension(identifier: identifier))
        return extensions.count - 1
    }

    /// Indicates that the load that a batch belongs to has timed out; reported once.
    private mutating func hasTimedOut(
        _ batch: DirectoryLoad,
        by session: SessionID,
        at index: Int
    ) throws(AccountDataError) -> Bool {
        guard extensions[index].expiredSession == session else { return false }
        extensions[index].expiredSession = nil
        return batch.batch > 1
    }

    /// Takes the load that a batch belongs to out of its extension: if the batch is refused, the load is discarded.
    private mutating func take(
        _ batch: DirectoryLoad,
        by session: SessionID,
        at index: Int
    ) throws(AccountDataError) -> LoadInProgress {
        guard extensions[index].isEnabled else {
            extensions[index].load = nil
            throw .extensionDisabled
        }
        if let load = extensions[index].load {
            guard load.session == session, batch.batch > 1 else { throw .currentlyLoading(batch.identifier) }
            extensions[index].load = nil
            return load
        }
        guard batch.batch == 1 else {
            throw .directory(
                .loadingInterrupted,
                "no load is in progress for batch \(batch.batch); start again with batch 1"
            )
        }
        guard !batch.isIncremental || extensions[index].loadedAt != nil else {
            throw .directory(
                .unexpectedIncrementalRemoval,
                "no entries are stored for an incremental load; load all entries first"
            )
        }
        return LoadInProgress(batch, by: session)
    }

    private mutating func store(
        _ load: LoadInProgress,
        at index: Int,
        _ now: Instant,
        _ quota: DirectoryQuota
    ) throws(AccountDataError) {
        let entries = try load.applied(to: extensions[index].entries)
        let others = extensions.reduce(-extensions[index].entries.count) { $0 + $1.entries.count }
        guard others + entries.count <= quota.limits.maximumDirectoryEntries else {
            throw .tooManyEntries(quota.limits)
        }
        let stored = storedBytes - extensions[index].entries.byteCount + entries.byteCount
        try quota.check(stored, besides: pendingLoadBytes)
        extensions[index].entries = entries
        extensions[index].loadedAt = now
        extensions[index].lastFault = nil
        if let title = load.title { extensions[index].title = title.isEmpty ? nil : title }
    }

    /// Refuses a batch that exceeds the memory limits, before any of it is copied.
    ///
    /// The load that it belongs to has been taken out already.
    ///
    /// An account's loads under way and its stored entries are limited separately, so that a list of the largest size
    /// can be replaced by another one.
    private func checkQuota(
        for batch: DirectoryLoad,
        of load: LoadInProgress,
        _ quota: DirectoryQuota
    ) throws(AccountDataError) {
        try quota.check(pendingLoadBytes + load.byteCount + batch.byteCount, besides: storedBytes)
    }

    /// Makes an extension one of the persistent ones.
    private mutating func makePersistent(at index: Int) {
        guard !extensions[index].isPersistent else { return }
        var kept = extensions.remove(at: index)
        kept.isPersistent = true
        extensions.insert(kept, at: extensions.firstIndex { !$0.isPersistent } ?? extensions.count)
    }

    /// The extensions as a store has them when it has written all changes.
    var storedData: [StoredDirectory] {
        extensions.filter(\.isPersistent).map {
            StoredDirectory(
                identifier: $0.identifier,
                isEnabled: $0.isEnabled,
                loadedAt: $0.loadedAt,
                title: $0.title,
                contents: DirectoryContents($0.entries)
            )
        }
    }
}

extension DirectoryLoadFault {
    fileprivate static func interrupted(_ message: String, at date: Instant) -> DirectoryLoadFault {
        DirectoryLoadFault(code: .callDirectory(.loadingInterrupted), message: message, at: date)
    }
}

extension AccountDataError {
    fileprivate static let extensionDisabled = directory(
        .extensionDisabled,
        "the extension is disabled; directory.setEnabled enables it"
    )

    fileprivate static func currentlyLoading(_ identifier: String) -> AccountDataError {
        .directory(
            .currentlyLoading,
            "a load of this extension is in progress; complete or cancel it before the next one"
        )
    }

    fileprivate static func tooManyEntries(_ limits: AccountDataLimits) -> AccountDataError {
        .directory(
            .maximumEntriesExceeded,
            "an account's extensions have at most \(limits.maximumDirectoryEntries) entries together; load fewer"
        )
    }
}
