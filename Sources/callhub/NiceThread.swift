import Foundation

/// Does what takes long one after the other, for each who wants it in turn: a password takes a tenth of a second and tens of megabytes, by intention.
///
/// The thread is nice to all others: calls go on while many sign in.
final class NiceThread: @unchecked Sendable {
    /// Something that is to be done, as long as somebody wants it.
    private struct Job {
        let isWanted: @Sendable () -> Bool
        let drop: @Sendable () -> Void
        let work: @Sendable () -> Void
    }

    private let mostWaiting: Int
    private let longestWait: Duration?
    private let condition = NSCondition()
    // All below: with the lock held.
    private var waiting = FairQueue<String, Job>()
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

    /// Whether something is done.
    enum Answer {
        /// It is, unless nobody wants it any more.
        case taken
        /// Too much waits.
        case tooMuch
        /// Too much waits for whom it is.
        case tooMuchOfOne
    }

    /// Has something done.
    ///
    /// - Parameters:
    ///   - name: For whom: each who has something done has his turn.
    ///   - mostOfOne: How much may wait for him; nil: as much as for all.
    ///   - isWanted: Asked on any thread; once it is false the job is left out, and makes room for others.
    ///   - drop: Called on any thread in place of the job where a full queue makes room for somebody with fewer jobs.
    ///   - job: Run on the thread.
    /// - Returns: Whether it is done.
    func add(
        of name: String = "",
        atMost mostOfOne: Int? = nil,
        while isWanted: @escaping @Sendable () -> Bool = { true },
        orDrop drop: (@Sendable () -> Void)? = nil,
        _ job: @escaping @Sendable () -> Void
    ) -> Answer {
        let (given, dropped): (Answer, Job?) = condition.withLock {
            if isFull || answer(to: name, mostOfOne) != .taken { waiting.removeAll { !$0.isWanted() } }
            let answer = answer(to: name, mostOfOne)
            guard answer == .taken else { return (answer, nil) }
            let dropped = isFull ? waiting.removeLastOfLongest(over: waiting.count(of: name) + 1) : nil
            waiting.append(Job(isWanted: isWanted, drop: drop ?? {}, work: job), of: name)
            condition.signal()
            return (.taken, dropped)
        }
        dropped?.drop()
        return given
    }

    /// With the lock held, like what follows.
    private var isFull: Bool { waiting.count >= mostWaiting }

    /// A full queue takes a job all the same where another lane has at least two jobs more: the newest of those is dropped.
    private func answer(to name: String, _ mostOfOne: Int?) -> Answer {
        guard !isEnded, !isFull || waiting.longestCount > waiting.count(of: name) + 1 else { return .tooMuch }
        if let mostOfOne, waiting.count(of: name) >= mostOfOne { return .tooMuchOfOne }
        // Whatever was found out, one may try: or it would never be found out that they have become faster.
        guard !waiting.isEmpty, let longestWait else { return .taken }
        return usual * (waiting.countBefore(next: name) + 1) <= longestWait ? .taken : .tooMuch
    }

    /// Takes nothing more; what waits is not done.
    func end() {
        condition.withLock {
            isEnded = true
            waiting = FairQueue()
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
            return waiting.removeFirst()
        }
    }
}
