import Foundation
import HubEngine

/// All of a store that its own thread alone touches: made there, and not Sendable.
final class StoreWorker {
    private let settings: StoreSettings
    private let queue: StoreQueue
    private let file: StoreFile
    /// Held as long as this object lives; nil: there is no file.
    private let lock: HubLock?
    private let isFile: Bool
    /// Nil: there is none, for there was no room; then it is tried again.
    private var journalID: Int64?
    private var others: OtherProcesses
    private var nextLook: ContinuousClock.Instant
    private var hasWarned = false

    /// Opens the file, and takes over what the hub before had no time to write.
    init(_ given: StoreSettings, _ queue: StoreQueue) throws(StoreFailure) {
        var settings = given
        isFile = !FilePlace.isNowhere(given.path)
        let trust = given.isForCommand ? FileTrust.command(on: given.path) : .hub
        if isFile { try FilePlace(given.path).prepare(isMade: true, trust: trust) }
        // Whoever comes by a link meets the same lock and the same journal.
        settings.path = FilePlace(given.path).real
        self.settings = settings
        self.queue = queue
        lock = isFile ? try HubLock(settings.path, trust: trust) : nil
        file = try StoreFile(settings.path, limits: settings.limits, clock: settings.clock)
        others = try OtherProcesses(file)
        nextLook = .now + settings.lookEvery
        beginJournal(warn: settings.warn)
        // With the journal taken over nothing of accounts erased before this hub can come any more.
        if journalID != nil || !isFile { try? file.forgetErasures() }
        countBytes()
    }

    /// Takes over what an older journal has, and begins a new one, if there is room for it.
    private func beginJournal(warn: (String) -> Void) {
        guard isFile, journalID == nil else { return }
        let journal = file.takeOver(settings.path + ".recents", capacity: settings.journalBytes, warn: warn)
        journalID = journal?.id
        queue.use(journal)
    }

    /// Works until the store is closed.
    func run() {
        while let jobs = queue.take(until: Date(timeIntervalSinceNow: secondsToNextLook)) {
            work(jobs[...])
            guard nextLook <= .now else { continue }
            look()
            nextLook = .now + settings.lookEvery
        }
    }

    // MARK: Jobs

    /// Does jobs in their order, those that can be in one transaction together.
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

    /// What became of some jobs.
    private struct Outcome {
        var done: [(job: StoreJob, failure: StoreFailure?)] = []
        /// Calls that are to be tried again.
        var returned: [StoreJob] = []
        /// Up to where the file has what is in the journal.
        var position: UInt64?
    }

    /// Does all jobs in one transaction, each of which may fail by itself; nil: the transaction failed, and nothing was done.
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

    /// Within the group's transaction.
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
            // With the transaction gone, so is what the others did; and nothing may overtake a call that is to be kept.
            guard file.isInTransaction, !(job.isCall && error.isPassing) else { throw error }
            failure = error
        }
        outcome.done.append((job, failure))
    }

    /// Each job by itself, so that those that can be done are.
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
            // What a call could not be written for is in the way of all that comes after it; so is who has the file.
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

    /// Says how it went, now that it is certain.
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

    /// Once, until something is written again.
    private func warnOnce(_ failure: StoreFailure) {
        guard !hasWarned else { return }
        hasWarned = true
        settings.warn(failure.description)
    }

    // MARK: Now and then

    private var secondsToNextLook: Double {
        let wait = nextLook - .now
        return max(0, Double(wait.components.seconds) + Double(wait.components.attoseconds) / 1e18)
    }

    /// Looks whether another process has changed the file.
    private func look() {
        countBytes()
        // It was said at the start why there is none.
        beginJournal { _ in }
        do throws(StoreFailure) {
            if let change = try others.changes(of: file) { settings.accountsChanged(change) }
        } catch {
            warnOnce(error)
        }
    }

    private func countBytes() {
        let bytes = file.byteCount
        queue.count { $0.fileBytes = bytes }
    }
}

extension StoreJob {
    fileprivate var isCall: Bool {
        if case .keep = self { true } else { false }
    }

    fileprivate var joinsOthers: Bool {
        switch self {
        case .keep: true
        case .operation(let operation, _): operation.joinsOthers
        }
    }
}
