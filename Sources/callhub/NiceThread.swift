import Foundation

/// Does what takes long one after the other: a password takes a tenth of a second and tens of megabytes, by intention.
///
/// The thread is nice to all others: calls go on while many sign in.
final class NiceThread: @unchecked Sendable {
    /// Something that is to be done, as long as somebody wants it.
    private struct Job {
        let isWanted: @Sendable () -> Bool
        let work: @Sendable () -> Void
    }

    private let mostWaiting: Int
    private let longestWait: Duration?
    private let condition = NSCondition()
    // All below: with the lock held.
    private var waiting: [Job] = []
    private var isEnded = false
    /// How long one takes, the newest counting most.
    private var usual: Duration

    /// Starts it.
    ///
    /// - Parameters:
    ///   - name: For whoever looks at threads; the system keeps fifteen letters, and none of a longer name.
    ///   - mostWaiting: How much may wait. More: more is taken in one go; the last of it waits longer.
    ///   - longestWait: How long the last may have to wait by what they usually take; nil: as long as it takes.
    ///   - usual: A first guess of that.
    init(_ name: String, mostWaiting: Int, longestWait: Duration? = nil, usual: Duration = .zero) {
        self.mostWaiting = mostWaiting
        self.longestWait = longestWait
        self.usual = usual
        let thread = Thread { [self] in
            // Linux has a niceness for each thread.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            work()
        }
        thread.start()
        thread.name = name
    }

    /// Has something done.
    ///
    /// - Parameters:
    ///   - isWanted: Asked on any thread; once it is false the job is left out, and makes room for others.
    ///   - job: Run on the thread.
    /// - Returns: False where too many wait already.
    func add(while isWanted: @escaping @Sendable () -> Bool = { true }, _ job: @escaping @Sendable () -> Void) -> Bool {
        condition.withLock {
            if !hasRoom { waiting.removeAll { !$0.isWanted() } }
            guard hasRoom, !isEnded else { return false }
            waiting.append(Job(isWanted: isWanted, work: job))
            condition.signal()
            return true
        }
    }

    /// With the lock held.
    private var hasRoom: Bool {
        guard waiting.count < mostWaiting else { return false }
        // Whatever was found out, one may try: or it would never be found out that they have become faster.
        return waiting.isEmpty || longestWait.map { usual * (waiting.count + 1) <= $0 } ?? true
    }

    /// Takes nothing more; what waits is not done.
    func end() {
        condition.withLock {
            isEnded = true
            waiting = []
            condition.signal()
        }
    }

    private func work() {
        while let job = next() {
            guard job.isWanted() else { continue }
            let start = ContinuousClock.now
            job.work()
            let took = ContinuousClock.now - start
            condition.withLock { usual = (usual * 7 + took) / 8 }
        }
    }

    private func next() -> Job? {
        condition.withLock {
            while waiting.isEmpty, !isEnded { condition.wait() }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}
