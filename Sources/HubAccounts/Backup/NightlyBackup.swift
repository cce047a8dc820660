import Foundation
import HubConfiguration
import HubServer
import HubStore

/// The nightly backup of a hub's database to a folder, on a thread of its own.
final class NightlyBackup: BackupService, @unchecked Sendable {
    private let folder: BackupFolder
    private let keep: Int
    private let schedule: BackupSchedule
    private let log: HubLog
    private let clock: @Sendable () -> Date
    private let copy: @Sendable (_ target: String) throws(StoreError) -> Void
    private let condition = NSCondition()
    // The lock protects all that follows.
    private var counted = BackupStatistics()
    private var isEnded = false
    /// True if one is wanted at once.
    private var isWanted = false
    /// The time before which a failed backup is not tried again.
    private var retryAt: Date?

    /// Prepares the backup; `start` starts its thread.
    ///
    /// - Parameters:
    ///   - settings: The hour and the number of backups.
    ///   - folder: The folder of the backups.
    ///   - log: The log of backups and failures.
    ///   - clock: Returns the time.
    ///   - copy: Copies the database to a new file.
    init(
        _ settings: BackupSettings,
        in folder: BackupFolder,
        _ log: HubLog,
        clock: @escaping @Sendable () -> Date = { Date() },
        copy: @escaping @Sendable (_ target: String) throws(StoreError) -> Void
    ) {
        self.folder = folder
        keep = settings.keep
        schedule = BackupSchedule(hour: settings.hour)
        self.log = log
        self.clock = clock
        self.copy = copy
        counted.newest = folder.newest(notAfter: Int64(clock().timeIntervalSince1970)) ?? 0
    }

    var statistics: BackupStatistics { condition.withLock { counted } }

    /// Starts the thread, which holds this object until `stop`.
    func start() {
        let thread = Thread { [self] in
            // Linux has a niceness for each thread; the copy must not delay calls.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            while condition.withLock({ !isEnded }) {
                makeIfDue()
                condition.withLock {
                    if !isEnded, !isWanted {
                        _ = condition.wait(until: Date(timeIntervalSinceNow: Self.pollSeconds))
                    }
                }
            }
        }
        thread.start()
        thread.name = "callhub-backup"
    }

    func makeNow() {
        condition.withLock {
            (isWanted, counted.isRunning) = (true, true)
            condition.broadcast()
        }
    }

    /// Ends the thread without waiting for a backup in progress, of which no file remains under a backup's name.
    func stop() {
        condition.withLock {
            isEnded = true
            condition.broadcast()
        }
    }

    /// Makes a backup if one is due or wanted.
    func makeIfDue() {
        let now = clock()
        let seconds = Int64(now.timeIntervalSince1970)
        let newest = folder.newest(notAfter: seconds)
        condition.withLock { counted.newest = newest ?? 0 }
        let isDue = schedule.isDue(at: now, newest: newest.map { Date(timeIntervalSince1970: TimeInterval($0)) })
        let isWanted = condition.withLock {
            let isWanted = self.isWanted || (isDue && isRetryDue(at: now))
            (self.isWanted, counted.isRunning) = (false, isWanted)
            return isWanted
        }
        guard isWanted else { return }
        defer { condition.withLock { counted.isRunning = self.isWanted } }
        let start = ContinuousClock.now
        do throws(StoreError) {
            let file = try folder.add(at: seconds, copy)
            let took = (ContinuousClock.now - start) / .seconds(1)
            noteSuccess(file, at: seconds, took)
            rotate(with: file)
        } catch {
            condition.withLock {
                counted.failures += 1
                counted.lastFailure = error.message
                retryAt = now + Self.retrySeconds
            }
            let reason = error.description
            log(.error, "backup failed; it is tried again in an hour", ["folder": folder.path, "reason": reason])
        }
    }

    /// Indicates that no failure is so recent that the next attempt has to wait; called with the lock held.
    private func isRetryDue(at now: Date) -> Bool {
        // A clock that was set back must not delay the attempt further.
        guard let retryAt, retryAt.timeIntervalSince(now) <= Self.retrySeconds else { return true }
        return now >= retryAt
    }

    private func noteSuccess(_ file: String, at seconds: Int64, _ took: Double) {
        var status = stat()
        let bytes = stat(file, &status) == 0 ? Int64(status.st_size) : 0
        condition.withLock {
            counted.completed += 1
            counted.newest = seconds
            counted.lastDuration = took
            counted.lastBytes = bytes
            counted.lastFailure = nil
            retryAt = nil
        }
        log(.info, "backup complete", ["file": file, "bytes": "\(bytes)"])
    }

    private func rotate(with file: String) {
        let (removed, stuck) = folder.rotate(keeping: keep, with: file)
        for old in removed { log(.info, "backup removed", ["file": old]) }
        for old in stuck { log(.warning, "old backup not removed", ["file": old]) }
    }

    /// The interval at which the clock is read.
    ///
    /// More: fewer wakeups; the backup begins later after the hour.
    private static let pollSeconds = 30.0
    /// The time between two attempts.
    private static let retrySeconds = 3_600.0
}
