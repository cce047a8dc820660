import Foundation
import HubEngine

/// The part of a store that only its own thread uses; it is created there, and not Sendable.
///
/// ```
/// any thread ── an ended call ──▶ journal (mapped file) ─┐
///            ── any operation ───────────────────────────┴─▶ queue ──▶ this thread ──▶ file ──▶ SQLite
/// ```
///
/// All waiting operations share one transaction, each in a savepoint of its own; if the transaction fails as a whole,
/// each runs alone. The position up to which the journal's entries are in the database is written in the same
/// transaction as these. A call that cannot be written stays in front of all later operations but reads.
final class StoreWorker {
    private let settings: StoreSettings
    private let queue: StoreQueue
    private let file: StoreFile
    /// The lock on the database, held until this object is deinitialized; nil: there is no file.
    private let lock: HubLock?
    private let isFile: Bool
    /// The number of the journal; nil: there is none for lack of space, and creating it is retried.
    private var journalID: Int64?
    private var externalChanges: ExternalChangeDetector
    private var nextPoll: ContinuousClock.Instant
    private var hasWarned = false
    /// The number of rows changed so far when the size of the database was counted last.
    private var countedRows: Int64 = 0

    /// Opens the database, and stores the calls in the journal of a killed hub.
    init(_ given: StoreSettings, _ queue: StoreQueue) throws(StoreError) {
        var settings = given
        isFile = !DatabasePath.isInMemory(given.path)
        let trust = given.isForCommand ? TrustedOwners.command(on: given.path) : .hub
        if isFile { try DatabasePath(given.path).prepare(createsIfMissing: true, trust: trust) }
        // A process that uses the path of a symbolic link has the same lock and the same journal.
        settings.path = DatabasePath(given.path).resolved
        self.settings = settings
        self.queue = queue
        lock = isFile ? try HubLock(settings.path, trust: trust) : nil
        file = try StoreFile(settings.path, limits: settings.limits, clock: settings.clock, holdsLock: lock != nil)
        externalChanges = try ExternalChangeDetector(file)
        nextPoll = .now + settings.pollInterval
        beginJournal(warn: settings.warn)
        // With that journal read, no data of accounts erased before this hub can arrive any more.
        if journalID != nil || !isFile { try? file.removeErasures() }
        countBytes()
    }

    /// Stores the entries of an older journal, and begins a new one if there is space for it.
    private func beginJournal(warn: (String) -> Void) {
        guard isFile, journalID == nil else { return }
        let journal = file.recoverJournal(settings.path + ".recents", capacity: settings.journalBytes, warn: warn)
        journalID = journal?.id
        queue.use(journal)
    }

    /// Runs until the store is closed.
    func run() {
        while let jobs = queue.take(until: Date(timeIntervalSinceNow: secondsToNextPoll)) {
            runJobs(jobs[...])
            guard nextPoll <= .now else { continue }
            pollExternalChanges()
            nextPoll = .now + settings.pollInterval
        }
    }

    // MARK: Jobs

    /// Runs jobs in their order, sharing a transaction where possible.
    private func runJobs(_ jobs: ArraySlice<StoreJob>) {
        var rest = jobs
        while let first = rest.first {
            guard first.sharesTransaction else {
                rest.removeFirst()
                finish([first], try: { self.runAlone(first) })
                continue
            }
            let group = rest.prefix { $0.sharesTransaction }
            rest = rest.dropFirst(group.count)
            var outcome = attempt(group)
            if outcome == nil { outcome = runIndividually(group) }
            finish(outcome ?? Outcome())
        }
    }

    private func finish(_ jobs: [StoreJob], try attempt: () -> StoreError?) {
        var outcome = Outcome()
        let failure = attempt()
        for job in jobs { outcome.done.append((job, failure)) }
        finish(outcome)
    }

    private func runAlone(_ job: StoreJob) -> StoreError? {
        guard case .operation(let operation, _) = job else { return nil }
        do throws(StoreError) {
            try operation.run(on: file)
            return nil
        } catch {
            return error
        }
    }

    /// The results of some jobs.
    private struct Outcome {
        var done: [(job: StoreJob, failure: StoreError?)] = []
        /// The calls to retry.
        var toRetry: [StoreJob] = []
        /// The position up to which the journal's entries are in the database.
        var position: UInt64?
    }

    /// Runs jobs in one transaction, in which each may fail on its own; nil: the transaction was rolled back.
    private func attempt(_ jobs: ArraySlice<StoreJob>) -> Outcome? {
        let start = ContinuousClock.now
        do throws(StoreError) {
            let outcome = try file.atomically { () throws(StoreError) in
                var outcome = Outcome()
                for job in jobs { try run(job, &outcome) }
                if let position = outcome.position, let journalID {
                    try file.setJournal(id: journalID, position: position)
                }
                return outcome
            }
            queue.count {
                $0.transactions += 1
                $0.writes += outcome.done.count { $0.failure == nil }
                $0.lastWrite = .now - start
            }
            return outcome
        } catch {
            guard jobs.count == 1, let job = jobs.first else { return nil }
            return failed(job, error)
        }
    }

    /// Runs a job within the group's transaction.
    private func run(_ job: StoreJob, _ outcome: inout Outcome) throws(StoreError) {
        var failure: StoreError?
        do throws(StoreError) {
            switch job {
            case .addRecent(let entry, let end):
                outcome.position = end ?? outcome.position
                try file.addRecent(entry.call, of: entry.account)
            case .operation(let operation, _):
                try file.atomically { () throws(StoreError) in try operation.run(on: file) }
            }
        } catch {
            // If the transaction was undone, so were the other jobs' changes; and no job may overtake a call that is
            // retried.
            guard file.isInTransaction, !(job.isRecent && error.isTransient) else { throw error }
            failure = error
        }
        outcome.done.append((job, failure))
    }

    /// Runs each job in its own transaction, so that the faultless ones succeed.
    private func runIndividually(_ jobs: ArraySlice<StoreJob>) -> Outcome {
        var all = Outcome()
        var transactionError: StoreError?
        for job in jobs {
            var outcome: Outcome?
            if let transactionError {
                outcome = failed(job, transactionError)
            } else {
                outcome = attempt([job])
            }
            guard let outcome else { continue }
            all.done += outcome.done
            all.toRetry += outcome.toRetry
            all.position = outcome.position ?? all.position
            // The failure that a call is retried for would also hit the jobs after it; so would another process that
            // has locked the file.
            let isBusy = outcome.done.contains { $0.failure?.kind == .busy }
            if transactionError == nil, !outcome.toRetry.isEmpty || isBusy { transactionError = lastFailure }
        }
        return all
    }

    private var lastFailure: StoreError?

    private func failed(_ job: StoreJob, _ failure: StoreError) -> Outcome {
        var outcome = Outcome()
        lastFailure = failure
        if job.isRecent, failure.isTransient {
            outcome.toRetry = [job]
            warnOnce(failure)
        } else {
            outcome.done = [(job, failure)]
        }
        return outcome
    }

    /// Reports the results, which are committed now.
    private func finish(_ outcome: Outcome) {
        if let position = outcome.position { queue.release(to: position) }
        queue.done(outcome.done.map(\.job))
        for (job, failure) in outcome.done {
            if let failure {
                countFailure(failure, of: job)
            } else if job.sharesTransaction {
                hasWarned = false
            }
            if case .operation(let operation, _) = job { operation.finish(failure) }
        }
        guard !outcome.toRetry.isEmpty else { return }
        if let lastFailure { queue.count { $0.failures[lastFailure.kind, default: 0] += 1 } }
        queue.requeue(outcome.toRetry)
    }

    private func countFailure(_ failure: StoreError, of job: StoreJob) {
        queue.count { statistics in
            statistics.failures[failure.kind, default: 0] += 1
            if job.isRecent { statistics.lostRecents += 1 }
        }
        if failure.isTransient || job.isRecent || failure.kind == .fault { warnOnce(failure) }
    }

    /// Logs a failure, but not again until something has been written.
    private func warnOnce(_ failure: StoreError) {
        guard !hasWarned else { return }
        hasWarned = true
        settings.warn(failure.description)
    }

    // MARK: Polling

    private var secondsToNextPoll: Double {
        let wait = nextPoll - .now
        return max(0, Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18)
    }

    /// Checks for changes by other processes.
    private func pollExternalChanges() {
        // SQLite prepares the pragmas of the size again each time. A database in memory changes only by this thread.
        if isFile || countedRows != file.database.totalChangedRows { countBytes() }
        // The missing journal was reported at the start.
        beginJournal { _ in }
        do throws(StoreError) {
            if let change = try externalChanges.changes(of: file) { settings.accountsChanged(change) }
        } catch {
            warnOnce(error)
        }
    }

    private func countBytes() {
        countedRows = file.database.totalChangedRows
        let bytes = file.byteCount
        queue.count { $0.fileBytes = bytes }
    }
}

extension StoreJob {
    fileprivate var sharesTransaction: Bool {
        switch self {
        case .addRecent: true
        case .operation(let operation, _): operation.sharesTransaction
        }
    }
}
