import Foundation
import HubEngine

/// The part of a store that only its own thread uses; it is created there, and not Sendable.
final class StoreWorker {
    private let settings: StoreSettings
    private let queue: StoreQueue
    private let file: StoreFile
    /// The lock on the database, held until this object is deinitialized; nil: there is no file.
    private let lock: HubLock?
    private let isFile: Bool
    /// The number of the journal; nil: there is none for lack of space, and creating it is retried.
    private var journalID: Int64?
    private var others: OtherProcesses
    private var nextLook: ContinuousClock.Instant
    private var hasWarned = false
    /// The number of rows changed so far when the size of the database was counted last.
    private var countedRows: Int64 = 0

    /// Opens the database, and stores the calls in the journal of a killed hub.
    init(_ given: StoreSettings, _ queue: StoreQueue) throws(StoreFailure) {
        var settings = given
        isFile = !FilePlace.isNowhere(given.path)
        let trust = given.isForCommand ? FileTrust.command(on: given.path) : .hub
        if isFile { try FilePlace(given.path).prepare(isMade: true, trust: trust) }
        // A process that uses the path of a symbolic link has the same lock and the same journal.
        settings.path = FilePlace(given.path).real
        self.settings = settings
        self.queue = queue
        lock = isFile ? try HubLock(settings.path, trust: trust) : nil
        file = try StoreFile(settings.path, limits: settings.limits, clock: settings.clock)
        others = try OtherProcesses(file)
        nextLook = .now + settings.lookEvery
        beginJournal(warn: settings.warn)
        // With that journal read, no data of accounts erased before this hub can arrive any more.
        if journalID != nil || !isFile { try? file.forgetErasures() }
        countBytes()
    }

    /// Stores the entries of an older journal, and begins a new one if there is space for it.
    private func beginJournal(warn: (String) -> Void) {
        guard isFile, journalID == nil else { return }
        let journal = file.takeOver(settings.path + ".recents", capacity: settings.journalBytes, warn: warn)
        journalID = journal?.id
        queue.use(journal)
    }

    /// Runs until the store is closed.
    func run() {
        while let jobs = queue.take(until: Date(timeIntervalSinceNow: secondsToNextLook)) {
            work(jobs[...])
            guard nextLook <= .now else { continue }
            look()
            nextLook = .now + settings.lookEvery
        }
    }

    // MARK: Jobs

    /// Runs jobs in their order, sharing a transaction where possible.
    private func work(_ jobs: ArraySlice<StoreJob>) {
        var rest = jobs
        while let first = rest.first {
            guard first.joinsOthers else {
                rest.removeFirst()
                finish([first], try: { self.runAlone(first) })
                continue
            }
            let group = rest.prefix { $0.joinsOthers }
            rest = rest.dropFirst(group.count)
            var outcome = attempt(group)
            if outcome == nil { outcome = oneByOne(group) }
            finish(outcome ?? Outcome())
        }
    }

    private func finish(_ jobs: [StoreJob], try attempt: () -> StoreFailure?) {
        var outcome = Outcome()
        let failure = attempt()
        for job in jobs { outcome.done.append((job, failure)) }
        finish(outcome)
    }

    private func runAlone(_ job: StoreJob) -> StoreFailure? {
        guard case .operation(let operation, _) = job else { return nil }
        do throws(StoreFailure) {
            try operation.run(on: file)
            return nil
        } catch {
            return error
        }
    }

    /// The results of some jobs.
    private struct Outcome {
        var done: [(job: StoreJob, failure: StoreFailure?)] = []
        /// The calls to retry.
        var returned: [StoreJob] = []
        /// The position up to which the journal's entries are in the database.
        var position: UInt64?
    }

    /// Runs jobs in one transaction, in which each may fail on its own; nil: the transaction was rolled back.
    private func attempt(_ jobs: ArraySlice<StoreJob>) -> Outcome? {
        let start = ContinuousClock.now
        do throws(StoreFailure) {
            let outcome = try file.atomically { () throws(StoreFailure) in
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
    private func run(_ job: StoreJob, _ outcome: inout Outcome) throws(StoreFailure) {
        var failure: StoreFailure?
        do throws(StoreFailure) {
            switch job {
            case .keep(let entry, let end):
                outcome.position = end ?? outcome.position
                try file.keep(entry.call, of: entry.account)
            case .operation(let operation, _):
                try file.atomically { () throws(StoreFailure) in try operation.run(on: file) }
            }
        } catch {
            // If the transaction is gone, so are the other jobs' changes; and no job may overtake a call that is
            // retried.
            guard file.isInTransaction, !(job.isCall && error.isPassing) else { throw error }
            failure = error
        }
        outcome.done.append((job, failure))
    }

    /// Runs each job in its own transaction, so that the faultless ones succeed.
    private func oneByOne(_ jobs: ArraySlice<StoreJob>) -> Outcome {
        var all = Outcome()
        var obstacle: StoreFailure?
        for job in jobs {
            var outcome: Outcome?
            if let obstacle {
                outcome = failed(job, obstacle)
            } else {
                outcome = attempt([job])
            }
            guard let outcome else { continue }
            all.done += outcome.done
            all.returned += outcome.returned
            all.position = outcome.position ?? all.position
            // The failure that a call is retried for would also hit the jobs after it; so would another process that
            // has locked the file.
            let isBusy = outcome.done.contains { $0.failure?.kind == .busy }
            if obstacle == nil, !outcome.returned.isEmpty || isBusy { obstacle = lastFailure }
        }
        return all
    }

    private var lastFailure: StoreFailure?

    private func failed(_ job: StoreJob, _ failure: StoreFailure) -> Outcome {
        var outcome = Outcome()
        lastFailure = failure
        if job.isCall, failure.isPassing {
            outcome.returned = [job]
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
                note(failure, of: job)
            } else if job.joinsOthers {
                hasWarned = false
            }
            if case .operation(let operation, _) = job { operation.finish(failure) }
        }
        guard !outcome.returned.isEmpty else { return }
        if let lastFailure { queue.count { $0.failures[lastFailure.kind, default: 0] += 1 } }
        queue.giveBack(outcome.returned)
    }

    private func note(_ failure: StoreFailure, of job: StoreJob) {
        queue.count { figures in
            figures.failures[failure.kind, default: 0] += 1
            if job.isCall { figures.lostCalls += 1 }
        }
        if failure.isPassing || job.isCall || failure.kind == .fault { warnOnce(failure) }
    }

    /// Logs a failure, but not again until something has been written.
    private func warnOnce(_ failure: StoreFailure) {
        guard !hasWarned else { return }
        hasWarned = true
        settings.warn(failure.description)
    }

    // MARK: Polling

    private var secondsToNextLook: Double {
        let wait = nextLook - .now
        return max(0, Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18)
    }

    /// Checks for changes by other processes.
    private func look() {
        // SQLite prepares the pragmas of the size anew each time. A database in memory changes only by this thread.
        if isFile || countedRows != file.database.allChangedRows { countBytes() }
        // The missing journal was reported at the start.
        beginJournal { _ in }
        do throws(StoreFailure) {
            if let change = try others.changes(of: file) { settings.accountsChanged(change) }
        } catch {
            warnOnce(error)
        }
    }

    private func countBytes() {
        countedRows = file.database.allChangedRows
        let bytes = file.byteCount
        queue.count { $0.fileBytes = bytes }
    }
}

extension StoreJob {
    fileprivate var joinsOthers: Bool {
        switch self {
        case .keep: true
        case .operation(let operation, _): operation.joinsOthers
        }
    }
}
